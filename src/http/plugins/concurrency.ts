import { holderOf, isTrial } from '../../account/principal.ts';
import type { Principal } from '../../account/principal.ts';
import { clientOf, turnOf } from '../../kernel/client-address.ts';
import { Failure } from '../../kernel/failures.ts';
import type { Counter } from '../../kernel/limited-counter.ts';
import type { Limiters } from '../../kernel/limiters.ts';
import { HTTP_LIMITS } from '../limits.ts';
import { TRIAL } from '../../metering/trial-limits.ts';

/**
 * Limits keyed requests in flight: in total, per account, per visitor, and all trial visitors
 * together.
 */
export class InFlight {
  readonly #accounts: Counter;
  readonly #trial: Counter;
  readonly #pages: Counter;

  constructor(limiters: Limiters) {
    const { account: each, total, pageClient } = HTTP_LIMITS.inFlight;
    this.#accounts = limiters.counter('requests of accounts', { each, total });
    this.#trial = limiters.counter('requests of the trial', TRIAL.inFlight);
    this.#pages = limiters.counter('requests of pages', { each: pageClient, total: Infinity });
  }

  /** Throws overloaded before any work is done. */
  enter(principal: Principal, clientAddress: string): void {
    const visitors = this.#visitors(principal);
    const visitor = visitors === null ? '' : visitorOf(principal, clientAddress);
    const passed = visitors?.add(visitor) ?? null;
    if (passed === 'each') throw tooMany(`${eachOf(principal)} requests of one client address`);
    if (passed === 'total') throw tooMany(`${TRIAL.inFlight.total} requests of the open trial`);
    const full = this.#accounts.add(holderOf(principal));
    if (full === null) return;
    visitors?.remove(visitor);
    const { account, total } = HTTP_LIMITS.inFlight;
    throw tooMany(full === 'each' ? `${account} requests of one account` : `${total} requests`);
  }

  leave(principal: Principal, clientAddress: string): void {
    this.#accounts.remove(holderOf(principal));
    this.#visitors(principal)?.remove(visitorOf(principal, clientAddress));
  }

  #visitors(principal: Principal): Counter | null {
    if (principal.kind === 'public') return this.#pages;
    return isTrial(principal) ? this.#trial : null;
  }
}

function eachOf(principal: Principal): number {
  return principal.kind === 'public' ? HTTP_LIMITS.inFlight.pageClient : TRIAL.inFlight.each;
}

function visitorOf(principal: Principal, clientAddress: string): string {
  return `${principal.keyId} ${clientOf(clientAddress)}`;
}

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

/**
 * Starts only a few requests of a busy account per turn of the event loop, which reads all its
 * connections. A lone account starts more, because a turn has a cost. `nowMs` is monotonic.
 */
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

function tooMany(what: string): Failure {
  return new Failure('overloaded', {
    error: `At most ${what} are worked on at a time. Try again after Retry-After.`,
    errorDa: 'For mange forespørgsler er i gang på én gang. Prøv igen efter Retry-After.',
  });
}
