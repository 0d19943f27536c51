/** When a delivery is tried again (interface: Delivery and retry). Pure. */
import { WEBHOOK_LIMITS } from './limits.ts';

/**
 * The moment of the next attempt after so many have failed, the last of them at `failedAtMs`; null: it
 * was the last one. An instant plus a wait: no calendar, no time zone.
 */
export function nextAttempt(attempts: number, failedAtMs: number): number | null {
  const { attempts: most, waitsMs } = WEBHOOK_LIMITS;
  const waitMs = attempts >= most ? undefined : waitsMs[attempts - 1];
  return waitMs === undefined ? null : failedAtMs + waitMs;
}

/**
 * When an attempt ended that nobody saw the end of: at its deadline. So the next one is due by when it
 * began, however late somebody notices.
 */
export function interruptedAt(attemptedAtMs: number): number {
  return attemptedAtMs + WEBHOOK_LIMITS.attemptMs;
}

/**
 * A moment that the schedule can have set at this one, at the latest. Later ones were set by a clock
 * that has gone back since, and would be waited for longer than the document says.
 */
export function latestDue(attempts: number, nowMs: number): number {
  return nextAttempt(attempts, nowMs) ?? nowMs;
}
