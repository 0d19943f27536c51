/**
 * Undoes later steps: first rows in service without a later step, then what later steps kept. A key
 * that changes in between is emitted once: each page states its version.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { readAgain } from '../db/replaced-table.ts';
import type { MirrorId } from '../layers/keys.ts';
import { UTC, entitiesOf, isStepOf, nextSize } from './entity-rows.ts';
import type { EntityRows } from './entity-rows.ts';
import { CHANGE_LIMITS } from './limits.ts';
import { latestChange, readBeginnings } from './log.ts';
import type { ChangeSource } from './source.ts';
import { ChangesAhead, ChangesGone } from './types.ts';
import type { Extract, ExtractRow } from './types.ts';
import { unreadKeys } from './unread.ts';
import type { UnreadItem } from './unread.ts';
import { firstValue } from '../db/rows.ts';

type Db = ChangeSource['db'];

/** Unordered. Throws `ChangesGone`, `ChangesAhead`, or as the store does. */
export async function* readExtract(
  source: ChangeSource,
  of: Extract,
): AsyncGenerator<ExtractRow, void> {
  for await (const lines of readExtractLines(source, of)) {
    for (const line of lines.split('\n').slice(0, -1)) yield JSON.parse(line) as ExtractRow;
  }
}

/** As the store wrote them, so that request threads parse none. */
export async function* readExtractLines(
  source: ChangeSource,
  of: Extract,
): AsyncGenerator<string, void> {
  const { db } = source;
  const { register, entity } = of;
  const version = await requireExtract(source, of);
  const kept = entitiesOf(register, source.schemas, source.naming);
  const rows = kept.find((each) => each.entity === entity);
  const unread = new Set(
    unreadKeys(register, await readUnread(db, of, version), kept).get(entity) ?? [],
  );
  if (rows !== undefined) {
    const reading = { rows, version, of, unread: [...unread] };
    for await (const { lines, unread: told } of rowsAlive(db, reading)) {
      for (const key of told ?? []) unread.delete(key);
      if (lines !== null) yield lines;
    }
  }
  for (const noegle of unread) {
    yield `${JSON.stringify({ entitet: entity, noegle, ulaeselig: true, raekke: null })}\n`;
  }
}

/** Lines, the number of keys read, and rows that could not be read. */
interface Page {
  readonly found: number;
  readonly last: string | null;
  readonly lines: string | null;
  readonly unread: readonly string[] | null;
}

type Alive = AsyncGenerator<Page, void>;

async function* rowsAlive(db: Db, reading: Reading): Alive {
  const marks: Mark[] = [];
  yield* inService(db, reading, marks);
  yield* replacedSince(db, reading, marks);
}

/** `p` has `key`, `row` and `no`, the order. */
function pageColumns({ of, unread }: Reading, limit: number) {
  const isUnread = sql`p.key = any(${unread}::text[])`;
  return sql`count(p.key)::integer as found, max(p.key) filter (where p.no = ${limit}::integer) as last,
    string_agg(${`{"entitet":${JSON.stringify(of.entity)},"noegle":`}::text || to_json(p.key) ||
      ',"ulaeselig":' || (${isUnread})::text || ',"raekke":' || p.row || e'}\n', '')
      filter (where p.is_emitted) as lines,
    array_agg(p.key) filter (where p.is_emitted and ${isUnread}) as unread`;
}

/** As the next step kept it, else as in service. */
async function readUnread(
  db: Db,
  { register }: Extract,
  version: string,
): Promise<readonly UnreadItem[]> {
  return await firstValue<readonly UnreadItem[]>(db, [])`
    select unread from (
      select version, unread from layer_history
      where layer = ${register} and version > ${version}::bigint
      union all
      select version + 1, unread from layer_state where layer = ${register}) kept
    order by version limit 1`;
}

/** The register's version after the transaction. Throws as `readExtract`. */
export async function requireExtract(
  { db }: ChangeSource,
  { register, atTransaction }: Omit<Extract, 'entity'>,
): Promise<string> {
  const latest = await latestChange(db);
  if (atTransaction > latest.transaction) throw new ChangesAhead(latest);
  const began = (await readBeginnings(db, [register])).get(register);
  if (began === undefined || atTransaction < began.nr) {
    throw new ChangesGone(register, began?.nr ?? 0);
  }
  return await firstValue(db, '0')`
    select version::text from change_transaction
    where layer = ${register} and nr <= ${atTransaction}::integer order by nr desc limit 1`;
}

interface Reading {
  readonly rows: EntityRows;
  readonly version: string;
  readonly of: Extract;
  /** Keys that were unreadable then. */
  readonly unread: readonly string[];
}

/** Keys up to this one were read at this version. */
interface Mark {
  readonly upTo: string | null;
  readonly version: string;
}

interface ServicePage extends Page {
  readonly version: string;
  readonly began: number;
}

async function* inService(db: Db, reading: Reading, marks: Mark[]): Alive {
  let [after, limit]: [string | null, number] = [null, CHANGE_LIMITS.firstPageRows];
  for (;;) {
    const statement = servicePage(reading, after, limit);
    const { rows }: { rows: ServicePage[] } = await readAgain(() => statement.execute(db));
    const [page] = rows;
    if (page === undefined) return;
    refuseGone(reading.of, page.began);
    const isLast = page.found < limit;
    after = page.last;
    if (marks.at(-1)?.version === page.version) marks.pop();
    marks.push({ upTo: isLast ? null : after, version: page.version });
    yield page;
    if (isLast) return;
    limit = nextLimit(limit, page);
  }
}

function nextLimit(limit: number, { lines }: Page): number {
  return nextSize(limit, { chars: lines?.length ?? 0, most: CHANGE_LIMITS.pageRows });
}

function refuseGone({ register, atTransaction }: Extract, began: number): void {
  if (began > atTransaction) throw new ChangesGone(register, began);
}

/** The version that a page is valid for. */
const standing = (register: string): RawBuilder<unknown> => sql`
  ${UTC},
  standing as materialized (
    select version::text, coalesce((
      select max(nr) from change_transaction t
      where t.layer = ${register} and (t.is_start or t.is_gone)), 0) as began
    from layer_state, utc where layer = ${register} and zone is not null)`;

function servicePage(reading: Reading, after: string | null, limit: number) {
  const { rows, version, of } = reading;
  const next = after === null ? sql`true` : sql`(${rows.order}) > (${rows.place(sql`${after}`)})`;
  return sql<ServicePage>`
    with ${standing(of.register)},
    page as (
      select ${rows.liveKey} as key, ${rows.now}::text as row, row_number() over (order by ${rows.order}) as no
      from standing, ${rows.live} where ${rows.isOfLive} and ${next}
      order by ${rows.order} limit ${limit}::integer),
    judged as (
      select p.*, s.version::bigint = ${version}::bigint or not exists (
        select from change_event e
        join ${rows.history} on ${isStepOf(rows, 'e')}
        where e.layer = ${of.register} and e.entity = ${of.entity} and e.key = p.key
          and e.version > ${version}::bigint
        -- Looked up for a key at a time, not joined with all later events for each page.
        offset 0) as is_emitted
      from standing s cross join page p)
    select s.version, s.began, ${pageColumns(reading, limit)}
    from standing s left join judged p on true group by s.version, s.began`;
}

/** The first later step of a key has its row. */
async function* replacedSince(db: Db, reading: Reading, marks: readonly Mark[]): Alive {
  let [after, limit]: [string, number] = ['', CHANGE_LIMITS.firstPageRows];
  for (;;) {
    const statement = keptPage(reading, marks, { after, limit });
    const { rows } = await readAgain(() => statement.execute(db));
    refuseGone(reading.of, await beganAt(db, reading.of));
    const [page] = rows;
    if (page === undefined) return;
    yield page;
    if (page.found < limit) return;
    after = page.last ?? '';
    limit = nextLimit(limit, page);
  }
}

async function beganAt(db: Db, { register }: Extract): Promise<number> {
  return (await readBeginnings(db, [register])).get(register)?.nr ?? 0;
}

function keptPage(
  reading: Reading,
  marks: readonly Mark[],
  { after, limit }: { readonly after: string; readonly limit: number },
) {
  const { rows, version, of } = reading;
  const looked = marks.map(({ upTo, version: at }) =>
    upTo === null
      ? sql`else ${at}::bigint`
      : sql`when (${rows.place(sql`h.key`)}) <= (${rows.place(sql`${upTo}`)}) then ${at}::bigint`,
  );
  const lookedAt =
    looked.length === 1
      ? sql`${marks[0]?.version ?? '0'}::bigint`
      : sql`
    case ${sql.join(looked, sql` `)} end`;
  return sql<Page>`
    with ${UTC},
    later as materialized (
      select distinct on (e.key) e.key, e.version from utc, change_event e
      where zone is not null and e.layer = ${of.register} and e.entity = ${of.entity}
        and e.key > ${after} and e.version > ${version}::bigint
        and exists (select from ${rows.history} where ${isStepOf(rows, 'e')} offset 0)
      order by e.key, e.version limit ${limit}::integer),
    h as (
      select l.key, l.version, k.row, k.is_row from later l cross join lateral (
        select case when ${rows.isRow} then ${rows.was} end::text as row, ${rows.isRow} as is_row
        from ${rows.history} where ${isStepOf(rows, 'l')} offset 0) k)
    select ${pageColumns(reading, limit)} from (
      select h.key, h.row, row_number() over (order by h.key) as no,
        h.row is not null and not (h.is_row and h.version > (${lookedAt})) as is_emitted
      from h) p`;
}

/** Rows in service: about the size of an extract. */
export async function countRows(
  { db, schemas }: ChangeSource,
  register: MirrorId,
  entities: readonly string[],
): Promise<number> {
  const counts = entitiesOf(register, schemas)
    .filter(({ entity }) => entities.includes(entity))
    .map((rows) => sql`(select count(*) from ${rows.live} where ${rows.isOfLive})`);
  if (counts.length === 0) return 0;
  return await firstValue(db, 0)`
    select (${sql.join(counts, sql` + `)})::float8 as count`;
}
