/**
 * Rows of a register's tables that a run could not read (D143): which properties and addresses they belong to,
 * and what is kept with the version. What nobody can tell the place of keeps a version from being published
 * until a person releases it.
 */
import { sql } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import type { UnreadableRow } from '../../../src/downloads/table-task.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { storableText } from '../../../src/kernel/text.ts';
import { ADDRESSES, BBR, CADASTRE } from '../../../src/layers/keys.ts';
import type { MirrorId } from '../../../src/layers/keys.ts';
import { numbersOfRows } from '../../../src/registers/property/touched.ts';
import type { UnreadFeature } from '../features/unread.ts';
import type { Compared } from './compare.ts';
import type { StagedTable } from './table-run.ts';

type Db = Store['db'];

/** As it is kept with a version: of the shape that features have, without a box. */
export interface UnreadRow extends UnreadFeature {
  readonly entity: string;
  readonly table: string;
  readonly cells: Readonly<Record<string, string>>;
}

/** Registers whose lookups ask what could not be read. */
const TOLD: readonly MirrorId[] = [BBR, CADASTRE, ADDRESSES];

/** Columns of which one must be known, so that a row is somebody's; a table that is not here: its key. */
const PLACED_BY: Readonly<Record<string, readonly string[]>> = {
  bbr_property: ['bfe'],
  bbr_ground: ['property_id'],
  bbr_ground_parcel: ['ground_id'],
  bbr_building: ['ground_id', 'foreign_property_id', 'flat_property_id'],
  bbr_building_property: ['property_id', 'building_id'],
  bbr_floor: ['building_id'],
  bbr_entrance: ['building_id'],
  bbr_unit: ['building_id', 'floor_id', 'entrance_id', 'flat_property_id'],
  bbr_unit_property: ['property_id', 'unit_id'],
  bbr_facility: ['ground_id', 'building_id', 'unit_id', 'foreign_property_id', 'flat_property_id'],
  cadastre_property: ['bfe'],
  cadastre_flat: ['bfe'],
  cadastre_foreign_building: ['bfe'],
  cadastre_parcel: ['bfe'],
  cadastre_face: ['parcel_id'],
  address_property: ['bfe'],
};

/** What is wrong with these tells nobody's id: a number or an id, as the registers write them. */
const IS_ID = /^(\d{1,18}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

function isPlaced({ table, cells }: Pick<UnreadRow, 'table' | 'cells'>): boolean {
  return (PLACED_BY[table] ?? ['id']).some((name) => IS_ID.test(cells[name]?.trim() ?? ''));
}

/** What the published version could not read of the register's tables. */
export async function readUnreadRows(db: Db, register: MirrorId): Promise<readonly UnreadRow[]> {
  const { rows } = await sql<{ unread: readonly UnreadRow[] | null }>`
    select unread from layer_state where layer = ${register}`.execute(db);
  return rows[0]?.unread ?? [];
}

export interface FoundRows {
  readonly rows: readonly UnreadRow[];
  /** Of each entity: rows that nothing tells whose they are, and no person has released before. */
  readonly unplaced: ReadonlyMap<string, number>;
  readonly isAsBefore: boolean;
}

export const NOTHING_UNREAD: FoundRows = { rows: [], unplaced: new Map(), isAsBefore: true };

/**
 * What cannot be read once the run is published: what it could not, and what the version before could not of
 * tables that were not read whole, but for rows that came anew.
 */
export async function unreadAfter(
  db: Db,
  register: MirrorId,
  compared: readonly Compared[],
): Promise<FoundRows> {
  if (!TOLD.includes(register)) return NOTHING_UNREAD;
  const before = await readUnreadRows(db, register);
  const unplaced = new Map<string, number>();
  let rows = before;
  for (const { plan, total, delta } of compared) {
    const { entity } = plan;
    const came = [total, delta].flatMap((staged) => (staged === null ? [] : rowsOf(staged)));
    const renewed = delta === null ? new Set<string>() : await keysIn(db, delta, rows);
    const stays = (row: UnreadRow) =>
      row.entity !== entity || (total === null && !renewed.has(row.cells['id'] ?? ''));
    rows = [...rows.filter(stays), ...came];
    const left = releasedOf(before, entity);
    const beyond = [total, delta].reduce(
      (sum, staged) => sum + (staged ? staged.read.unreadable - staged.read.unread.length : 0),
      0,
    );
    const open = came.filter((row) => !isPlaced(row)).length + beyond;
    unplaced.set(entity, Math.max(0, open - left));
  }
  const isAsBefore = JSON.stringify(rows.map(keyOf)) === JSON.stringify(before.map(keyOf));
  return { rows, unplaced, isAsBefore };
}

/** Values by name: the store keeps them in an order of its own. */
const keyOf = ({ entity, key, cells }: UnreadRow) => [entity, key, Object.entries(cells).sort()];

/** Rows of an entity that nothing tells the place of and that a person has released. */
function releasedOf(before: readonly UnreadRow[], of: string): number {
  return before.filter((row) => row.entity === of && !isPlaced(row)).length;
}

function rowsOf({ plan: { entity, table }, read }: StagedTable): UnreadRow[] {
  return read.unread.map(({ key, reason, cells }: UnreadableRow) => ({
    entity,
    table: table.table,
    key: key === null ? entity : storableText(`${entity} ${key}`),
    objectId: null,
    reason: storableText(reason),
    box: null,
    raw: null,
    cells: Object.fromEntries(
      Object.entries(cells ?? {}).map(([name, text]) => [name, storableText(text)]),
    ),
  }));
}

/** Ids of the rows that came anew. */
async function keysIn(
  db: Db,
  { next, plan }: StagedTable,
  rows: readonly UnreadRow[],
): Promise<ReadonlySet<string>> {
  const ids = rows.flatMap(({ entity, cells }) =>
    entity === plan.entity && cells['id'] !== undefined ? [cells['id']] : [],
  );
  if (ids.length === 0) return new Set();
  const found = await sql<{ id: string }>`
    select i.id from unnest(${ids}::text[]) i(id)
    where exists (select from ${sql.table(next)} n where n.id::text = lower(i.id))`.execute(db);
  return new Set(found.rows.map(({ id }) => id));
}

/** Part of the transaction that has put the tables in place: whose the rows are is asked of those. */
export async function writeUnreadRows(
  trx: Db,
  register: MirrorId,
  rows: readonly UnreadRow[],
): Promise<void> {
  if (!TOLD.includes(register)) return;
  const kept = rows.slice(0, LIMITS.syncIssuesKept);
  const numbers = await numbersOfRows(trx, kept.map(towardsNumber));
  const objects = [
    ...numbers.flat().map(String),
    ...(register === ADDRESSES ? await addressesOf(trx, kept) : []),
    ...kept.flatMap((row) => (isPlaced(row) ? [] : [null])),
  ];
  const unanswered = { unreadable: [], objects: [...new Set(objects)] };
  const [unread, places] =
    rows.length === 0 ? [null, null] : [JSON.stringify(kept), JSON.stringify(unanswered)];
  await sql`
    update layer_state set unread = ${unread}::jsonb, unanswered = ${places}::jsonb
    where layer = ${register}`.execute(trx);
}

/** A road has some thousands at most. */
const MOST_ADDRESSES = 20_000;

/** Ids of the addresses that these rows are, or that the rows of are read with. */
async function addressesOf(trx: Db, rows: readonly UnreadRow[]): Promise<readonly string[]> {
  const ids = rows.flatMap((row) => {
    const id = row.cells['id']?.trim().toLowerCase() ?? '';
    return PLACED_BY[row.table] === undefined && IS_ID.test(id) ? [id] : [];
  });
  if (ids.length === 0) return ids;
  const found = await sql<{ id: string }>`
    with access as (
      select a.id from address_access a where a.road_id = any(${ids}::uuid[])
      union select id from unnest(${ids}::uuid[]) given(id))
    select id::text from (
      select u.id from address_unit u where u.access_id in (select id from access)
      union select id from access) known
    order by id limit ${MOST_ADDRESSES}`.execute(trx);
  return found.rows.map(({ id }) => id);
}

/** A face is told with its parcel. */
function towardsNumber({ table, cells }: UnreadRow) {
  const { parcel_id: parcel } = cells;
  if (table !== 'cadastre_face' || parcel === undefined) return { table, cells };
  return { table: 'cadastre_parcel', cells: { id: parcel } };
}
