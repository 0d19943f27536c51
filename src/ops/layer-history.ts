/** A layer's runs and versions. Age counts from `provedAtMs` (D14). */
import { instant } from '../kernel/clock.ts';
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import { allRows, firstValue } from '../db/rows.ts';
import { OPS_LIMITS } from './limits.ts';
import { isRegisterId } from '../layers/keys.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { EndedState } from './freshness.ts';
import { refusalsOf } from './run-log.ts';
import type { RunRecord } from './run-log.ts';

export interface EndedRun extends Pick<
  RunRecord,
  'id' | 'kind' | 'version' | 'liftedGuards' | 'askedBy'
> {
  readonly state: EndedState;
  readonly endedAtMs: number;
  readonly durationMs: number;
  /** null: unverified, or unknown. */
  readonly provedAtMs: number | null;
  /** null: unknown. */
  readonly rowCount: number | null;
  readonly areaM2: number | null;
  /** That refused it. */
  readonly guards: readonly string[];
}

/** The current version, or one that can be reverted to. */
export interface KnownVersion {
  readonly version: number;
  readonly publishedAtMs: number;
}

export type LayerHistory = Awaited<ReturnType<typeof readLayerHistory>>;

/** `runs` are complete from `fromMs`, oldest first; versions are newest first. */
export async function readLayerHistory(
  store: Pick<Store, 'db'>,
  layer: MirrorId,
  { days, nowMs }: { readonly days: number; readonly nowMs: number },
) {
  const sinceMs = nowMs - days * 24 * 3_600_000;
  const limit = OPS_LIMITS.historyRuns;
  const [found, versions, comparable] = await Promise.all([
    readEnded(store, layer, { sinceMs, limit: limit + 1 }),
    readVersions(store, layer),
    readKnownVersions(store, layer),
  ]);
  const runs = found.slice(0, limit).toReversed();
  const [oldest] = runs;
  const fromMs = found.length > limit && oldest !== undefined ? oldest.endedAtMs : sinceMs;
  /** null: none, or unknown. */
  const provedBeforeMs = await readProvedBefore(store, layer, fromMs);
  return { fromMs, toMs: nowMs, provedBeforeMs, runs, versions, comparable };
}

/** Newest first; none for a register. */
export async function readKnownVersions(
  { db }: Pick<Store, 'db'>,
  layer: MirrorId,
): Promise<KnownVersion[]> {
  if (isRegisterId(layer)) return [];
  // A history step undoes its version, so it describes the version before.
  return await allRows<KnownVersion>(db)`
    select k.version, (extract(epoch from k.published_at) * 1000)::float8 as "publishedAtMs"
    from (
      select version, published_at from layer_state where layer = ${layer}
      union all
      select version - 1, published_at from layer_history
      where layer = ${layer} and not is_leaving) k
    order by k.version desc limit ${OPS_LIMITS.historyVersionsShown}`;
}

interface EndedRow extends Omit<EndedRun, 'durationMs' | 'version' | 'guards'> {
  readonly startedAtMs: number;
  readonly version: string | null;
  readonly refusal: unknown;
}

const COLUMNS = sql`id::text as id, kind, state,
  (extract(epoch from started_at) * 1000)::float8 as "startedAtMs",
  (extract(epoch from ended_at) * 1000)::float8 as "endedAtMs",
  (extract(epoch from proved_at) * 1000)::float8 as "provedAtMs", version::text as version,
  row_count as "rowCount", area_m2 as "areaM2", refusal, lifted_guards as "liftedGuards",
  asked_by as "askedBy"`;

/** Newest first. */
async function readEnded(
  { db }: Pick<Store, 'db'>,
  layer: MirrorId,
  { sinceMs, limit }: { readonly sinceMs: number; readonly limit: number },
): Promise<EndedRun[]> {
  const { rows } = await sql<EndedRow>`
    select ${COLUMNS} from sync_run r
    where r.layer = ${layer} and r.ended_at >= ${instant(sinceMs)}::timestamptz
      and r.state <> 'running'
    order by r.ended_at desc, r.id desc limit ${limit}`.execute(db);
  return rows.map(endedRun);
}

async function readVersions({ db }: Pick<Store, 'db'>, layer: MirrorId): Promise<EndedRun[]> {
  const { rows } = await sql<EndedRow>`
    select ${COLUMNS} from sync_run r
    where r.layer = ${layer} and r.state = 'published' and r.ended_at is not null
    order by r.id desc limit ${OPS_LIMITS.historyVersionsShown}`.execute(db);
  return rows.map(endedRun);
}

async function readProvedBefore(
  { db }: Pick<Store, 'db'>,
  layer: MirrorId,
  beforeMs: number,
): Promise<number | null> {
  return await firstValue<number | null>(db, null)`
    select (extract(epoch from proved_at) * 1000)::float8 as proved_ms from sync_run r
    where r.layer = ${layer} and r.ended_at < ${instant(beforeMs)}::timestamptz
      and r.state in ('published', 'unchanged')
    order by r.ended_at desc, r.id desc limit 1`;
}

function endedRun({ startedAtMs, version, refusal, ...row }: EndedRow): EndedRun {
  return {
    ...row,
    durationMs: Math.max(0, Math.round(row.endedAtMs - startedAtMs)),
    version: version === null ? null : Number(version),
    guards: refusalsOf(refusal).map(({ guard }) => guard),
  };
}
