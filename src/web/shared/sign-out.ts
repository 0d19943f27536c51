import { wordsOf } from './ask.ts';
import { byId, show } from './dom.ts';
import { toast } from './notices.ts';
import { readSession, signOut } from './session.ts';

/** The button that ends the session, where somebody is signed in. */
export function installSignOut(): void {
  byId('sign-out').addEventListener('click', () => {
    signOut().then(
      () => window.location.reload(),
      (error: unknown) => toast(wordsOf(error), 'bad'),
    );
  });
}

/** On a page that asks for no session of its own. */
export async function offerSignOut(): Promise<void> {
  installSignOut();
  const session = await readSession().catch(() => null);
  show(byId('sign-out'), session !== null);
}
