/** The state of a job as the page shows it. Pure. */
import { ACTIONS, hasEnded, mayBeDeleted, statusAfter } from '../../jobs/for-pages.ts';
import type { Action } from '../../jobs/for-pages.ts';
import { JOB_LIMITS } from '../../jobs/for-pages.ts';
import type { Job, Progress } from './job.ts';

export interface JobView {
  /** Of the rows, 0 to 100; never 100 before it has ended. */
  readonly percent: number;
  readonly rowsPerSecond: number | null;
  /** null: not known. */
  readonly secondsLeft: number | null;
  readonly hasEnded: boolean;
  readonly actions: readonly (Action | 'delete')[];
}

const ENDED_PERCENT = 100;

/** The service's clock is not asked: the time left is the rows left at the pace of now. */
export function viewOf({ job, rowsPerSecond }: Progress): JobView {
  const ended = hasEnded(job.status);
  const share = job.totalRows === 0 ? 0 : job.processedRows / job.totalRows;
  const moves = job.status === 'running' && rowsPerSecond !== null && rowsPerSecond > 0;
  return {
    percent: Math.min(Math.floor(share * 100), ended ? ENDED_PERCENT : ENDED_PERCENT - 1),
    rowsPerSecond: moves ? rowsPerSecond : null,
    secondsLeft: moves ? (job.totalRows - job.processedRows) / rowsPerSecond : null,
    hasEnded: ended,
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

export interface Cost {
  /** At most: a row without an answer costs nothing. */
  readonly units: number;
  readonly left: number;
  /** Of the units, those beyond what the plan includes. */
  readonly beyond: number;
  readonly isEnough: boolean;
}

/** What a job of so many rows takes of the month's units. */
export function costOf(
  rows: number,
  { units, allowance }: { readonly units: number; readonly allowance: number },
): Cost {
  const left = Math.max(0, allowance - units);
  return { units: rows, left, beyond: Math.max(0, rows - left), isEnough: rows <= left };
}

/** The service remembers pieces for a day (D76); an hour is for clocks that disagree. */
const KNOWN_MS = JOB_LIMITS.idempotencyMs - 3_600_000;

/** Whether the rest of a file may still be sent to its draft. */
export function takesRest({ createdAt }: Pick<Job, 'createdAt'>, nowMs: number): boolean {
  return nowMs - Date.parse(createdAt) < KNOWN_MS;
}
