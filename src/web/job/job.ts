/** A job as the service tells of it. */
import type { Kind, RoleColumns, Srid, Status } from '../../jobs/for-pages.ts';

/** `Job` of the interface. */
export interface Job {
  readonly id: string;
  readonly kind: Kind;
  readonly status: Status;
  readonly label: string | null;
  readonly totalRows: number;
  readonly processedRows: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly billedUnits: number;
  readonly progress: number;
  readonly columns: RoleColumns;
  readonly srid: Srid;
  readonly inputColumns: readonly string[];
  readonly error: string | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly resultsAvailable: boolean;
}

/** An event of its stream. */
export interface Progress {
  readonly job: Job;
  /** null: not known yet, or nothing moves. */
  readonly rowsPerSecond: number | null;
}
