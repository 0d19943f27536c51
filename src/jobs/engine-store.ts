/** A chunk ends in one transaction with answers, counters and bill. */
import { sql } from 'kysely';
import { liveAllowances, monthlyCeiling } from '../account/plans.ts';
import type { Plans } from '../account/plans.ts';
import type { Store } from '../db/connect.ts';
import { allRows, firstRow, firstValue } from '../db/rows.ts';
import { JOB_LIMITS } from './limits.ts';
import type { Month } from '../metering/calendar.ts';
import { csvEnd } from './files/chunk-output.ts';
import type { ChunkLengths, ChunkOutput, SectionBytes } from '../core/rows/chunk-types.ts';
import { statusesBefore } from './state.ts';
import { unitsOfRow } from '../core/rows/job-types.ts';
import type { Job } from '../core/rows/job-types.ts';
import { NAMES_ADDRESS } from '../core/rows/row-reader.ts';
import type { Principal } from '../account/principal.ts';

/** A chunk owned by this process until its lease ends. */
export interface Claim extends Pick<
  Job,
  | ('accountId' | 'keyId' | 'environment' | 'kind' | 'columns')
  | ('srid' | 'inputColumns' | 'generation')
> {
  readonly jobId: string;
  readonly chunk: number;
  readonly token: string;
  readonly input: Buffer;
  readonly firstRow: number;
  readonly rows: number;
  readonly before: ChunkLengths | null;
  readonly attempts: number;
  readonly unitsEach: number;
  /** Units reserved. */
  readonly mostAnswers: number;
  readonly ceiling: number;
  readonly month: Month;
}

/** `others`: other claims may return units. */
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
  /** null: none in memory, so any will do. */
  readonly generations: readonly number[] | null;
  /** null: known after its first chunk. */
  readonly newest: (job: Candidate) => number | null;
  readonly resting: readonly string[];
  /** Jobs whose rows name addresses are not claimed. */
  readonly lacksAddresses: boolean;
  /** The only job recently found with work; null: search. */
  readonly only?: Candidate | null;
}

export type Candidate = Pick<Job, 'id' | 'accountId' | 'environment' | 'kind' | 'columns'> &
  Pick<Principal, 'tier' | 'capUnits'>;

type InRow = 'keyId' | 'inputColumns' | 'generation' | 'firstRow' | 'rows' | 'input' | 'before';

interface ClaimRow extends Pick<Claim, InRow | 'columns' | 'srid' | 'attempts'> {
  /** null: no unit is left. */
  readonly chunk: number | null;
  readonly units: number;
  readonly others: number;
}

/**
 * Takes the account with the fewest in progress, its longest waiting job first; null: none. Closed
 * accounts get none.
 */
export async function claimChunk(store: Pick<Store, 'db'>, question: ClaimQuestion) {
  const { only = null } = question;
  const again = only === null ? null : await claimFrom(store, only, question);
  if (again !== null) return { found: again, only };
  const [candidate = null, ...others] = await nextJobs(store, question);
  if (candidate === null) return { found: null, only: null };
  const found = await claimFrom(store, candidate, question);
  return { found, only: found === null || others.length > 0 ? null : candidate };
}

async function nextJobs(
  store: Pick<Store, 'db'>,
  { generations, resting, lacksAddresses }: ClaimQuestion,
): Promise<Candidate[]> {
  return await allRows<Candidate>(store.db)`
    select j.id, j.account_id as "accountId", j.environment, j.kind, j.columns, a.tier,
      a.cap_units as "capUnits"
    from job j join account a on a.id = j.account_id and a.closed_at is null
    left join lateral (
      select count(*) as chunks from job o join job_chunk c on c.job_id = o.id
      where o.account_id = j.account_id and o.status = 'running'
        and c.state = 'leased' and c.lease_until >= now()
    ) busy on true
    where j.status in ('queued', 'running') and j.completed_at is null
      and j.id <> all (${resting}::text[])
      and not (${lacksAddresses} and j.columns ?| ${NAMES_ADDRESS}::text[])
      and (j.generation is null or ${generations === null}
        or j.generation = any (${generations ?? []}::bigint[])
        or j.updated_at < now() - ${JOB_LIMITS.generationWaitMs} * interval '1 ms')
      and (
        exists (select from job_chunk w where w.job_id = j.id and w.state = 'waiting')
        or exists (select from job_chunk l where l.job_id = j.id and l.state = 'leased'
          and l.lease_until < now()))
    order by busy.chunks, j.updated_at, j.id
    limit 2`;
}

/** null: no chunk is left, or the job has changed. */
async function claimFrom(
  store: Pick<Store, 'db'>,
  candidate: Candidate,
  question: ClaimQuestion,
): Promise<Claim | NoUnits | null> {
  const { id: jobId, accountId, environment, kind, tier, capUnits } = candidate;
  const { token, leaseMs, month, plans } = question;
  const unitsEach = unitsOfRow(candidate);
  const ceiling = monthlyCeiling(plans[tier], { environment, capUnits });
  const row = await firstRow<ClaimRow>(store.db)`
    select key_id as "keyId", columns, srid, input_columns as "inputColumns", generation, chunk,
      first_row as "firstRow", row_count as rows, input, lengths as before, attempts, units, others
    from claim_priced_chunk(${jobId}, ${token}, ${leaseMs}, ${month.firstDay}::date,
      ${ceiling}, ${tier}, ${capUnits}, ${question.newest(candidate)}, ${unitsEach})`;
  if (row === null) return null;
  const { chunk, units, others, ...found } = row;
  if (chunk === null) return { jobId, others, ceiling };
  const of = { jobId, chunk, token, accountId, environment, kind, ceiling, month };
  return { ...found, ...of, unitsEach, mostAnswers: units / unitsEach };
}

/** Returns the tokens of leases lost to others. */
export async function renewLeases(
  store: Pick<Store, 'db'>,
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
  readonly output: ChunkOutput;
  readonly generation: number | null;
  readonly atMs: number;
  /** Of `atMs`, in Europe/Copenhagen. */
  readonly day: string;
  readonly plans: Plans;
}

/** `lost`: reclaimed or written; `dropped`: the job ended, or its key was revoked. */
export async function endChunk(
  store: Pick<Store, 'db'>,
  ending: Ending,
): Promise<'written' | 'lost' | 'dropped'> {
  const { claim, output, generation, atMs, day, plans } = ending;
  const { jobId, chunk, before, kind, month } = claim;
  const lengths = sumOf(before, output);
  const { tiers, units } = liveAllowances(plans);
  try {
    return await firstValue<'written' | 'dropped'>(store.db, 'dropped')`
      select end_priced_chunk(${jobId}, ${chunk}, ${claim.token}, ${lengths.rows === claim.rows},
        ${output.rows}, ${output.succeeded}, ${output.failed}, ${Buffer.from(output.results.buffer)}::bytea,
        ${Buffer.from(output.errors.buffer)}::bytea, ${JSON.stringify(lengths)}::jsonb,
        ${before !== null}, ${generation}, ${claim.accountId}, ${claim.keyId},
        ${claim.environment}, ${`jobs:${kind}`}, ${month.firstDay}::date, ${day}::date,
        ${new Date(atMs).toISOString()}::timestamptz, ${claim.firstRow + (before?.rows ?? 0)},
        ${tiers}::text[], ${units}::bigint[], ${claim.unitsEach}) as outcome`;
  } catch (error) {
    if ((error as { code?: string }).code === LOST) return 'lost';
    throw error;
  }
}

/** The error of `end_priced_chunk`, which then writes nothing. */
const LOST = 'GL001';

function sumOf(before: ChunkLengths | null, output: ChunkOutput): ChunkLengths {
  const { rows, succeeded, failed, resultBytes: results, errorBytes: errors } = output;
  if (before === null) {
    const csvUntil = { results: csvEnd(output.results), errors: csvEnd(output.errors) };
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

/** Returns an unfinished chunk; `failures` counts against it. */
export async function releaseChunk(
  store: Pick<Store, 'db'>,
  { jobId, chunk, token }: Claim,
  { isFailure }: { readonly isFailure: boolean },
): Promise<void> {
  const moreAttempts = isFailure ? FAILURE_COUNTS : -1;
  await sql`select drop_job_chunk(${jobId}, ${chunk}, ${token}, ${moreAttempts})`.execute(store.db);
}

/** A reported failure counts like this many silent worker deaths, minus the one already counted. */
const FAILURE_COUNTS = Math.ceil(JOB_LIMITS.chunkCrashes / JOB_LIMITS.chunkFailures) - 1;

/** The job cannot continue (D70); its answers stay. */
export async function failJob(
  store: Pick<Store, 'db'>,
  jobId: string,
  error: string,
): Promise<void> {
  await sql`
    update job set status = 'failed', error = ${error}, completed_at = now(), updated_at = now()
    where id = ${jobId} and status in ('queued', 'running', 'paused')`.execute(store.db);
}

/** The next written chunk clears it. */
export async function noteTrouble(
  store: Pick<Store, 'db'>,
  jobId: string,
  error: string,
): Promise<void> {
  await sql`
    update job set error = ${error} where id = ${jobId} and status = 'running'`.execute(store.db);
}

/** A pause by the service: `error` says why and what to do. */
export async function pauseJob(
  store: Pick<Store, 'db'>,
  jobId: string,
  error: string,
): Promise<void> {
  await sql`
    update job set status = 'paused', error = ${error}, started_at = coalesce(started_at, now()),
      updated_at = now()
    where id = ${jobId} and status = any (${[...statusesBefore('hold')]}::text[])`.execute(
    store.db,
  );
}
