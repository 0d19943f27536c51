/**
 * Callers must not be able to flood the log: failures are logged with their cause up to so many per
 * second, refusals never, and the rest are counted in one line per second.
 */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Failure } from '../../kernel/failures.ts';
import { HTTP_LIMITS } from '../limits.ts';

const WINDOW_MS = 1_000;

export class FailureLog {
  #logged = 0;
  readonly #suppressed = new Map<string, number>();
  /** A second is being counted since its first failure. */
  #isCounting = false;

  /** For failures of the service (status 500 and above). */
  note({ log, server }: Pick<FastifyRequest, 'log' | 'server'>, failure: Failure): void {
    if (!this.#isCounting) {
      this.#isCounting = true;
      setTimeout(() => this.#sum(server.log), WINDOW_MS).unref();
    }
    const { type, cause } = failure;
    const isRefusal = type === 'overloaded' && cause === undefined;
    if (!isRefusal && this.#logged < HTTP_LIMITS.failuresLoggedPerSecond) {
      this.#logged += 1;
      log.error({ err: cause ?? failure, type }, 'request failed');
    } else {
      this.#suppressed.set(type, (this.#suppressed.get(type) ?? 0) + 1);
    }
  }

  #sum(log: FastifyBaseLogger): void {
    const counts = Object.fromEntries(this.#suppressed);
    this.#isCounting = false;
    this.#logged = 0;
    this.#suppressed.clear();
    if (Object.keys(counts).length > 0) log.warn({ counts }, 'requests refused');
  }
}
