import type { Store } from '../db/connect.ts';
import { allRows } from '../db/rows.ts';

export interface JobDay {
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly rowsAnswered: number;
  readonly rowsFailed: number;
}

/** From `startMs` to before `endMs`; without jobs deleted by their account. */
export async function readJobDays(
  { db }: Pick<Store, 'db'>,
  days: readonly { readonly startMs: number; readonly endMs: number }[],
): Promise<readonly JobDay[]> {
  return await allRows<JobDay>(db)`
    select count(*) filter (where j.status = 'completed')::integer as completed,
      count(*) filter (where j.status = 'failed')::integer as failed,
      count(*) filter (where j.status = 'cancelled')::integer as cancelled,
      coalesce(sum(j.succeeded), 0)::float8 as "rowsAnswered",
      coalesce(sum(j.failed), 0)::float8 as "rowsFailed"
    from unnest(${days.map(({ startMs }) => new Date(startMs).toISOString())}::timestamptz[],
      ${days.map(({ endMs }) => new Date(endMs).toISOString())}::timestamptz[])
      with ordinality as d (starts, ends, place)
    left join job j on j.completed_at >= d.starts and j.completed_at < d.ends
    group by d.place order by d.place`;
}
