/**
 * How many keyed requests are worked on, in all and for one account: past either limit the next is
 * refused at once, while the answer is still cheap.
 */
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';

export interface InFlight {
  /** Throws `overloaded`; then nothing is counted. */
  enter(accountId: string): void;
  leave(accountId: string): void;
}

export function createInFlight(limits = LIMITS.inFlight): InFlight {
  const byAccount = new Map<string, number>();
  let total = 0;
  return {
    enter: (accountId) => {
      const own = byAccount.get(accountId) ?? 0;
      if (own >= limits.account) throw tooMany(`${limits.account} requests of one account`);
      if (total >= limits.total) throw tooMany(`${limits.total} requests`);
      total += 1;
      byAccount.set(accountId, own + 1);
    },
    leave: (accountId) => {
      total -= 1;
      const own = (byAccount.get(accountId) ?? 0) - 1;
      if (own > 0) byAccount.set(accountId, own);
      else byAccount.delete(accountId);
    },
  };
}

/** Refused before any work, with when to come back. */
export function tooMany(what: string): Failure {
  return new Failure('overloaded', {
    error: `At most ${what} are worked on at a time. Try again after Retry-After.`,
    errorDa: 'For mange forespørgsler er i gang på én gang. Prøv igen efter Retry-After.',
    retryAfterS: LIMITS.retryAfterS.busy,
  });
}
