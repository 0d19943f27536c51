/**
 * Unreadable features (D143): their position, for lookups, and what is stored. A new reading
 * replaces them; a publication without one keeps them.
 */
import { sql } from 'kysely';
import { firstValue } from '../../../src/db/rows.ts';
import type { Db } from '../../../src/db/connect.ts';
import type { Bounds } from '../../../src/geo/bounds.ts';
import { mergedBoxes } from '../../../src/geo/merged-boxes.ts';
import { boundsAround } from '../../../src/geo/bounds.ts';
import type { UnansweredPlaces } from '../../../src/geo/unanswered.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { storableText } from '../../../src/kernel/text.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';
import type { LayerId, MirrorId } from '../../../src/layers/keys.ts';
import type { PageIssue, UnreadAhead } from '../../../src/wfs/page.ts';
import { rowsOf } from './rows-of.ts';

export type Unread = Pick<PageIssue, 'key' | 'objectId' | 'reason' | 'place' | 'raw'> &
  Partial<Pick<UnreadAhead, 'beginsAtMs'>>;

/** As stored with a version. EPSG:25832, metres. */
export interface UnreadFeature extends Omit<Unread, 'place' | 'raw' | 'beginsAtMs'> {
  /** ISO 8601, UTC: of a future one, hidden from lookups until then; absent: current. */
  readonly beginsAt?: string;
  /** null: position unknown, and a person released the version nevertheless. */
  readonly box: Bounds | null;
  readonly raw: string | null;
}

export interface FoundUnread {
  readonly features: readonly UnreadFeature[];
  readonly unplaced: number;
  readonly isAsBefore: boolean;
}

export const NOTHING_UNREAD: FoundUnread = { features: [], unplaced: 0, isAsBefore: true };

export interface UnreadReading {
  readonly layer: Layer;
  readonly startedAtMs: number;
  readonly unread: readonly Unread[];
  /** The reading has all future rows; else those known stay. */
  readonly isToldAhead: boolean;
}

/** Positions from what was received, else from the previous copy's feature of that key. */
export async function findPlaces(
  db: Db,
  { layer, startedAtMs, unread: all, isToldAhead }: UnreadReading,
): Promise<FoundUnread> {
  const before = await readUnread(db, layer.id);
  const unread = all.filter(({ beginsAtMs }) => isToldAhead || beginsAtMs === undefined);
  const told = isToldAhead ? [] : ahead(before);
  const open = unread.flatMap(({ key, place }) => (key !== null && !place?.isWhole ? [key] : []));
  const known = open.length === 0 ? new Map<string, Bounds>() : await boxesOf(db, layer, open);
  for (const { key, box } of before) {
    if (key !== null && box !== null) known.set(key, around(known.get(key), box));
  }
  const features = unread
    .map(({ key, objectId, reason, place, raw, beginsAtMs }): UnreadFeature => {
      const earlier = key === null || place?.isWhole === true ? undefined : known.get(key);
      // A box that is not whole only widens an earlier one (D143).
      const whole = place?.isWhole === true ? place.box : null;
      const box = earlier === undefined ? whole : around(place?.box, earlier);
      // Unstorable text must not prevent a publication.
      const storable = (text: string | null) => text && storableText(text);
      const beginsAt = beginsAtMs === undefined ? null : new Date(beginsAtMs).toISOString();
      const words = {
        key: storable(key),
        objectId: storable(objectId),
        reason: storableText(beginsAt === null ? reason : `from ${beginsAt} on: ${reason}`),
        ...(beginsAt !== null && { beginsAt }),
      };
      return { ...words, box: box && toCentimetres(box), raw: storable(raw) };
    })
    .concat(told)
    .map((feature) => begun(feature, startedAtMs))
    .sort(byKeyThenBox)
    .map((feature, n) => ({ ...feature, raw: n < LIMITS.unreadRawKept ? feature.raw : null }));
  const isAsBefore = JSON.stringify(features.map(placed)) === JSON.stringify(before.map(placed));
  return { features, unplaced: countNew(features, before), isAsBefore };
}

/** Without a reading: the previous unreadable features, including those that have begun since. */
export async function withBegun(
  db: Db,
  { layer, startedAtMs }: Pick<UnreadReading, 'layer' | 'startedAtMs'>,
): Promise<FoundUnread> {
  const before = await readUnread(db, layer.id);
  const features = before.map((feature) => begun(feature, startedAtMs));
  return { features, unplaced: 0, isAsBefore: ahead(features).length === ahead(before).length };
}

const ahead = (features: readonly UnreadFeature[]) =>
  features.filter(({ beginsAt }) => beginsAt !== undefined);

function begun(feature: UnreadFeature, nowMs: number): UnreadFeature {
  const { beginsAt, ...inEffect } = feature;
  return beginsAt !== undefined && Date.parse(beginsAt) <= nowMs ? inEffect : feature;
}

function around(one: Bounds | undefined, other: Bounds): Bounds {
  return one === undefined ? other : boundsAround([one, other]);
}

/** Rounds outwards to centimetres; whole ones stay, or the box would grow each night. */
function toCentimetres([west, south, east, north]: Bounds): Bounds {
  const near = (m: number) => Math.round(m * 100);
  const down = (m: number) => (near(m) / 100 <= m ? near(m) : near(m) - 1) / 100;
  const up = (m: number) => (near(m) / 100 >= m ? near(m) : near(m) + 1) / 100;
  return [down(west), down(south), up(east), up(north)];
}

type Placed = Pick<UnreadFeature, 'key' | 'objectId' | 'box' | 'beginsAt'>;

function placed({ key, objectId, box, beginsAt }: Placed): readonly unknown[] {
  return [key, objectId, box, beginsAt];
}

function byKeyThenBox(a: Placed, b: Placed): number {
  const one = JSON.stringify(placed(a));
  const other = JSON.stringify(placed(b));
  return one === other ? 0 : one < other ? -1 : 1;
}

function countNew(features: readonly UnreadFeature[], before: readonly UnreadFeature[]): number {
  const left = new Map<string | null, number>();
  for (const { key, box } of before) if (box === null) left.set(key, (left.get(key) ?? 0) + 1);
  let found = 0;
  for (const { key, box } of features) {
    if (box !== null) continue;
    const released = left.get(key) ?? 0;
    if (released > 0) left.set(key, released - 1);
    else found += 1;
  }
  return found;
}

async function boxesOf(
  db: Db,
  layer: Layer,
  keys: readonly string[],
): Promise<Map<string, Bounds>> {
  const { table, isOf } = rowsOf(layer);
  const { rows } = await sql<{ key: string; box: Bounds }>`
    select key, array[min(ST_XMin(geom)), min(ST_YMin(geom)), max(ST_XMax(geom)), max(ST_YMax(geom))]
      as box
    from (
      select key, geom from ${sql.table(table)} m where ${isOf(layer)} and key = any(${keys}::text[])
      union all
      select key, geom from dated_row
      where layer = ${layer.id} and geom is not null and key = any(${keys}::text[])) known
    group by key`.execute(db);
  return new Map(rows.map(({ key, box }) => [key, box]));
}

export async function readUnread(db: Db, layer: LayerId): Promise<readonly UnreadFeature[]> {
  return await firstValue<readonly UnreadFeature[]>(db, [])`
    select unread from layer_state where layer = ${layer}`;
}

/** Call in a transaction that has written the layer's state. */
export async function writeUnread(
  trx: Db,
  layer: Pick<Layer, 'id' | 'register'>,
  features: readonly UnreadFeature[],
): Promise<void> {
  const unanswered = unansweredPlaces(layer, features);
  const unread = features.length === 0 ? null : JSON.stringify(features);
  await sql`
    update layer_state set unread = ${unread}::jsonb,
      unanswered = ${unanswered === null ? null : JSON.stringify(unanswered)}::jsonb
    where layer = ${layer.id}`.execute(trx);
}

function unansweredPlaces(
  { register }: Pick<Layer, 'register'>,
  unread: readonly UnreadFeature[],
): UnansweredPlaces | null {
  const features = unread.filter(({ beginsAt }) => beginsAt === undefined);
  if (features.length === 0) return null;
  const boxes = features.flatMap(({ box }) => (box === null ? [] : [box]));
  const objects = [...new Set(features.map(({ objectId }) => objectId))];
  return {
    unreadable: mergedBoxes(boxes, LIMITS.unreadableBoxes),
    ...(register === 'dagi' && { objects }),
  };
}

export async function restoreUnread(
  trx: Db,
  layer: MirrorId,
  { version }: { readonly version: number },
): Promise<void> {
  await sql`
    update layer_state s set unread = h.unread, unanswered = h.unanswered
    from layer_history h
    where s.layer = ${layer} and h.layer = s.layer and h.version = ${version}::bigint`.execute(trx);
}

const KEYS_NOTED = 20;

export function releasedNote(features: readonly UnreadFeature[]): string {
  const keys = features.flatMap(({ key, box }) => (box === null ? [key ?? 'without a key'] : []));
  const more = keys.length > KEYS_NOTED ? ` and ${keys.length - KEYS_NOTED} more` : '';
  return `released without a place, so that nothing tells where they are not answered: ${keys.slice(0, KEYS_NOTED).join(', ')}${more}`;
}
