/**
 * Limits keyed requests in flight: in total, per account, per visitor, and all trial visitors
 * together.
 */
import { holderOf, isTrial } from '../../account/principal.ts';
import type { Principal } from '../../account/principal.ts';
import { clientOf } from '../../kernel/client-address.ts';
import type { Counter } from '../../kernel/limited-counter.ts';
import type { Limiters } from '../../kernel/limiters.ts';
import { HTTP_LIMITS } from '../limits.ts';
import { TRIAL } from '../../metering/trial-limits.ts';
import { tooMany } from './fair-scheduler.ts';

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
