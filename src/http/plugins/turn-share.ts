/**
 * How much of one turn of the event loop one account has. The connections of a client at full load come
 * in step, and whoever arrives beside them would wait for them all; so only a few requests of an account
 * are begun in a turn, and the rest in the turns after, where others come between.
 */
import { LIMITS } from '../../kernel/limits.ts';
import { tooMany } from './in-flight.ts';

export interface TurnShare {
  /**
   * Begins a request now, or in a later turn, behind the account's earlier ones. Throws `overloaded`
   * when too many of the account wait already.
   */
  begin(accountId: string, start: () => void): void;
}

interface Account {
  /** Begun in this turn. */
  begun: number;
  readonly waiting: (() => void)[];
}

export function createTurnShare(
  { perTurn, waiting }: { readonly perTurn: number; readonly waiting: number } = LIMITS.turnShare,
): TurnShare {
  const accounts = new Map<string, Account>();
  let isArmed = false;
  const arm = (): void => {
    if (isArmed) return;
    isArmed = true;
    setImmediate(nextTurn);
  };
  // Who waits goes before who comes, so that an account's requests keep their order.
  const nextTurn = (): void => {
    isArmed = false;
    for (const [accountId, account] of accounts) {
      if (account.waiting.length === 0) {
        accounts.delete(accountId);
        continue;
      }
      const starting = account.waiting.splice(0, perTurn);
      account.begun = starting.length;
      for (const start of starting) start();
    }
    if (accounts.size > 0) arm();
  };
  return {
    begin: (accountId, start) => {
      const account = accounts.get(accountId);
      if (account === undefined) {
        accounts.set(accountId, { begun: 1, waiting: [] });
        arm();
        start();
      } else if (account.begun < perTurn && account.waiting.length === 0) {
        account.begun += 1;
        start();
      } else if (account.waiting.length < waiting) {
        account.waiting.push(start);
      } else {
        throw tooMany(`${waiting} requests of one account`);
      }
    },
  };
}
