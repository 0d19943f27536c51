/** The program over the invented island, one for all suites of a run, with a test key of each suite's own. */
import { beforeAll, inject } from 'vitest';
import { openStore } from '../../src/db/connect.ts';
import type { Store } from '../../src/db/connect.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { composeAccounts } from '../../src/start/accounts.ts';
import { mintKey } from './keys.ts';
import { mirroredTemplate } from './mirrored-store.ts';
import type { OfferedService } from './offered-service.ts';

interface UsedService extends Pick<OfferedService, 'base' | 'key' | 'operatorToken'> {
  /** Another handle on its store; null: that is an embedded one, which is the program's alone. */
  readonly store: Store | null;
}

/** For a suite: there from before its tests, and read within them alone. */
export function useWholeService(): UsedService {
  const used = {} as UsedService;
  beforeAll(async () => {
    Object.assign(used, await openOffered());
    return () => used.store?.close();
  });
  return used;
}

async function openOffered(): Promise<UsedService> {
  const isPostgres = inject('storeTemplate').kind === 'postgres';
  const { source } = isPostgres ? await mirroredTemplate('served') : { source: '' };
  const ask = new URLSearchParams({ source });
  const answer = await fetch(`${inject('wholeService')}/?${ask.toString()}`);
  if (!answer.ok) throw new Error(await answer.text());
  const offered = (await answer.json()) as OfferedService;
  if (offered.store === null) return { ...offered, store: null };
  const log = { error: (message: string) => console.error(message) };
  const store = await openStore({ ...offered.store, log });
  const accounts = composeAccounts({ store, clock: systemClock });
  const plan = { tier: 'pro', environment: 'test', permission: 'jobs' } as const;
  return { ...offered, store, key: await mintKey({ accounts }, plan) };
}
