/**
 * The statements of the engine: a chunk is claimed with a lease, kept by saying so, and ended in one
 * transaction that writes its answers, the job's counters and the bill. Locks are taken in one order
 * everywhere: the job, the month and its grants, the chunk.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { monthlyCeiling } from '../account/plans.ts';
import type { Environment, Plans, Tier } from '../account/plans.ts';
import type { Store } from '../db/connect.ts';
import type { Database } from '../db/tables.generated.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Month } from '../metering/calendar.ts';
import { countUnits, giveUnitsBack, setUnitsAside } from '../metering/store-chunks.ts';
import { csvEnd } from './files/part.ts';
import type { ChunkLengths, ChunkPart, SectionBytes } from './chunk-terms.ts';
import type { Kind, RoleColumns, Srid } from './terms.ts';

type Db = Pick<Store, 'db' | 'kind'>;
type Trx = Transaction<Database>;

/** A chunk that belongs to this process until its lease ends. */
export interface Claim {
  readonly jobId: string;
  readonly chunk: number;
  /** Names this claim, and no other of anybody's. */
  readonly token: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly environment: Environment;
  readonly kind: Kind;
  readonly columns: RoleColumns;
  readonly srid: Srid;
  readonly inputColumns: readonly string[];
  readonly input: Buffer;
  /** From 0. */
  readonly firstRow: number;
  readonly rows: number;
  /** What parts of it hold already. */
  readonly before: ChunkLengths | null;
  readonly attempts: number;
  /** Units set aside, in this month, of as many as it has. */
  readonly units: number;
  readonly ceiling: number;
  readonly month: Month;
  /** What the job began with; null: not known yet. */
  readonly generation: number | null;
}

/** Why a job cannot go on: its account's month is used up; `others` may give units back. */
export interface NoUnits {
  readonly jobId: string;
  readonly others: number;
  readonly ceiling: number;
}

export interface ClaimQuestion {
  readonly token: string;
  readonly leaseMs: number;
  readonly month: Month;
  readonly plans: Plans;
  /** Generations of data this process has; null: it has none in memory, and any is as good. */
  readonly generations: readonly number[] | null;
  /** What a job of this kind begins with here; null: known when its first chunk is answered. */
  readonly newest: (kind: Kind) => number | null;
  /** Jobs not to be claimed now. */
  readonly resting: readonly string[];
  /** The job to claim from, found a moment ago to be the only one with work; null: look for one. */
  readonly only?: string | null;
}

/** What a claim came to; `only`: the job it was of, when no other has work. */
export interface Claiming {
  readonly found: Claim | NoUnits | null;
  readonly only: string | null;
}

interface JobRow {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly environment: Environment;
  readonly kind: Kind;
  readonly columns: RoleColumns;
  readonly srid: Srid;
  readonly input_columns: string[];
  readonly generation: number | null;
  readonly tier: Tier;
  readonly cap_units: number | null;
}

interface ChunkRow {
  readonly chunk: number;
  readonly first_row: number;
  readonly rows: number;
  readonly input: Buffer;
  readonly lengths: ChunkLengths | null;
  readonly attempts: number;
}

/**
 * The first chunk of a job that nobody works on, or whose worker fell silent; null: none. Two questions,
 * each with an index of its own: as one it would pass by every chunk that is done.
 */
const claimable = (jobId: RawBuilder<unknown>): RawBuilder<unknown> => sql`least(
  (select w.chunk from job_chunk w where w.job_id = ${jobId} and w.state = 'waiting'
    order by w.chunk limit 1),
  (select min(l.chunk) from job_chunk l where l.job_id = ${jobId} and l.state = 'leased'
    and l.lease_until < now()))`;

/**
 * The next chunk of the account with the fewest under way, of its job that has waited longest; null:
 * there is nothing to do. A closed account is not worked for, and not billed.
 */
export async function claimChunk(store: Db, question: ClaimQuestion): Promise<Claiming> {
  const { only = null } = question;
  const again = only === null ? null : await claimFrom(store, only, question);
  if (again !== null) return { found: again, only };
  const [candidate = null, ...others] = await nextJobs(store, question);
  if (candidate === null) return { found: null, only: null };
  const found = await claimFrom(store, candidate, question);
  return { found, only: found === null || others.length > 0 ? null : candidate };
}

async function claimFrom(
  store: Db,
  candidate: string,
  question: ClaimQuestion,
): Promise<Claim | NoUnits | null> {
  return await store.db.transaction().execute(async (trx) => {
    // Losing a claim loses no answer: it need not be on disk.
    if (store.kind === 'postgres') await sql`set local synchronous_commit = off`.execute(trx);
    const { rows } = await sql<JobRow>`
      select j.id, j.account_id, j.key_id, j.environment, j.kind, j.columns, j.srid,
        j.input_columns, j.generation, a.tier, a.cap_units
      from job j join account a on a.id = j.account_id
      where j.id = ${candidate} and j.status in ('queued', 'running')
      for update of j`.execute(trx);
    const [job] = rows;
    return job === undefined ? null : await claimOf(trx, job, question);
  });
}

/** The job whose turn it is, and the one after it if there is one. */
async function nextJobs(store: Db, { generations, resting }: ClaimQuestion): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select j.id
    from job j join account a on a.id = j.account_id and a.closed_at is null
    left join lateral (
      select count(*) as chunks from job o join job_chunk c on c.job_id = o.id
      where o.account_id = j.account_id and o.status = 'running'
        and c.state = 'leased' and c.lease_until >= now()
    ) busy on true
    where j.status in ('queued', 'running') and j.completed_at is null
      and j.id <> all (${resting}::text[])
      and (j.generation is null or ${generations === null}
        or j.generation = any (${generations ?? []}::bigint[])
        or j.updated_at < now() - ${LIMITS.jobs.generationWaitMs} * interval '1 ms')
      and ${claimable(sql.ref('j.id'))} is not null
    order by busy.chunks, j.updated_at, j.id
    limit 2`.execute(store.db);
  return rows.map(({ id }) => id);
}

async function claimOf(
  trx: Trx,
  job: JobRow,
  question: ClaimQuestion,
): Promise<Claim | NoUnits | null> {
  const { token, leaseMs, month, plans } = question;
  const { rows: waiting } = await sql<ChunkRow>`
    select c.chunk, c.first_row, c.rows, c.input, c.lengths, c.attempts
    from job_chunk c
    where c.job_id = ${job.id} and c.chunk = ${claimable(sql`${job.id}`)}`.execute(trx);
  const [chunk] = waiting;
  if (chunk === undefined) return null;
  const { id: jobId, account_id: accountId, environment, tier, cap_units: capUnits } = job;
  const ceiling = monthlyCeiling(plans[tier], { environment, capUnits });
  const wanted = chunk.rows - (chunk.lengths?.rows ?? 0);
  const holder = holderOf(jobId, chunk.chunk);
  const key = { accountId, environment, month: month.firstDay };
  const { units, others } = await setUnitsAside(trx, { ...key, holder, wanted, ceiling });
  // Rows of a register that answers nobody yet cost nothing.
  if (units === 0 && job.kind !== 'bbr') return { jobId, others, ceiling };
  await sql`
    update job_chunk set state = 'leased', lease_owner = ${token}, attempts = attempts + 1,
      lease_until = now() + ${leaseMs} * interval '1 ms'
    where job_id = ${jobId} and chunk = ${chunk.chunk}`.execute(trx);
  const generation = job.generation ?? question.newest(job.kind);
  await sql`
    update job set status = 'running', started_at = coalesce(started_at, now()), updated_at = now(),
      generation = ${generation}::bigint
    where id = ${jobId}`.execute(trx);
  return {
    jobId,
    chunk: chunk.chunk,
    token,
    accountId,
    keyId: job.key_id,
    environment,
    kind: job.kind,
    columns: job.columns,
    srid: job.srid,
    inputColumns: job.input_columns,
    input: chunk.input,
    firstRow: chunk.first_row,
    rows: chunk.rows,
    before: chunk.lengths,
    attempts: chunk.attempts,
    units,
    ceiling,
    month,
    generation,
  };
}

/** Under this name its units are set aside. */
function holderOf(jobId: string, chunk: number): string {
  return `${jobId}-${chunk}`;
}

/** Says that they are still worked on; the tokens of those that are somebody else's now. */
export async function renewLeases(
  store: Db,
  tokens: readonly string[],
  leaseMs: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ token: string }>`
    update job_chunk set lease_until = now() + ${leaseMs} * interval '1 ms'
    where state = 'leased' and lease_owner = any (${tokens}::text[])
    returning lease_owner as token`.execute(store.db);
  const kept = new Set(rows.map(({ token }) => token));
  return new Set(tokens.filter((token) => !kept.has(token)));
}

export interface Ending {
  readonly claim: Claim;
  readonly part: ChunkPart;
  readonly generation: number | null;
  readonly atMs: number;
  /** Of `atMs`, in Europe/Copenhagen. */
  readonly day: string;
  readonly plans: Plans;
}

/**
 * Writes what was found, once: `lost` when the chunk is somebody else's, or written already; `dropped`
 * when the job has ended meanwhile.
 */
export async function endChunk(store: Db, ending: Ending): Promise<'written' | 'lost' | 'dropped'> {
  const { claim } = ending;
  return await store.db
    .transaction()
    .execute(async (trx) => {
      const { rows } = await sql<{ status: string }>`
      select status from job where id = ${claim.jobId} for update`.execute(trx);
      const status = rows[0]?.status;
      // Paused or not: what was begun is ended (D70, at chunk borders).
      if (status !== 'running' && status !== 'paused') {
        await dropClaim(trx, claim);
        return 'dropped';
      }
      await countChunk(trx, ending);
      if (!(await writePart(trx, ending))) throw new Lost();
      await countRows(trx, ending);
      return 'written' as const;
    })
    .catch((error: unknown) => {
      if (error instanceof Lost) return 'lost' as const;
      throw error;
    });
}

/** Rolls the transaction back. */
class Lost extends Error {}

async function countChunk(
  trx: Trx,
  { claim, part, generation, atMs, day, plans }: Ending,
): Promise<void> {
  const { jobId, chunk, accountId, keyId, environment, month, before } = claim;
  await countUnits(trx, {
    accountId,
    environment,
    month: month.firstDay,
    holder: holderOf(jobId, chunk),
    keyId,
    operation: `jobs:${claim.kind}`,
    units: part.succeeded,
    atMs,
    day,
    generation,
    journal: jobId,
    seq: claim.firstRow + (before?.rows ?? 0),
    requestId: `${jobId}-${chunk}`,
    allowances: Object.entries(plans).map(([tier, plan]) => [
      tier as Tier,
      plan.unitsPerMonth.live,
    ]),
  });
}

/** False: the chunk is not this claim's any more. */
async function writePart(trx: Trx, { claim, part }: Ending): Promise<boolean> {
  const lengths = sumOf(claim.before, part);
  const isDone = lengths.rows === claim.rows;
  // Put behind what is there only where something is: to join costs the database a copy of both.
  const filed = (column: 'output' | 'errors', bytes: Uint8Array<ArrayBuffer>) =>
    claim.before === null
      ? sql`${Buffer.from(bytes.buffer)}::bytea`
      : sql`${sql.ref(column)} || ${Buffer.from(bytes.buffer)}::bytea`;
  const { numAffectedRows } = await sql`
    update job_chunk set state = ${isDone ? 'done' : 'waiting'}, lease_owner = null,
      lease_until = null, attempts = 0, lengths = ${JSON.stringify(lengths)}::jsonb,
      output = ${filed('output', part.results)}, errors = ${filed('errors', part.errors)},
      succeeded = ${isDone ? lengths.succeeded : null}::integer,
      failed = ${isDone ? lengths.failed : null}::integer
    where job_id = ${claim.jobId} and chunk = ${claim.chunk}
      and state = 'leased' and lease_owner = ${claim.token}`.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}

function sumOf(before: ChunkLengths | null, part: ChunkPart): ChunkLengths {
  const { rows, succeeded, failed, resultBytes: results, errorBytes: errors } = part;
  if (before === null) {
    const csvUntil = { results: csvEnd(part.results), errors: csvEnd(part.errors) };
    return { rows, succeeded, failed, results, errors, csvUntil };
  }
  return {
    rows: before.rows + rows,
    succeeded: before.succeeded + succeeded,
    failed: before.failed + failed,
    results: sumOfBytes(before.results, results),
    errors: sumOfBytes(before.errors, errors),
    csvUntil: null,
  };
}

function sumOfBytes(a: SectionBytes, b: SectionBytes): SectionBytes {
  return { csv: a.csv + b.csv, lines: a.lines + b.lines, places: a.places + b.places };
}

async function countRows(trx: Trx, { claim, part, generation }: Ending): Promise<void> {
  const { succeeded, failed } = part;
  const billed = claim.environment === 'live' ? succeeded : 0;
  const bytes = part.results.length + part.errors.length;
  await sql`
    update job set succeeded = succeeded + ${succeeded}, failed = failed + ${failed},
      billed_units = billed_units + ${billed}, output_bytes = output_bytes + ${bytes},
      generation = greatest(generation, ${generation}::bigint), error = null, updated_at = now(),
      status = case when status = 'running'
          and succeeded + failed + ${part.rows} = total_rows then 'completed' else status end,
      completed_at = case when status = 'running'
          and succeeded + failed + ${part.rows} = total_rows then now() end
    where id = ${claim.jobId}`.execute(trx);
}

/** What could not be worked on goes back; `failures` counts against it. */
export async function releaseChunk(
  store: Db,
  claim: Claim,
  { isFailure }: { readonly isFailure: boolean },
): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    await sql`select from job where id = ${claim.jobId} for update`.execute(trx);
    await dropClaim(trx, claim, isFailure ? FAILURE_COUNTS : -1);
  });
}

/** A reported failure counts as so many silent deaths of a worker, of which it has one already. */
const FAILURE_COUNTS = Math.ceil(LIMITS.jobs.chunkCrashes / LIMITS.jobs.chunkFailures) - 1;

async function dropClaim(trx: Trx, claim: Claim, attempts = 0): Promise<void> {
  const { numAffectedRows } = await sql`
    update job_chunk set state = 'waiting', lease_owner = null, lease_until = null,
      attempts = attempts + ${attempts}
    where job_id = ${claim.jobId} and chunk = ${claim.chunk}
      and state = 'leased' and lease_owner = ${claim.token}`.execute(trx);
  // Otherwise they are set aside for who has the chunk now.
  if ((numAffectedRows ?? 0n) > 0n) await giveUnitsBack(trx, holderOf(claim.jobId, claim.chunk));
}

/** The job itself cannot go on (D70): what was answered stays. */
export async function failJob(store: Db, jobId: string, error: string): Promise<void> {
  await sql`
    update job set status = 'failed', error = ${error}, completed_at = now(), updated_at = now()
    where id = ${jobId} and status in ('queued', 'running', 'paused')`.execute(store.db);
}

/** By the service, not by its owner: `error` says why and what to do. */
export async function pauseJob(store: Db, jobId: string, error: string): Promise<void> {
  await sql`
    update job set status = 'paused', error = ${error}, started_at = coalesce(started_at, now()),
      updated_at = now()
    where id = ${jobId} and status in ('queued', 'running')`.execute(store.db);
}
