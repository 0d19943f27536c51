import { sql } from 'kysely';
import type { Db, Store } from '../../src/db/connect.ts';
import { allRows, firstValue, hasRow } from '../../src/db/rows.ts';
import { rowsAfter } from '../../src/db/dated-rows.ts';
import type { Layer } from '../../src/layers/catalogue.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { Run } from '../deps.ts';
import type { Origin } from '../mirrors/features/origin.ts';
import { readOrigin } from '../mirrors/features/origin.ts';
import { publishedRows } from '../mirrors/features/rows-of.ts';
import { IS_AT_HAND, instantsOf } from './instants.ts';
import { instantText } from './stage.ts';

/** Includes the last instant. */
export interface Span {
  readonly fromMs: number | null;
  readonly toMs: number;
}

export async function nextRun<L extends Layer>(
  db: Db,
  layer: L,
): Promise<{ readonly id: string; readonly layer: L }> {
  const id = await firstValue(db, '0')`
    select nextval(pg_get_serial_sequence('sync_run', 'id'))::text as id`;
  return { id, layer };
}

export async function stageDue(
  db: Db,
  { id, layer }: { readonly id: string; readonly layer: Layer },
  { fromMs, toMs }: Span,
): Promise<void> {
  const span = { from: instantText(fromMs), to: instantText(toMs) };
  await sql`
    insert into stage_feature
      (run_id, key, object_id, standing, adopted, content_hash, attributes, geom)
    select ${id}::bigint, key, coalesce(attributes->>'code', object_id), standing, adopted,
      content_hash, attributes, geom
    from (${rowsAfter(layer.id, publishedRows(layer), span)}) n`.execute(db);
}

export async function hasDue(db: Db, layer: LayerId, nowMs: number): Promise<boolean> {
  return await hasRow(db)`
    select from dated_change c
    where layer = ${layer} and carried_out_at is null and at <= ${instantText(nowMs)}::timestamptz
      and ${IS_AT_HAND}
    limit 1`;
}

/** The layer and those with the same due dates, none held. Empty: none has come. */
export async function dueTogether(
  db: Db,
  layer: LayerId,
  nowMs: number,
): Promise<readonly LayerId[]> {
  const rows = await allRows<{ layer: LayerId }>(db)`
    with due as (
      select distinct c.layer, c.at from dated_change c
      join layer_state s on s.layer = c.layer and s.held_since is null
      where c.carried_out_at is null and c.at <= ${instantText(nowMs)}::timestamptz
        and ${IS_AT_HAND})
    select distinct layer from due where at in (select at from due where layer = ${layer})`;
  return rows.map((row) => row.layer);
}

export interface DatedReading {
  /** How its rows were read, with the next date in them; null: unknown. */
  readonly origin: Origin | null;
  readonly provedAtMs: number;
}

/** Rows from the store were received whole by the run that read them. */
export function cameAll(rows: number) {
  return { received: rows, parsed: rows, mapped: rows, staged: rows };
}

/** Stages the layer as of now and fills the run's counts; null: no date has come. */
export async function readDue(
  { store }: { readonly store: Pick<Store, 'db'> },
  run: Run,
): Promise<DatedReading | null> {
  const { layer, startedAtMs: nowMs, counts } = run;
  const provedAtMs = await provedAt(store.db, layer.id);
  if (provedAtMs === null || !(await hasDue(store.db, layer.id, nowMs))) return null;
  await stageDue(store.db, run, { fromMs: null, toMs: nowMs });
  const staged = await firstValue(store.db, 0)`
    select count(*)::integer as count from stage_feature where run_id = ${run.id}::bigint`;
  Object.assign(counts, cameAll(staged));
  counts.notes.push('from rows at hand, whose dates have come');
  return { origin: await laterOrigin(store.db, layer.id, nowMs), provedAtMs };
}

async function provedAt(db: Db, layer: LayerId): Promise<number | null> {
  return await firstValue<number | null>(db, null)`
    select (extract(epoch from synced_at) * 1000)::float8 as ms
    from layer_state where layer = ${layer}`;
}

/** The same file gives the same rows until its next date. */
async function laterOrigin(db: Db, layer: LayerId, nowMs: number): Promise<Origin | null> {
  const known = await readOrigin(db, layer);
  if (known === null || !known.isCurrent) return null;
  const { isCurrent: _, ...origin } = known;
  if (origin.file === null) return origin;
  const nextChangeMs = await firstValue<number | null>(db, null)`
    select (extract(epoch from min(at)) * 1000)::float8 as ms from (${instantsOf(layer)}) dates
    where at > ${instantText(nowMs)}::timestamptz`;
  return { ...origin, file: { ...origin.file, nextChangeMs } };
}
