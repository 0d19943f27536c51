/** Failing endpoints yield to lookups and to responsive ones. */
import { WEBHOOK_LIMITS } from './limits.ts';
import type { Lane } from './due-list.ts';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  readonly atOnce: number;
  /** Between two requests. */
  readonly gapMs: number;
  readonly restMs: number;
}

export interface Surroundings {
  readonly isAnswering: boolean;
  readonly sinceWellMs: number;
}

export function paceOf(lane: Lane, { isAnswering, sinceWellMs }: Surroundings): Pace {
  const { inFlight, pace } = WEBHOOK_LIMITS;
  if (lane === 'well') {
    return isAnswering ? pace.besideLookups : { atOnce: inFlight.total, gapMs: 0, restMs: 0 };
  }
  const isBeside = isAnswering || sinceWellMs < pace.besideMs;
  return isBeside ? pace.failingBeside : pace.failingAlone;
}

export class Waker {
  #called = Promise.withResolvers<undefined>();

  wake(): void {
    this.#called.resolve(undefined);
  }

  async wait(ms: number): Promise<void> {
    const over = new AbortController();
    const late = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([this.#called.promise, late]);
    over.abort();
    this.#called = Promise.withResolvers();
  }
}
