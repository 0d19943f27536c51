/** The state of a job as the page shows it. Pure. */
import { ACTIONS, hasEnded, mayBeDeleted, statusAfter, JOB_LIMITS } from '../../jobs/for-pages.ts';
import type { Action } from '../../jobs/for-pages.ts';
import type { Job, Progress, UsageTotal } from './api.ts';

const ENDED_PERCENT = 100;

/**
 * Per cent of the rows, never 100 before it has ended. The time left is the rows left at the pace
 * of now; null: not known.
 */
export function viewOf({ job, rowsPerSecond }: Progress) {
  const ended = hasEnded(job.status);
  const share = job.totalRows === 0 ? 0 : job.processedRows / job.totalRows;
  const moves = job.status === 'running' && rowsPerSecond !== null && rowsPerSecond > 0;
  return {
    percent: Math.min(Math.floor(share * 100), ended ? ENDED_PERCENT : ENDED_PERCENT - 1),
    rowsPerSecond: moves ? rowsPerSecond : null,
    secondsLeft: moves ? (job.totalRows - job.processedRows) / rowsPerSecond : null,
    actions: [
      ...ACTIONS.filter((action) => isOffered(job, action)),
      ...(mayBeDeleted(job.status) ? (['delete'] as const) : []),
    ],
  };
}

function isOffered({ status, totalRows }: Job, action: Action): boolean {
  if (action === 'start' && totalRows === 0) return false;
  // A draft is deleted.
  if (action === 'cancel' && status === 'draft') return false;
  return statusAfter(status, action) !== null;
}

/** What so many units at most leave of the month's, and how many are beyond the plan. */
export function costOf(most: number, { units, allowance }: UsageTotal) {
  const left = Math.max(0, allowance - units);
  return { left, beyond: Math.max(0, most - left), isEnough: most <= left };
}

/** Pieces are known for a day (D76); an hour is for clocks that disagree. */
const KNOWN_MS = JOB_LIMITS.idempotencyMs - 3_600_000;

/** Whether the rest of a file may still go to its draft. */
export function takesRest({ createdAt }: Pick<Job, 'createdAt'>, nowMs: number): boolean {
  return nowMs - Date.parse(createdAt) < KNOWN_MS;
}
