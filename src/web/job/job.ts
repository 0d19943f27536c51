import type { renderJob } from '../../http/v1/jobs/render.ts';

export type Job = ReturnType<typeof renderJob>;

export interface Progress {
  readonly job: Job;
  /** null: not known yet, or nothing moves. */
  readonly rowsPerSecond: number | null;
}

export interface UsageTotal {
  readonly units: number;
  readonly allowance: number;
}
