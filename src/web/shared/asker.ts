import { show } from './dom.ts';
import { HeldKey, mintSessionKey, mintTrialKey } from './held-key.ts';
import { installSignOut, readSession } from './session.ts';
import type { Session } from './session.ts';

interface Asker {
  readonly session: Session | null;
  /** null: none is needed, or there is none. */
  readonly key: HeldKey | null;
  readonly canAsk: boolean;
}

/** Who is signed in, else the open trial. */
export async function readAsker(name: string, areas: readonly string[]): Promise<Asker> {
  const { proeve: trial = 'off' } = document.body.dataset;
  const session = await readSession().catch(() => null);
  const make =
    session !== null
      ? () => mintSessionKey(name, 'test', areas)
      : trial === 'on'
        ? mintTrialKey
        : null;
  const key = make && new HeldKey(make);
  window.addEventListener('pagehide', () => key?.release());
  const button = document.getElementById('sign-out');
  if (button !== null) {
    installSignOut();
    show(button, session !== null);
  }
  return { session, key, canAsk: key !== null || trial === 'open' };
}
