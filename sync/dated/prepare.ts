/** Computed in advance and keyed by content. */
import { sql } from 'kysely';
import { firstValue } from '../../src/db/rows.ts';
import type { Db, Store } from '../../src/db/connect.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { isServerUnavailable } from '../../src/kernel/server-unavailable.ts';
import { allLayers, layerOf } from '../../src/layers/catalogue.ts';
import type { AreaLayer } from '../../src/layers/catalogue.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import type { AreaId, LayerId } from '../../src/layers/keys.ts';
import type { AheadVersion } from '../../src/core/register-layers.ts';
import { noCounts } from '../deps.ts';
import type { Run, SyncDeps } from '../deps.ts';
import { replaceRows } from '../mirrors/features/apply.ts';
import { diff, isUnchanged, readLastGood } from '../mirrors/features/diff.ts';
import { judge } from '../mirrors/features/judge.ts';
import { countStage } from '../mirrors/features/stage.ts';
import { aheadOf, layersOf } from '../mirrors/layers-of.ts';
import { readRemembered, replaceRemembered } from './canary-memo.ts';
import type { Remembered } from './canary-memo.ts';
import { cameAll, nextRun, stageDue } from './carry-out.ts';
import { withDatedGuards } from './guards.ts';
import { instantText } from './stage.ts';
import { takenBack } from './taken-back.ts';

type Deps = Pick<SyncDeps, 'store' | 'catalogue' | 'clock' | 'log'>;

/** Drops results for other content or changes no longer confirmed. Never rejects. */
export async function prepareNext(deps: Deps, signal: AbortSignal): Promise<void> {
  const { store, clock, log } = deps;
  // Its single session would be blocked meanwhile.
  if (store.kind === 'embedded') return;
  try {
    const nowMs = clock.nowMs();
    const next = await readNext(deps, nowMs);
    if (await isPrepared(store.db, next)) return;
    const statementMs = next === null ? 0 : (Date.parse(next.at) - nowMs) / STATEMENTS;
    if (next === null || statementMs < LIMITS.datedStatementMs) {
      await keep(store.db, null);
      return;
    }
    const begunMs = performance.now();
    for (const layer of next.layers) await aheadOf(layer).derive(store.db, layer);
    const prepared = await rehearse(deps, next, { statementMs, signal });
    if (prepared === null) return;
    await keep(store.db, { next, prepared });
    const elapsedMs = Math.round(performance.now() - begunMs);
    log.info({ at: next.at, layers: next.layers, elapsedMs }, 'the next versions are prepared');
  } catch (error) {
    if (!signal.aborted && !isServerUnavailable(error))
      log.warn({ err: error }, 'the next versions could not be prepared');
  }
}

/** Maximum share of the remaining time per statement, so that the instant's run does not wait. */
const STATEMENTS = 10;

interface Next {
  /** ISO 8601. */
  readonly at: string;
  /** Layers whose rows in the store will be applied, regions first. */
  readonly layers: readonly LayerId[];
  readonly of: string;
}

/** null: no instant is near, or it will not pass the guards. */
async function readNext({ store, catalogue }: Deps, nowMs: number): Promise<Next | null> {
  const dated = allLayers(catalogue).flatMap((layer) => (layer.dated ? [layer.id] : []));
  const now = sql`${instantText(nowMs)}::timestamptz`;
  const until = sql`${instantText(nowMs + LIMITS.datedAheadMs)}::timestamptz`;
  const { rows } = await sql<Next & { layers: LayerId[] }>`
    with coming as (
      select c.at, c.layer from dated_change c
      join layer_state s on s.layer = c.layer and s.held_since is null
      where c.carried_out_at is null and c.at > ${now} and c.at <= ${until}
        and (c.confirmed is not null or c.preview->'guards' = '[]') and exists (
          select from dated_row d
          where d.layer = c.layer and (d.begins_at = c.at or d.ends_at = c.at))
    ),
    next as (
      select at, array_agg(layer order by layer) as layers from coming
      where at = (select min(at) from coming) group by at
    )
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, layers,
      md5(concat_ws(' ', at, layers::text,
        (select string_agg(layer || ' ' || version, ' ' order by layer) from layer_state
          where layer = any(${dated}::text[])),
        (select string_agg(concat_ws(' ', d.layer, d.key, d.begins_at, d.ends_at,
            encode(d.content_hash, 'hex')), ' ' order by d.layer, d.key, d.begins_at)
          from dated_row d where d.layer = any(layers)))) as of
    from next`.execute(store.db);
  const [row] = rows;
  if (row === undefined) return null;
  return { ...row, layers: LAYER_IDS.filter((id) => row.layers.includes(id)) };
}

async function isPrepared(db: Db, next: Next | null): Promise<boolean> {
  const prepared = await firstValue<string | null>(db, null)`
    select of from dated_prepared`;
  return prepared === (next?.of ?? null);
}

interface Prepared {
  readonly versions: readonly Pick<AheadVersion, 'layer' | 'version' | 'content'>[];
  readonly among: string;
  readonly regions: readonly AreaRegion[];
  readonly canaries: readonly Remembered[];
}

interface AreaRegion {
  readonly theme: AreaId;
  readonly key: string;
  readonly hash: string;
  readonly code: string | null;
}

/** Publishes in a transaction that is rolled back. null: another process does it. */
async function rehearse(
  { store, catalogue }: Deps,
  next: Next,
  { statementMs, signal }: { readonly statementMs: number; readonly signal: AbortSignal },
): Promise<Prepared | null> {
  const work = async (trx: Db): Promise<Prepared | null> => {
    const isMine = await firstValue(trx, false)`
      select pg_try_advisory_xact_lock(hashtext('dated_prepared')) as mine`;
    if (!isMine) return null;
    const limit = String(Math.floor(statementMs));
    await sql`select set_config('statement_timeout', ${limit}, true)`.execute(trx);
    const steps = new Map<AreaId, number>();
    const step = (layer: AreaId) => steps.set(layer, (steps.get(layer) ?? 0) + 1);
    for (const id of next.layers) {
      const layer = layerOf(catalogue, id) as AreaLayer;
      const changed = await putInPlace({ ...store, db: trx }, layer, { ...next, signal });
      if (changed !== null) [layer.id, ...changed].forEach(step);
    }
    return await tellPrepared(trx, steps);
  };
  return await takenBack(store.db, work, signal);
}

/**
 * Returns the other changed layers; null: nothing changes, or the instant's run will be refused.
 */
async function putInPlace(
  store: Store,
  layer: AreaLayer,
  { at, signal }: Next & { readonly signal: AbortSignal },
): Promise<readonly AreaId[] | null> {
  const { db } = store;
  const guarded = await withDatedGuards(store, layer);
  const run: Run = {
    ...(await nextRun(db, guarded)),
    ...{ replay: null, startedAtMs: Date.parse(at), counts: noCounts(), signal, unread: [] },
    report: () => undefined,
  };
  await stageDue(db, run, { fromMs: null, toMs: Date.parse(at) });
  const staged = await countStage(store, run);
  const difference = await diff(db, run.id, layer);
  if (isUnchanged(difference)) return null;
  const lastGood = await readLastGood(db, layer);
  Object.assign(run.counts, difference, cameAll(staged.rows));
  const by = { staged, difference, lastGood, liftedGuards: [] };
  if ((await judge(db, run, by)).length > 0) return null;
  await replaceRows(db, { ...run, step: null }, difference);
  const derived = await layersOf(layer.id).derive(store, run);
  return await derived.apply(db);
}

async function tellPrepared(trx: Db, steps: ReadonlyMap<AreaId, number>): Promise<Prepared> {
  const versions: Prepared['versions'][number][] = [];
  for (const [layer, count] of steps) {
    const current = await firstValue(trx, '0')`
      select version::text from layer_state where layer = ${layer}`;
    const version = Number(current) + count;
    versions.push({ layer, version, content: await aheadOf(layer).digest(trx, layer) });
  }
  const { rows: regions } = await sql<AreaRegion>`
    select theme, key, encode(content_hash, 'hex') as hash, region_code as code
    from area where theme <> 'region'`.execute(trx);
  const canaries = await readRemembered(trx);
  return { versions, among: await aheadOf('region').regionsDigest(trx), regions, canaries };
}

async function keep(
  db: Db,
  of: { readonly next: Next; readonly prepared: Prepared } | null,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // One process at a time: the last one has the newest data.
    await sql`lock table dated_prepared in exclusive mode`.execute(trx);
    await sql`delete from dated_prepared`.execute(trx);
    await sql`delete from dated_version`.execute(trx);
    await sql`delete from dated_region`.execute(trx);
    await replaceRemembered(trx, of?.prepared.canaries ?? []);
    if (of === null) return;
    const { next, prepared } = of;
    const { versions, regions, among } = prepared;
    await sql`
      insert into dated_prepared (of, at, regions)
      values (${next.of}, ${next.at}::timestamptz, ${among})`.execute(trx);
    await sql`
      insert into dated_version (layer, version, content)
      select * from unnest(${versions.map(({ layer }) => layer)}::text[],
        ${versions.map(({ version }) => version)}::bigint[],
        ${versions.map(({ content }) => content)}::text[])`.execute(trx);
    await sql`
      insert into dated_region (regions, theme, key, content_hash, code)
      select ${among}, theme, key, decode(hash, 'hex'), code
      from unnest(${regions.map(({ theme }) => theme)}::text[],
        ${regions.map(({ key }) => key)}::text[], ${regions.map(({ hash }) => hash)}::text[],
        ${regions.map(({ code }) => code)}::text[]) as given(theme, key, hash, code)`.execute(trx);
  });
}
