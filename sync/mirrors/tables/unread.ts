/** A row without a known owner prevents publication until a person releases it (D143). */
import { sql } from 'kysely';
import { firstValue } from '../../../src/db/rows.ts';
import type { Db } from '../../../src/db/connect.ts';
import type { UnreadableRow } from '../../../src/downloads/table-task.ts';
import { mergedBoxes } from '../../../src/geo/merged-boxes.ts';
import type { Bounds } from '../../../src/geo/bounds.ts';
import type { UnansweredPlaces } from '../../../src/geo/unanswered.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { storableText } from '../../../src/kernel/text.ts';
import { ADDRESSES, CADASTRE, PLACE_NAMES } from '../../../src/layers/keys.ts';
import type { MirrorId } from '../../../src/layers/keys.ts';
import type { TableRegister } from '../../../src/layers/register.ts';
import { SHAPES } from '../../../src/layers/register-tables.ts';
import type { RegisterSchema } from '../../../src/layers/register-tables.ts';
import type { Compared } from './compare.ts';
import type { StagedTable } from './table-run.ts';
import type { UnreadRow } from './unread-row.ts';
import { boxesOfParcels, pointsOf, withBoxes, withFaces, withPoints } from './unread-boxes.ts';
import {
  accessRefs,
  isPlaceType,
  isPlaced,
  mayBeNearest,
  namesOf,
  objectsOf,
  parcelNamesOf,
  roadsOf,
} from './unread-objects.ts';

export async function readUnreadRows(db: Db, register: MirrorId): Promise<readonly UnreadRow[]> {
  return await firstValue<readonly UnreadRow[]>(db, [])`
    select unread from layer_state where layer = ${register}`;
}

export interface FoundRows {
  readonly rows: readonly UnreadRow[];
  readonly unplaced: ReadonlyMap<string, number>;
  readonly isAsBefore: boolean;
}

export const NOTHING_UNREAD: FoundRows = { rows: [], unplaced: new Map(), isAsBefore: true };

/** The run's, and the previous ones of tables not read whole, except rows read since. */
export async function unreadAfter(
  db: Db,
  { id: register, schema }: { readonly id: MirrorId; readonly schema: RegisterSchema },
  compared: readonly Compared[],
): Promise<FoundRows> {
  const { isPersonal = false } = schema;
  const before = await readUnreadRows(db, register);
  const unplaced = new Map<string, number>();
  let rows = before;
  for (const { plan, total, delta } of compared) {
    const { entity } = plan;
    const read = [total, delta].flatMap((each) => (each === null ? [] : rowsOf(each, isPersonal)));
    const came = withEarlier(
      await boxed(db, register, { rows: read, beside: rows, compared }),
      before,
    );
    const renewed = delta === null ? new Set<string>() : await keysIn(db, delta, rows);
    const stays = (row: UnreadRow) =>
      row.entity !== entity || (total === null && !renewed.has(row.cells['id'] ?? ''));
    rows = [...rows.filter(stays), ...came];
    const left = before.filter((row) => row.entity === entity && !isPlaced(row)).length;
    const open = came.filter((row) => !isPlaced(row)).length;
    unplaced.set(entity, Math.max(0, open - left));
  }
  const isAsBefore = JSON.stringify(rows.map(keyOf)) === JSON.stringify(before.map(keyOf));
  return { rows, unplaced, isAsBefore };
}

async function boxed(
  db: Db,
  register: MirrorId,
  {
    rows,
    beside,
    compared,
  }: {
    readonly rows: readonly UnreadRow[];
    readonly beside: readonly UnreadRow[];
    readonly compared: readonly Compared[];
  },
): Promise<readonly UnreadRow[]> {
  const totals = compared.flatMap(({ total }) => (total === null ? [] : [total]));
  if (register === PLACE_NAMES) return await withBoxes(db, rows, namesIn(totals));
  if (register === CADASTRE) return await withFaces(db, rows);
  if (register !== ADDRESSES) return rows;
  const deltas = compared.flatMap(({ delta }) => (delta === null ? [] : [delta]));
  const namedIn = (table: string) => [
    table,
    ...[...totals, ...deltas].flatMap(({ plan, next }) =>
      plan.table.table === table ? [next] : [],
    ),
  ];
  return await withPoints(db, rows, { namesOf: namedIn, beside });
}

function withEarlier(
  rows: readonly UnreadRow[],
  before: readonly UnreadRow[],
): readonly UnreadRow[] {
  const known = new Map(
    before.flatMap(({ key, box }) => (key === null || box === null ? [] : [[key, box]])),
  );
  return rows.map((row) => ({ ...row, box: row.box ?? known.get(row.key ?? '') ?? null }));
}

/** Sorted by name: the store reorders values. */
const keyOf = ({ entity, key, box, cells }: UnreadRow) => [
  ...[entity, key, box],
  Object.entries(cells).sort(),
];

function namesIn(staged: readonly StagedTable[]): ReadonlyMap<string, string> {
  return new Map(staged.map(({ plan, next }) => [plan.table.table, next]));
}

/** Personal owners are not recorded with failures (D117). */
function rowsOf({ plan: { entity, table }, read }: StagedTable, isPersonal: boolean): UnreadRow[] {
  const kept = table.columns.filter(
    ({ kind, required = false }) => !SHAPES.has(kind) && (!isPersonal || required),
  );
  const beyond = read.unreadable > read.unread.length ? [UNKEPT] : [];
  return [...read.unread, ...beyond].map(({ key, reason, cells: given, box }: UnreadableRow) => {
    const cells = given ?? {};
    return {
      entity,
      table: table.table,
      key: key === null || isPersonal ? entity : storableText(`${entity} ${key}`),
      objectId: null,
      reason: storableText(reason),
      box,
      raw: isPersonal ? null : storableText(JSON.stringify(cells).slice(0, LIMITS.unreadRawChars)),
      cells: Object.fromEntries(
        kept.flatMap(({ name }) => {
          const text = cells[name];
          return text === undefined ? [] : [[name, storableText(text)] as const];
        }),
      ),
    };
  });
}

const UNKEPT: UnreadableRow = { key: null, reason: 'more than are kept', cells: null, box: null };

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

/**
 * After the tables are in place: owners are looked up in them, and in the folded tables that still
 * exist.
 */
export async function writeUnreadRows(
  trx: Db,
  register: TableRegister,
  { rows, read }: { readonly rows: readonly UnreadRow[]; readonly read: readonly StagedTable[] },
): Promise<void> {
  const kept = rows.map((row, n) => (n < LIMITS.unreadRawKept ? row : { ...row, raw: null }));
  const unanswered = kept.length === 0 ? null : await unansweredBy(trx, register, { kept, read });
  const [unread, places] =
    unanswered === null ? [null, null] : [JSON.stringify(kept), JSON.stringify(unanswered)];
  await sql`
    update layer_state set unread = ${unread}::jsonb, unanswered = ${places}::jsonb
    where layer = ${register.id}`.execute(trx);
}

async function unansweredBy(
  trx: Db,
  register: TableRegister,
  { kept, read }: { readonly kept: readonly UnreadRow[]; readonly read: readonly StagedTable[] },
): Promise<UnansweredPlaces> {
  const objects = await objectsOf(trx, register, { rows: kept, names: namesIn(read) });
  const { id } = register;
  if (id === CADASTRE) {
    const boxes = [...facesIn(kept), ...(await boxesOfParcels(trx, kept))];
    const names = await parcelNamesOf(trx, kept);
    return { unreadable: mergedBoxes(boxes, LIMITS.unreadableBoxes), objects, names };
  }
  if (id !== ADDRESSES && id !== PLACE_NAMES) return { unreadable: [], objects };
  const isAddresses = id === ADDRESSES;
  const boxes = isAddresses ? await addressBoxes(trx, kept) : placeBoxes(kept);
  const names = await (isAddresses ? roadsOf(trx, kept) : namesOf(trx, kept));
  const unreadable = mergedBoxes(boxes, LIMITS.unreadableBoxes);
  return { unreadable, objects, names: [...new Set(names)] };
}

const boxesOf = (rows: readonly UnreadRow[]) =>
  rows.flatMap(({ box }) => (box === null ? [] : [box]));

/** A face without position may be in any tile; its parcel is known. */
function facesIn(rows: readonly UnreadRow[]): readonly Bounds[] {
  return rows.flatMap(({ table, box }) => (table === 'cadastre_face' ? [box ?? ANYWHERE] : []));
}

/** A place without position may be anywhere: a person released it. */
function placeBoxes(rows: readonly UnreadRow[]): readonly Bounds[] {
  const isAnywhere = rows.some((row) => isPlaceType(row.table) && row.box === null);
  return isAnywhere ? [ANYWHERE] : boxesOf(rows);
}

/**
 * Where access addresses may be missed (D47): positions in the received rows, and in the tables
 * now. A road is where its numbers are, not between them. A row without position may be anywhere.
 */
async function addressBoxes(trx: Db, rows: readonly UnreadRow[]): Promise<readonly Bounds[]> {
  const missed = rows.filter(mayBeNearest);
  if (missed.some((row) => !isPlaced(row))) return [ANYWHERE];
  const found = await pointsOf(trx, missed.map(accessRefs), (table) => [table]);
  const now = found.flatMap(({ named, before }) => [...named, ...before]);
  return [...boxesOf(missed.filter(({ table }) => table !== 'address_road')), ...now];
}

/** Contains the country, EPSG:25832. */
const ANYWHERE: Bounds = [0, 5_900_000, 1_100_000, 6_600_000];

export function releasedRowsNote(register: MirrorId, { rows, unplaced }: FoundRows): string {
  const entities = [...unplaced]
    .flatMap(([entity, count]) => (count > 0 ? [entity] : []))
    .join(', ');
  const [isAsked, what] =
    register === ADDRESSES
      ? [mayBeNearest, 'the nearest address to any point']
      : [({ table }: UnreadRow) => isPlaceType(table), 'the places around any point'];
  const isEverywhere = rows.some((row) => isAsked(row) && row.box === null && !isPlaced(row));
  const nearest = isEverywhere ? `, nor ${what}` : '';
  return `released although nothing tells whose rows of ${entities} are: whatever is not known is not answered${nearest}`;
}
