/**
 * Starts only a few requests of a busy account per turn of the event loop, which reads all its
 * connections. A lone account starts more, because a turn has a cost.
 */
import { turnOf } from '../../kernel/client-address.ts';
import { Failure } from '../../kernel/failures.ts';
import { HTTP_LIMITS } from '../limits.ts';

export interface FairSchedulerRules {
  readonly few: number;
  /** While no other has asked for `sharedMs`. */
  readonly many: number;
  readonly sharedMs: number;
  readonly waiting: number;
}

interface Account {
  begun: number;
  readonly waiting: (() => void)[];
}

/** `nowMs` is monotonic. */
export function createFairScheduler(
  { few, many, sharedMs, waiting }: FairSchedulerRules = HTTP_LIMITS.fairTurns,
  nowMs: () => number = () => performance.now(),
) {
  let last = '';
  let changedMs = -Infinity;
  let perTurn = many;
  const accounts = new Map<string, Account>();
  let isArmed = false;
  const arm = (): void => {
    if (isArmed) return;
    isArmed = true;
    setImmediate(nextTurn);
  };
  // Waiting requests keep their order before new ones.
  const nextTurn = (): void => {
    isArmed = false;
    perTurn = nowMs() - changedMs < sharedMs ? few : many;
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
    /** Keeps the account's order, maybe in a later turn. Throws `overloaded` when too many wait. */
    begin: (holder: string, start: () => void): void => {
      const { name: accountId, times } = turnOf(holder);
      if (accountId !== last) {
        if (last !== '') {
          changedMs = nowMs();
          perTurn = few;
        }
        last = accountId;
      }
      const account = accounts.get(accountId);
      if (account === undefined) {
        accounts.set(accountId, { begun: 1, waiting: [] });
        arm();
        start();
      } else if (account.begun < perTurn && account.waiting.length === 0) {
        account.begun += 1;
        start();
      } else if (account.waiting.length < waiting * times) {
        account.waiting.push(start);
      } else {
        throw tooMany(`${waiting} requests of one account`);
      }
    },
  };
}

export function tooMany(what: string): Failure {
  return new Failure('overloaded', {
    error: `At most ${what} are worked on at a time. Try again after Retry-After.`,
    errorDa: 'For mange forespørgsler er i gang på én gang. Prøv igen efter Retry-After.',
  });
}
