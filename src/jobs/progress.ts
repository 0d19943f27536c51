import { JOB_LIMITS } from './limits.ts';
import type { Job } from '../core/rows/job-types.ts';

export interface JobRate {
  /** null: unknown, or nothing moves. */
  readonly rowsPerSecond: number | null;
  readonly estimatedCompletionMs: number | null;
}

interface Seen {
  readonly atMs: number;
  readonly rows: number;
}

/** One per watcher. */
export class RateMeter {
  readonly #seen: Seen[] = [];

  /** `atMs`: wall clock. */
  see(job: Pick<Job, 'status' | 'succeeded' | 'failed' | 'totalRows'>, atMs: number): JobRate {
    const rows = job.succeeded + job.failed;
    this.#seen.push({ atMs, rows });
    while (atMs - (this.#seen[0]?.atMs ?? atMs) > JOB_LIMITS.rateWindowMs) this.#seen.shift();
    const [first] = this.#seen;
    const isRunning = job.status === 'running';
    if (!isRunning || first === undefined || atMs <= first.atMs || rows <= first.rows) {
      return { rowsPerSecond: null, estimatedCompletionMs: null };
    }
    const rowsPerSecond = ((rows - first.rows) * 1000) / (atMs - first.atMs);
    const leftMs = ((job.totalRows - rows) * 1000) / rowsPerSecond;
    return { rowsPerSecond, estimatedCompletionMs: atMs + leftMs };
  }
}
