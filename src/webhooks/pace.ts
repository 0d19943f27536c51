/**
 * How hard a lane works. What answers is sent to at once, unless lookups are answered on the same machine:
 * somebody waits for those. What fails gives way to both, a few attempts at a time.
 */
import { WEBHOOK_LIMITS } from './limits.ts';
import type { Lane } from './due-list.ts';

export interface Pace {
  /** Attempts claimed at a time. */
  readonly atOnce: number;
  /** Between the requests of two of them, milliseconds. */
  readonly gapMs: number;
  /** Rest after that, milliseconds. */
  readonly restMs: number;
}

export interface Surroundings {
  /** Lookups are answered on this machine. */
  readonly isAnswering: boolean;
  /** Since somebody who does not fail was last sent to, milliseconds. */
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
