/** Uses the store's clock, where not said. */
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import { oneRow } from '../db/rows.ts';
import { JOB_LIMITS } from './limits.ts';
import { rowError } from '../core/rows/row-errors.ts';
import { NAMES_ADDRESS } from '../core/rows/row-reader.ts';
import { statusesBefore } from './state.ts';

const DAY_MS = 86_400_000;

const ago = (ms: number) => sql`now() - make_interval(secs => ${ms / 1000})`;

/** Those resumed after the last row, or without rows. */
export async function completeJobs({ db }: Pick<Store, 'db'>): Promise<void> {
  await sql`
    update job set status = 'completed', error = null, started_at = coalesce(started_at, now()),
      completed_at = now(), updated_at = now()
    where status in ('queued', 'running') and succeeded + failed = total_rows
      and not exists (select from job_chunk c where c.job_id = job.id and c.state <> 'done')`.execute(
    db,
  );
}

/** D70; see migration 0019. */
export async function pauseJobsWithoutKeys({ db }: Pick<Store, 'db'>): Promise<void> {
  await sql`select pause_jobs_without_keys(null)`.execute(db);
}

/** Returns how many (D70). */
export async function cancelUntouched({ db }: Pick<Store, 'db'>, ageMs: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update job set status = 'cancelled', error = ${UNTOUCHED}, completed_at = now(),
      updated_at = now()
    where id in (
      select id from job
      where completed_at is null and status = any (${[...statusesBefore('expire')]}::text[])
        and updated_at < ${ago(ageMs)}
      order by updated_at limit 100 for update skip locked)
    returning id`.execute(db);
  return rows.length;
}

const UNTOUCHED = rowError('untouched', { days: JOB_LIMITS.untouchedMs / DAY_MS }).error;

/** `addresses`: of jobs whose rows name some. None waits where a process works on such (D268). */
export async function noteWait(
  { db }: Pick<Store, 'db'>,
  whose: 'addresses' | 'any',
): Promise<void> {
  const { saidMs, mostMs } = JOB_LIMITS.memoryWait;
  const isSuch = sql`(${whose === 'any'} or j.columns ?| ${NAMES_ADDRESS}::text[])`;
  const waiting = (ms: number) => sql`job.status in ('queued', 'running')
    and job.id in (select id from job j where ${isSuch} and j.updated_at < ${ago(ms)})
    and not exists (select from job j where ${isSuch} and j.status in ('running', 'completed')
      and (j.updated_at >= ${ago(ms)} or exists (select from job_chunk c
        where c.job_id = j.id and c.state = 'leased' and c.lease_until >= now())))`;
  const { error } = rowError(whose === 'any' ? 'notLoaded' : 'addressesAwaited');
  await sql`update job set error = ${error}
    where error is distinct from ${error} and ${waiting(saidMs)}`.execute(db);
  if (whose === 'any') return;
  await sql`
    update job set status = 'paused', error = ${error},
      started_at = coalesce(started_at, now()), updated_at = now()
    where ${waiting(mostMs)}`.execute(db);
}

export async function freeWhatIsHeld({ db }: Pick<Store, 'db'>): Promise<void> {
  await sql`
    update job_chunk c set state = 'waiting', lease_owner = null, lease_until = null
    from job j
    where j.id = c.job_id and c.state = 'leased' and c.lease_until < now()
      and j.status not in ('queued', 'running')`.execute(db);
  await sql`
    delete from usage_grant g
    where g.instance_id like 'job\\_%' and not exists (
      select from job_chunk c
      where c.job_id = split_part(g.instance_id, '-', 1)
        and c.chunk = split_part(g.instance_id, '-', 2)::integer and c.state = 'leased')`.execute(
    db,
  );
}

/** The record stays (D74). Returns how many jobs. */
export async function deleteOldRows({ db }: Pick<Store, 'db'>, ageMs: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with old as (
      select id from job
      where completed_at < ${ago(ageMs)} and rows_deleted_at is null
      order by completed_at limit 20 for update skip locked
    ), gone as (
      delete from job_chunk where job_id in (select id from old)
    )
    update job set rows_deleted_at = now(), input_bytes = 0, output_bytes = 0, updated_at = now()
    where id in (select id from old)
    returning id`.execute(db);
  return rows.length;
}

/** Uses this process's clock, which wrote them (D76). */
export async function forgetRequests({ db }: Pick<Store, 'db'>, beforeMs: number): Promise<void> {
  const before = new Date(beforeMs).toISOString();
  await sql`delete from job_request where created_at < ${before}::timestamptz`.execute(db);
}

export interface JobFacts {
  readonly open: number;
  readonly running: number;
  readonly waitingChunks: number;
  readonly leasedChunks: number;
  readonly waitingRows: number;
  /** Since the longest waiting open job moved; null: none is open. */
  readonly oldestS: number | null;
  readonly bytes: number;
}

export async function readJobFacts({ db }: Pick<Store, 'db'>): Promise<JobFacts> {
  return await oneRow<JobFacts>(db)`
    select count(*) filter (where j.status in ('queued', 'running')) as open,
      count(*) filter (where j.status = 'running') as running,
      coalesce(sum(c.waiting), 0)::bigint as "waitingChunks",
      coalesce(sum(c.leased), 0)::bigint as "leasedChunks",
      coalesce(sum(j.total_rows - j.succeeded - j.failed)
        filter (where j.status in ('queued', 'running')), 0)::bigint as "waitingRows",
      extract(epoch from now() - min(j.updated_at)
        filter (where j.status in ('queued', 'running')))::float8 as "oldestS",
      coalesce(sum(j.input_bytes + j.output_bytes), 0)::bigint as bytes
    from job j
    left join lateral (
      select count(*) filter (where state = 'waiting') as waiting,
        count(*) filter (where state = 'leased') as leased
      from job_chunk where job_id = j.id
    ) c on j.status in ('queued', 'running')
    where j.rows_deleted_at is null`;
}
