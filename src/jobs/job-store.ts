import { sql } from 'kysely';
import type { Db, Trx } from '../db/connect.ts';
import { allRows, firstRow, firstValue, oneRow } from '../db/rows.ts';
import type { Environment } from '../account/plans.ts';
import type { Job, RoleColumns, Status } from '../core/rows/job-types.ts';
import type { ReadChunk } from './intake/rows-reader.ts';

/** Test keys do not see live jobs, and vice versa. */
export interface Owner {
  readonly accountId: string;
  readonly environment: Environment;
}

const JOB_COLUMNS = sql`j.id, j.account_id as "accountId", j.key_id as "keyId", j.environment, j.kind,
  j.status, j.label, j.columns, j.srid, j.input_columns as "inputColumns", j.error,
  j.total_rows as "totalRows", j.chunks, j.succeeded, j.failed, j.billed_units as "billedUnits",
  j.generation, j.created_at as "createdAt", j.updated_at as "updatedAt",
  j.started_at as "startedAt", j.completed_at as "completedAt",
  j.rows_deleted_at as "rowsDeletedAt"`;

/** null: the owner has no such job. */
export async function readJob(
  db: Db,
  { accountId, environment }: Owner,
  id: string,
  lock = sql``,
): Promise<Job | null> {
  return await firstRow<Job>(db)`
    select ${JOB_COLUMNS} from job j
    where j.id = ${id} and j.account_id = ${accountId} and j.environment = ${environment} ${lock}
  `;
}

/** Locks until the transaction ends. */
export function lockJob(db: Trx, owner: Owner, id: string): Promise<Job | null> {
  return readJob(db, owner, id, sql`for no key update`);
}

export interface Page {
  readonly limit: number;
  /** Older than this one; null: the newest. */
  readonly before: Pick<Job, 'id' | 'createdAt'> | null;
  readonly status: Status | null;
}

/** Newest first. */
export async function listJobs(
  db: Db,
  { accountId, environment }: Owner,
  { limit, before, status }: Page,
): Promise<readonly Job[]> {
  const older =
    before === null
      ? sql`true`
      : // A Date would lose the microseconds.
        sql`(j.created_at, j.id) < ((select created_at from job where id = ${before.id}), ${before.id})`;
  const fitting = status === null ? sql`true` : sql`j.status = ${status}`;
  return await allRows<Job>(db)`
    select ${JOB_COLUMNS} from job j
    where j.account_id = ${accountId} and j.environment = ${environment} and ${older} and ${fitting}
    order by j.created_at desc, j.id desc limit ${limit}`;
}

export interface Holdings {
  readonly open: number;
  readonly backlogRows: number;
  readonly bytes: number;
}

/** Locks until the transaction ends, so that the numbers stay true. */
export async function lockHoldings(db: Trx, accountId: string): Promise<Holdings> {
  await sql`select 1 from account where id = ${accountId} for no key update`.execute(db);
  return await oneRow<Holdings>(db)`
    select count(*) filter (where completed_at is null) as open,
      coalesce(sum(total_rows - succeeded - failed) filter (where completed_at is null), 0)::bigint
        as "backlogRows",
      coalesce(sum(input_bytes + output_bytes), 0)::bigint as bytes
    from job where account_id = ${accountId} and rows_deleted_at is null`;
}

export async function readBytes(db: Db): Promise<number> {
  return await firstValue(db, 0)`
    select coalesce(sum(input_bytes + output_bytes), 0)::bigint as bytes
    from job where rows_deleted_at is null`;
}

export type FreshJob = Owner &
  Pick<Job, 'id' | 'keyId' | 'kind' | 'label' | 'columns' | 'srid'> & { readonly at: Date };

export async function insertJob(db: Db, job: FreshJob): Promise<void> {
  await sql`
    insert into job (id, account_id, key_id, environment, kind, status, label, columns, srid,
      created_at, updated_at)
    values (${job.id}, ${job.accountId}, ${job.keyId}, ${job.environment}, ${job.kind}, 'draft',
      ${job.label}, ${JSON.stringify(job.columns)}::jsonb, ${job.srid}, ${job.at}, ${job.at})
  `.execute(db);
}

export interface AppendedTo {
  readonly jobId: string;
  readonly chunk: number;
  readonly row: number;
}

const CHUNKS_PER_STATEMENT = 200;

export async function insertChunks(
  db: Db,
  { jobId, chunk, row }: AppendedTo,
  chunks: readonly ReadChunk[],
): Promise<void> {
  let firstRow = row;
  for (let from = 0; from < chunks.length; from += CHUNKS_PER_STATEMENT) {
    const values = chunks.slice(from, from + CHUNKS_PER_STATEMENT).map(({ input, rows }, i) => {
      const value = sql`(${jobId}, ${chunk + from + i}::integer, ${firstRow}::integer,
        ${rows}::integer, ${input}::bytea)`;
      firstRow += rows;
      return value;
    });
    await sql`insert into job_chunk (job_id, chunk, first_row, rows, input)
      values ${sql.join(values)}`.execute(db);
  }
}

export interface LastChunk {
  readonly chunk: number;
  readonly rows: number;
  readonly input: Buffer;
}

export async function readLastChunk(db: Db, jobId: string): Promise<LastChunk | null> {
  return await firstRow<LastChunk>(db)`
    select chunk, rows, input from job_chunk where job_id = ${jobId}
    order by chunk desc limit 1`;
}

/** null: none, or deleted. */
export async function readFirstChunk(db: Db, jobId: string): Promise<Buffer | null> {
  return await firstValue<Buffer | null>(db, null)`
    select input from job_chunk where job_id = ${jobId} and chunk = 0`;
}

export async function replaceChunk(
  db: Db,
  jobId: string,
  { chunk, rows, input }: LastChunk,
): Promise<void> {
  await sql`update job_chunk set rows = ${rows}, input = ${input}
    where job_id = ${jobId} and chunk = ${chunk}`.execute(db);
}

export interface Grown {
  readonly inputColumns: readonly string[];
  readonly rows: number;
  readonly chunks: number;
  readonly bytes: number;
  readonly at: Date;
}

export async function growJob(db: Db, id: string, grown: Grown): Promise<Job> {
  return await oneRow<Job>(db)`
    update job j set input_columns = ${grown.inputColumns}::text[],
      total_rows = total_rows + ${grown.rows}, chunks = chunks + ${grown.chunks},
      input_bytes = input_bytes + ${grown.bytes}, updated_at = ${grown.at}
    where j.id = ${id} returning ${JOB_COLUMNS}`;
}

export interface Changed {
  readonly status: Status;
  readonly at: Date;
  /** Key to bill from now on; absent: unchanged. */
  readonly keyId?: string;
  readonly columns?: RoleColumns;
  readonly isEnd: boolean;
}

/** Requires a locked job. Clears a pause by the service. */
export async function changeJob(
  db: Trx,
  id: string,
  { status, at, keyId, columns, isEnd }: Changed,
): Promise<Job> {
  const resolved = columns === undefined ? sql`columns` : sql`${JSON.stringify(columns)}::jsonb`;
  return await oneRow<Job>(db)`
    update job j set status = ${status}, key_id = ${keyId ?? sql`key_id`}, columns = ${resolved},
      updated_at = ${at}, error = null,
      completed_at = ${isEnd ? at : null}
    where j.id = ${id} returning ${JOB_COLUMNS}`;
}

export async function deleteJob(db: Db, id: string): Promise<void> {
  await sql`delete from job where id = ${id}`.execute(db);
  await sql`delete from job_request where operation = ${id}`.execute(db);
}
