/** Long answers, counted: so many at a time in all, and for one account. */
import type { FastifyReply } from 'fastify';
import { Failure } from '../../../kernel/failures.ts';
import { refuseHungUp } from '../../wire/hung-up.ts';

export interface StreamLimits {
  readonly process: number;
  readonly account: number;
}

export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #what: { readonly en: string; readonly da: string };
  readonly #open = new Map<string, number>();
  #total = 0;

  constructor(limits: StreamLimits, what: { readonly en: string; readonly da: string }) {
    this.#limits = limits;
    this.#what = what;
  }

  /** Until the answer is sent or broken off. Throws rate_limited. */
  enter(account: string, reply: Pick<FastifyReply, 'raw'>): void {
    refuseHungUp(reply);
    const open = this.#open.get(account) ?? 0;
    if (open >= this.#limits.account || this.#total >= this.#limits.process) {
      throw new Failure('rate_limited', {
        error: `Too many ${this.#what.en} are open. Try again after Retry-After.`,
        errorDa: `For mange ${this.#what.da} er åbne. Prøv igen efter Retry-After.`,
        retryAfterS: RETRY_AFTER_S,
      });
    }
    this.#open.set(account, open + 1);
    this.#total += 1;
    reply.raw.once('close', () => {
      this.#total -= 1;
      const left = (this.#open.get(account) ?? 1) - 1;
      if (left === 0) this.#open.delete(account);
      else this.#open.set(account, left);
    });
  }
}

const RETRY_AFTER_S = 2;
