import { instant } from '../../../src/kernel/clock.ts';
import { sql } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import { ROW_TIMES } from '../../../src/downloads/read-table.ts';
import { madeAtMs } from '../../../src/downloads/listing.ts';
import type { TableRegister } from '../../../src/layers/register.ts';
import { dataLimitS } from '../../../src/layers/source.ts';
import type { RegisterSchema } from '../../../src/layers/register-tables.ts';
import type { KnownSource, KnownSources, StagedTable, TablePlan } from './table-run.ts';

export async function readSources(
  db: Store['db'],
  { beside }: RegisterSchema,
): Promise<KnownSources> {
  const { rows } = await sql<KnownSource & { readonly entity: string }>`
    select entity, version, total_generation::float8 as "totalGeneration", total_md5 as "totalMd5",
      generation::float8 as generation, columns,
      coalesce(without_times, '[]'::jsonb) as "withoutTimes",
      (extract(epoch from made_at) * 1000)::float8 as "madeAtMs",
      (extract(epoch from next_change_at) * 1000)::float8 as "nextChangeMs"
    from ${sql.table(beside.sources)}`.execute(db);
  return new Map(rows.map(({ entity, ...known }) => [entity, known]));
}

/**
 * When the oldest of the files was made, and from when the copy is outdated (D130). Call after the
 * sources and the state, in their transaction.
 */
export async function noteOutdated(
  trx: Store['db'],
  { id, freshness, schema: { beside }, tables }: TableRegister,
): Promise<void> {
  const mirrored = Object.keys(tables).filter((entity) => tables[entity]?.source !== null);
  const late = sql`made + make_interval(secs => ${dataLimitS(freshness)}::float8)`;
  await sql`
    update layer_state set made_at = made, data_late_at = ${late}, outdated_at = least(next, ${late})
    from (
      select min(next_change_at) as next,
        min(made_at) filter (where entity = any(${mirrored}::text[])) as made
      from ${sql.table(beside.sources)}) times
    where layer = ${id}`.execute(trx);
}

/** Part of the publishing or confirming transaction. */
export async function writeSource(
  trx: Store['db'],
  { beside }: RegisterSchema,
  {
    entity,
    known,
    nowMs,
  }: { readonly entity: string; readonly known: KnownSource; readonly nowMs: number },
): Promise<void> {
  const { nextChangeMs: next, madeAtMs: made = null } = known;
  await sql`
    insert into ${sql.table(beside.sources)}
      (entity, version, total_generation, total_md5, generation, made_at, next_change_at, columns,
       without_times, kept_from)
    values (${entity}, ${known.version}, ${known.totalGeneration}, ${known.totalMd5},
      ${known.generation}, ${instant(made)}::timestamptz,
      ${instant(next)}::timestamptz,
      ${JSON.stringify(known.columns)}::jsonb, ${JSON.stringify(known.withoutTimes ?? [])}::jsonb,
      ${instant(nowMs)}::timestamptz)
    on conflict (entity) do update set version = excluded.version,
      total_generation = excluded.total_generation, total_md5 = excluded.total_md5,
      generation = excluded.generation, made_at = excluded.made_at, next_change_at = excluded.next_change_at,
      columns = excluded.columns, without_times = excluded.without_times`.execute(trx);
}

export function knownAfter(
  plan: TablePlan,
  { total, delta }: { readonly total: StagedTable | null; readonly delta: StagedTable | null },
): KnownSource {
  const { known } = plan;
  const nexts = [
    total === null ? (known?.nextChangeMs ?? null) : total.read.nextChangeMs,
    delta?.read.nextChangeMs ?? null,
  ].filter((each) => each !== null);
  const base =
    total === null || plan.total === null
      ? known
      : {
          version: plan.total.version,
          totalGeneration: plan.total.generation,
          totalMd5: total.read.md5 ?? '',
          generation: plan.total.generation,
          madeAtMs: madeAtMs(plan.total),
          columns: total.read.columns,
          withoutTimes: total.read.missing.filter((name) => ROW_TIMES.includes(name)),
        };
  if (base === null) throw new Error(`Nothing is known of ${plan.entity}.`);
  return {
    ...base,
    // Repeated deltas do not lower the generation.
    generation: Math.max(base.generation, plan.deltas.at(-1)?.generation ?? 0),
    madeAtMs: latest([base.madeAtMs ?? null, ...plan.deltas.map(madeAtMs)]),
    nextChangeMs: nexts.length === 0 ? null : Math.min(...nexts),
  };
}

function latest(times: readonly (number | null)[]): number | null {
  const known = times.filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.max(...known);
}
