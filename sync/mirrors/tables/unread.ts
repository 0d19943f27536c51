/**
 * Rows of a register's tables that a run could not read (D143): which properties and addresses they belong to,
 * and what is kept with the version. What nobody can tell the place of keeps a version from being published
 * until a person releases it.
 */
import { sql } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import type { UnreadableRow } from '../../../src/downloads/table-task.ts';
import { mergedBoxes } from '../../../src/geo/merged-boxes.ts';
import type { UnansweredPlaces } from '../../../src/geo/unanswered.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { storableText } from '../../../src/kernel/text.ts';
import { ADDRESSES, PLACE_NAMES } from '../../../src/layers/keys.ts';
import type { MirrorId } from '../../../src/layers/keys.ts';
import type { RegisterSchema } from '../../../src/layers/register-tables.ts';
import type { Compared } from './compare.ts';
import type { StagedTable } from './table-run.ts';
import type { UnreadRow } from './unread-row.ts';
import { boxOfText, withBoxes } from './unread-boxes.ts';
import { isPlaced, namesOf, objectsOf, roadsOf } from './unread-objects.ts';

type Db = Store['db'];

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
  { id: register, schema }: { readonly id: MirrorId; readonly schema: RegisterSchema },
  compared: readonly Compared[],
): Promise<FoundRows> {
  const { isPersonal = false } = schema;
  const before = await readUnreadRows(db, register);
  const unplaced = new Map<string, number>();
  let rows = before;
  const staged = compared.flatMap(({ total }) => (total === null ? [] : [total]));
  for (const { plan, total, delta } of compared) {
    const { entity } = plan;
    const read = [total, delta].flatMap((each) => (each === null ? [] : rowsOf(each, isPersonal)));
    const came = register === PLACE_NAMES ? await withBoxes(db, read, namesIn(staged)) : read;
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
const keyOf = ({ entity, key, box, cells }: UnreadRow) => [
  ...[entity, key, box],
  Object.entries(cells).sort(),
];

/** The names under which tables were read. */
function namesIn(staged: readonly StagedTable[]): ReadonlyMap<string, string> {
  return new Map(staged.map(({ plan, next }) => [plan.table.table, next]));
}

/** Rows of an entity that nothing tells the place of and that a person has released. */
function releasedOf(before: readonly UnreadRow[], of: string): number {
  return before.filter((row) => row.entity === of && !isPlaced(row)).length;
}

/** Whose row it is, is not to be read where it is told what failed, if it may be a person's (D117). */
function rowsOf({ plan: { entity, table }, read }: StagedTable, isPersonal: boolean): UnreadRow[] {
  const geometry = table.columns.find(({ kind }) => kind === 'geometry')?.name ?? null;
  const kept = table.columns.filter(
    ({ kind, required = false }) => !SHAPES.has(kind) && (!isPersonal || required),
  );
  return read.unread.map(({ key, reason, cells: given }: UnreadableRow) => {
    const cells = given ?? {};
    const shape = geometry === null ? undefined : cells[geometry];
    return {
      entity,
      table: table.table,
      key: key === null || isPersonal ? entity : storableText(`${entity} ${key}`),
      objectId: null,
      reason: storableText(reason),
      box: shape === undefined ? null : boxOfText(shape),
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

/** What may be of any length is not kept whole. */
const SHAPES: ReadonlySet<string> = new Set(['geometry', 'surface', 'point']);

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

/**
 * Part of the transaction that has put the tables in place: whose the rows are is asked of those, and of what was
 * read to be folded, which is still there beside them.
 */
export async function writeUnreadRows(
  trx: Db,
  register: MirrorId,
  { rows, read }: { readonly rows: readonly UnreadRow[]; readonly read: readonly StagedTable[] },
): Promise<void> {
  const kept = rows.slice(0, LIMITS.syncIssuesKept);
  const unanswered = kept.length === 0 ? null : await unansweredBy(trx, register, { kept, read });
  const [unread, places] =
    unanswered === null ? [null, null] : [JSON.stringify(kept), JSON.stringify(unanswered)];
  await sql`
    update layer_state set unread = ${unread}::jsonb, unanswered = ${places}::jsonb
    where layer = ${register}`.execute(trx);
}

async function unansweredBy(
  trx: Db,
  register: MirrorId,
  { kept, read }: { readonly kept: readonly UnreadRow[]; readonly read: readonly StagedTable[] },
): Promise<UnansweredPlaces> {
  const objects = await objectsOf(trx, register, { rows: kept, names: namesIn(read) });
  if (register === ADDRESSES) {
    return { unreadable: [], objects, names: [...new Set(await roadsOf(trx, kept))] };
  }
  if (register !== PLACE_NAMES) return { unreadable: [], objects };
  const boxes = kept.flatMap(({ box }) => (box === null ? [] : [box]));
  const names = [...new Set(await namesOf(trx, kept))];
  return { unreadable: mergedBoxes(boxes, LIMITS.unreadableBoxes), objects, names };
}
