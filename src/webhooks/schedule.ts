/** When a delivery is retried (interface: Delivery and retry). */
import { WEBHOOK_LIMITS } from './limits.ts';

/**
 * The next attempt after so many failures, the last at `failedAtMs`; null: none left. An instant
 * plus a wait, without calendar or time zone.
 */
export function nextAttempt(attempts: number, failedAtMs: number): number | null {
  const { attempts: most, waitsMs } = WEBHOOK_LIMITS;
  const waitMs = attempts >= most ? undefined : waitsMs[attempts - 1];
  return waitMs === undefined ? null : failedAtMs + waitMs;
}

/**
 * An interrupted attempt ends at its deadline, so the next one's due time does not depend on when
 * this is noticed.
 */
export function interruptedAt(attemptedAtMs: number): number {
  return attemptedAtMs + WEBHOOK_LIMITS.attemptMs;
}

/**
 * The latest due time the schedule can set now. Later ones come from a clock that has gone back,
 * and would wait longer than documented.
 */
export function latestDue(attempts: number, nowMs: number): number {
  return nextAttempt(attempts, nowMs) ?? nowMs;
}
