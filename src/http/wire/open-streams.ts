/**
 * Limits long answers in total and per account. When all places are taken, an account with fewer
 * gets one of the account with the most, if it can be ended, so that none locks others out.
 */
import type { FastifyReply } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import { refuseDisconnected } from './client-disconnect.ts';

export interface StreamLimits {
  readonly process: number;
  readonly account: number;
}

interface Stream {
  /** Ends it early; absent: it must not be ended. */
  readonly end: (() => void) | undefined;
}

export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #what: { readonly en: string; readonly da: string };
  readonly #open = new Map<string, Set<Stream>>();
  #total = 0;

  constructor(limits: StreamLimits, what: { readonly en: string; readonly da: string }) {
    this.#limits = limits;
    this.#what = what;
  }

  /**
   * Counts until the answer is sent or aborted. `end`: ends it early, for a client that reconnects.
   * Throws rate_limited.
   */
  enter(account: string, reply: Pick<FastifyReply, 'raw'>, end?: () => void): void {
    refuseDisconnected(reply);
    const own = this.#open.get(account)?.size ?? 0;
    const isFull = this.#total >= this.#limits.process;
    if (own >= this.#limits.account || (isFull && !this.#makeRoom(own))) {
      throw new Failure('rate_limited', {
        error: `Too many ${this.#what.en} are open. Try again after Retry-After.`,
        errorDa: `For mange ${this.#what.da} er åbne. Prøv igen efter Retry-After.`,
        retryAfterS: RETRY_AFTER_S,
      });
    }
    const stream = { end };
    const streams = this.#open.get(account) ?? new Set<Stream>();
    this.#open.set(account, streams.add(stream));
    this.#total += 1;
    reply.raw.once('close', () => this.#leave(account, stream));
  }

  /**
   * Ends the oldest of the account with the most, if that keeps as many as the asking one gets, or
   * that one has none.
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

  /** Idempotent: a stream that was ended early closes later. */
  #leave(account: string, stream: Stream): void {
    const streams = this.#open.get(account);
    if (streams?.delete(stream) !== true) return;
    this.#total -= 1;
    if (streams.size === 0) this.#open.delete(account);
  }
}

const RETRY_AFTER_S = 2;
