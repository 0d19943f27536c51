/** The health of each layer's copy (D14). Renderers translate the words. */
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import { allMirrored } from '../layers/catalogue.ts';
import type { Catalogue, Mirrored } from '../layers/catalogue.ts';
import type { MirrorId } from '../layers/keys.ts';
import { copyAgeS, isAhead, isOutdated } from '../layers/published-copy.ts';
import { dataLimitS } from '../layers/source.ts';
import type { Freshness } from '../layers/source.ts';

/**
 * fresh: within its limit, and the last run succeeded. failed: the last run failed or was refused;
 * the copy answers until its hard limit. missing: never mirrored, and nothing failed yet.
 */
export type LayerHealth = 'fresh' | 'delayed' | 'failed' | 'missing';

export interface LayerState {
  readonly version: number;
  readonly generation: number;
  /** Start of the last run that verified the copy. */
  readonly syncedAtMs: number;
  readonly publishedAtMs: number;
  readonly rowCount: number;
  readonly areaM2: number;
  /** Unreadable features (D143); absent: unknown. */
  readonly unread?: number;
  /** Reverted: only a person's request syncs it. */
  readonly hold: Hold | null;
  /** By its rows or an announcement (D130). */
  readonly outdatedAtMs: number | null;
  /** When the register made it. */
  readonly madeAtMs?: number | null;
}

export interface Hold {
  readonly sinceMs: number;
  readonly by: string;
}

export type EndedState = 'published' | 'unchanged' | 'refused' | 'failed';

export interface LastRun {
  readonly state: EndedState;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/**
 * A failed last run shows at once, while an operator can act. An outdated copy is delayed, whatever
 * its runs say (D130).
 */
export function layerHealth(options: {
  readonly state: LayerState | null;
  readonly lastRun: LastRun | null;
  readonly freshness: Freshness;
  readonly nowMs: number;
}): LayerHealth {
  const { state, lastRun, freshness, nowMs } = options;
  if (state !== null && (isOutdated(state, nowMs) || isAhead(state, nowMs))) return 'delayed';
  if (lastRun?.state === 'failed' || lastRun?.state === 'refused') return 'failed';
  if (state === null) return 'missing';
  return copyAgeS(state, nowMs) > freshness.limitS ? 'delayed' : 'fresh';
}

/** null: the register does not say (D176). */
export interface DataAge {
  readonly madeAt: string | null;
  readonly ageS: number | null;
  readonly limitS: number;
}

export function dataAge(state: LayerState | null, freshness: Freshness, nowMs: number): DataAge {
  const { madeAtMs = null } = state ?? {};
  const ageS = madeAtMs === null ? null : copyAgeS({ syncedAtMs: madeAtMs }, nowMs);
  return { madeAt: isoOf(madeAtMs), ageS, limitS: dataLimitS(freshness) };
}

export type LayerStatus = ReturnType<typeof layerStatus>;

/** What answers without the database, and what does not. Both empty: memory is off (D177). */
export interface HeldInMemory {
  readonly held: readonly MirrorId[];
  readonly missing: readonly MirrorId[];
}

export interface ServiceStatus {
  readonly memory?: HeldInMemory;
  /** Age of the report in seconds; absent or null: current. */
  readonly knownForS?: number | null;
  /** Store-wide (D19); 0 before the first publication. */
  readonly generation: number;
  readonly layers: readonly LayerStatus[];
}

/** In one statement. */
export async function readStatus(
  store: Pick<Store, 'db'>,
  catalogue: Catalogue,
  nowMs: number,
): Promise<ServiceStatus> {
  return statusOf(await readLayerFacts(store), catalogue, nowMs);
}

export function statusOf(
  { generation, layers }: StoreFacts,
  catalogue: Catalogue,
  nowMs: number,
): ServiceStatus {
  return {
    generation,
    layers: allMirrored(catalogue).map((layer) =>
      layerStatus(layer, layers.get(layer.id) ?? NOTHING, nowMs),
    ),
  };
}

function layerStatus(layer: Mirrored, { state, lastRun }: LayerFacts, nowMs: number) {
  const { id, register, freshness } = layer;
  return {
    layer: id,
    register,
    /** ISO 8601 UTC; null: never mirrored. */
    syncedAt: isoOf(state?.syncedAtMs),
    ageS: state === null ? null : copyAgeS(state, nowMs),
    limitS: freshness.limitS,
    data: dataAge(state, freshness, nowMs),
    state: layerHealth({ state, lastRun, freshness, nowMs }),
    rowCount: state?.rowCount ?? null,
    version: state?.version ?? null,
    /** ISO 8601 UTC; null: not held. See LayerState. */
    heldSince: isoOf(state?.hold?.sinceMs),
  };
}

function isoOf(ms: number | null | undefined): string | null {
  return ms === undefined || ms === null ? null : new Date(ms).toISOString();
}

export interface LayerFacts {
  readonly state: LayerState | null;
  readonly lastRun: LastRun | null;
}

const NOTHING: LayerFacts = { state: null, lastRun: null };

export interface StoreFacts {
  readonly generation: number;
  readonly layers: ReadonlyMap<string, LayerFacts>;
}

export interface CopiesInMemory {
  readonly generation: number;
  readonly layers: ReadonlyMap<string, LayerState>;
}

/** Memory is checked every second. */
export function factsWithMemory(known: StoreFacts | null, memory: CopiesInMemory): StoreFacts {
  const layers = new Map(known?.layers);
  for (const [layer, state] of memory.layers) {
    const before = layers.get(layer) ?? NOTHING;
    if (before.state !== null && before.state.version > state.version) continue;
    const { version, syncedAtMs, outdatedAtMs } = state;
    // A run that verifies the same version may have found a future change.
    const same =
      before.state?.version === version ? { ...before.state, syncedAtMs, outdatedAtMs } : null;
    layers.set(layer, { ...before, state: same ?? state });
  }
  return { generation: Math.max(known?.generation ?? 0, memory.generation), layers };
}

interface FactRow extends LayerFacts {
  readonly generation: number;
  readonly layer: string | null;
}

/** Milliseconds UTC. */
const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

const STATE = sql`case when s.layer is not null then jsonb_build_object(
  'version', s.version, 'generation', s.generation,
  'syncedAtMs', ${ms('s.synced_at')}, 'publishedAtMs', ${ms('s.published_at')},
  'rowCount', s.row_count, 'areaM2', s.area_m2,
  'unread', coalesce(jsonb_array_length(s.unread), 0),
  'hold', case when s.held_since is not null then
    jsonb_build_object('sinceMs', ${ms('s.held_since')}, 'by', s.held_by) end,
  'outdatedAtMs', ${ms('s.outdated_at')}, 'madeAtMs', ${ms('s.made_at')}) end`;

const LAST_RUN = sql`case when r.layer is not null then jsonb_build_object(
  'state', r.state, 'startedAtMs', ${ms('r.started_at')}, 'endedAtMs', ${ms('r.ended_at')}) end`;

export async function readLayerFacts(store: Pick<Store, 'db'>): Promise<StoreFacts> {
  const { rows } = await sql<FactRow>`
    with last_run as (
      select distinct on (layer) layer, state, started_at, ended_at
      from sync_run
      where state <> 'running' and ended_at is not null
      order by layer, id desc
    )
    select g.generation, f.*
    from store_state g
    left join (
      select layer, ${STATE} as state, ${LAST_RUN} as "lastRun"
      from layer_state s full join last_run r using (layer)
    ) f on true`.execute(store.db);
  return {
    generation: rows[0]?.generation ?? 0,
    layers: new Map(
      rows.flatMap(({ layer, state, lastRun }) =>
        layer === null ? [] : [[layer, { state, lastRun }]],
      ),
    ),
  };
}
