import { WEBHOOK_LIMITS } from './limits.ts';

/** After so many failures, the last at `failedAtMs`; null: none left. */
export function nextAttempt(attempts: number, failedAtMs: number): number | null {
  const { attempts: most, waitsMs } = WEBHOOK_LIMITS;
  const waitMs = attempts >= most ? undefined : waitsMs[attempts - 1];
  return waitMs === undefined ? null : failedAtMs + waitMs;
}

/** An interrupted attempt ends at its deadline, whenever this is noticed. */
export function interruptedAt(attemptedAtMs: number): number {
  return attemptedAtMs + WEBHOOK_LIMITS.attemptMs;
}

/** A later due time comes from a clock that has gone back. */
export function latestDue(attempts: number, nowMs: number): number {
  return nextAttempt(attempts, nowMs) ?? nowMs;
}
