/** Accounts over a real store, with a clock that is turned by hand. */
import { composeAccounts } from '../../src/start/accounts.ts';
import type { AccountParts } from '../../src/start/accounts.ts';
import type { MintedKey, NewKey } from '../../src/account/keys.ts';
import type { Principal } from '../../src/account/principal.ts';
import type { Tier } from '../../src/account/plans.ts';
import type { Store } from '../../src/db/connect.ts';
import type { Clock } from '../../src/kernel/clock.ts';

export interface TurnedClock extends Clock {
  turn(ms: number): void;
}

/** Begins at a fixed moment, so that what is written down can be compared. */
export function turnedClock(startMs = Date.UTC(2026, 10, 21, 12)): TurnedClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    turn: (ms) => {
      nowMs += ms;
    },
  };
}

export interface AccountBench extends AccountParts {
  readonly clock: TurnedClock;
  readonly store: Store;
  account(tier?: Tier): Promise<string>;
  key(accountId: string, change?: Partial<NewKey>): Promise<MintedKey>;
  find(secret: string): Promise<Principal | null>;
  events(accountId: string): Promise<readonly { event: string; data: unknown }[]>;
}

let made = 0;

export function accountBench(store: Store, clock = turnedClock()): AccountBench {
  const parts = composeAccounts({ store, clock });
  return {
    ...parts,
    clock,
    store,
    account: async (tier = 'pro') => {
      made += 1;
      const email = `${process.pid}-${made}@example.dk`;
      return (await parts.accounts.create({ name: `Opdigtet ${made}`, email, tier })).id;
    },
    key: (accountId, change = {}) =>
      parts.keyAdmin.mint(accountId, {
        name: 'Opdigtet nøgle',
        kind: 'secret',
        environment: 'test',
        ...change,
      }),
    find: async (secret) => await parts.keys.find(secret),
    events: async (accountId) => {
      const { rows } = await store.pool.query<{ event: string; data: unknown }>(
        'select event, data from account_event where account_id = $1 order by id',
        [accountId],
      );
      return rows;
    },
  };
}
