/**
 * Limits long answers in total and per account. When full, an account with fewer takes a place from
 * the one with most, if that answer can be ended.
 */
import type { FastifyReply } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import type { Counter } from '../../kernel/limited-counter.ts';
import type { CounterName } from '../../kernel/limiter-sizes.ts';
import type { Limiters } from '../../kernel/limiters.ts';
import { refuseDisconnected } from './deadline.ts';

export interface StreamLimits {
  readonly process: number;
  readonly account: number;
  /** Absent: it ends by itself. */
  readonly longestS?: number;
}

interface Names {
  readonly en: string;
  readonly da: string;
}

export function openStreams(
  limiters: Limiters,
  name: CounterName,
  limits: StreamLimits,
  what: Names,
): OpenStreams {
  const counter = limiters.counter(name, { each: limits.account, total: limits.process });
  return new OpenStreams(counter, what, limits);
}

interface Stream {
  /** Absent: must not be ended. */
  readonly end: (() => void) | undefined;
}

export class OpenStreams {
  readonly #counter: Counter;
  readonly #what: Names;
  readonly #limits: Pick<StreamLimits, 'longestS'>;
  readonly #open = new Map<string, Set<Stream>>();

  constructor(counter: Counter, what: Names, limits: Pick<StreamLimits, 'longestS'> = {}) {
    this.#counter = counter;
    this.#what = what;
    this.#limits = limits;
  }

  /** Counts until the response closes. `end`: ends it early. Throws rate_limited. */
  enter(account: string, reply: Pick<FastifyReply, 'raw'>, end?: () => void): void {
    refuseDisconnected(reply);
    if (!this.#take(account)) {
      throw new Failure('rate_limited', {
        error: `Too many ${this.#what.en} are open. Try again after Retry-After.`,
        errorDa: `For mange ${this.#what.da} er åbne. Prøv igen efter Retry-After.`,
        retryAfterS: RETRY_AFTER_S,
      });
    }
    const stream = { end };
    const streams = this.#open.get(account) ?? new Set<Stream>();
    this.#open.set(account, streams.add(stream));
    const { longestS } = this.#limits;
    const timer = longestS && setTimeout(() => reply.raw.destroy(), 1_000 * longestS).unref();
    reply.raw.once('close', () => {
      clearTimeout(timer);
      this.#leave(account, stream);
    });
  }

  #take(account: string): boolean {
    const full = this.#counter.add(account);
    if (full !== 'total') return full === null;
    return this.#makeRoom(this.#counter.countOf(account)) && this.#counter.add(account) === null;
  }

  /**
   * Ends one of this thread's account with most, if that keeps at least as many as the requesting
   * one gets.
   */
  #makeRoom(own: number): boolean {
    let most: readonly [string, Set<Stream>] | null = null;
    for (const entry of this.#open) {
      if (most === null || entry[1].size > most[1].size) most = entry;
    }
    if (most === null || (own > 0 && most[1].size < own + 2)) return false;
    const [account, streams] = most;
    for (const stream of streams) {
      if (stream.end === undefined) continue;
      this.#leave(account, stream);
      stream.end();
      return true;
    }
    return false;
  }

  /** Idempotent: a stream ended early closes later. */
  #leave(account: string, stream: Stream): void {
    const streams = this.#open.get(account);
    if (streams?.delete(stream) !== true) return;
    this.#counter.remove(account);
    if (streams.size === 0) this.#open.delete(account);
  }
}

const RETRY_AFTER_S = 2;
