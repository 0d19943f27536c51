/**
 * One statement a page. The row after is the one that the key's next step kept, else the one in
 * service, so publications between pages change neither row.
 */
import { sql } from 'kysely';
import { readAgain } from '../db/replaced-table.ts';
import type { MirrorId } from '../layers/keys.ts';
import { UTC, entitiesOf, isStepOf, nextSize } from './entity-rows.ts';
import type { EntityRows } from './entity-rows.ts';
import { CHANGE_LIMITS } from './limits.ts';
import { MAX_NUMBER, latestChange, readBeginnings, readTransactions, requireSince } from './log.ts';
import type { LoggedTransaction } from './log.ts';
import type { ChangeSource } from './source.ts';
import { ChangesAhead, ChangesGone, OPERATIONS } from './types.ts';
import type { ChangeEvent, EventRange, Row } from './types.ts';

/**
 * Throws `ChangesGone`, `ChangesAhead`, or as the store does; if possible before the first event.
 */
export async function* readEvents(
  source: ChangeSource,
  range: EventRange,
): AsyncGenerator<ChangeEvent, void> {
  const { afterEvent, fromTransaction, limit = Infinity } = range;
  const bounds = await boundsOf(source, range);
  const { db } = source;
  const { registers } = range;
  const since = fromTransaction === undefined ? undefined : fromTransaction - 1;
  await requireSince(db, { registers, transaction: since, event: afterEvent });
  let left = limit;
  for await (const transaction of transactionsIn(source, range, bounds)) {
    for await (const page of eventsOf(source, transaction, { ...range, ...bounds })) {
      for (const event of page.slice(0, left)) yield parsed(event);
      left -= page.length;
      if (left <= 0) return;
    }
  }
}

interface Bounds {
  readonly toTransaction: number;
  readonly toEvent: number;
}

/** Fixed before the first page. */
async function boundsOf({ db }: ChangeSource, range: EventRange): Promise<Bounds> {
  const latest = await latestChange(db);
  const { toTransaction = latest.transaction, toEvent = latest.event, afterEvent = 0 } = range;
  const isAhead =
    toTransaction > latest.transaction || Math.max(toEvent, afterEvent) > latest.event;
  if (isAhead) throw new ChangesAhead(latest);
  return { toTransaction, toEvent };
}

async function* transactionsIn(
  { db }: ChangeSource,
  { registers, fromTransaction = 0, afterEvent }: EventRange,
  { toTransaction: to }: Bounds,
): AsyncGenerator<LoggedTransaction, void> {
  const limit = CHANGE_LIMITS.pageTransactions;
  let from = fromTransaction;
  for (;;) {
    const page = await readTransactions(db, { registers, afterEvent, from, to, limit });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    from = last.nr + 1;
  }
}

/** Its rows are JSON texts, most of which are sent on unparsed. */
export interface WrittenEvent extends Omit<ChangeEvent, 'before' | 'after'> {
  readonly before: string | null;
  readonly after: string | null;
}

function parsed({ before, after, ...event }: WrittenEvent): ChangeEvent {
  const row = (text: string | null) => (text === null ? null : (JSON.parse(text) as Row));
  return { ...event, before: row(before), after: row(after) };
}

/** By entity and key, page by page. */
export async function* eventsOf(
  source: ChangeSource,
  transaction: LoggedTransaction,
  { afterEvent = 0, toEvent = MAX_NUMBER, entities }: EventRange,
): AsyncGenerator<readonly WrittenEvent[], void> {
  const { schemas, naming } = source;
  const kept = new Map(
    entitiesOf(transaction.register, schemas, naming).map((rows) => [rows.entity, rows]),
  );
  let first = transaction.firstEvent;
  for (const { entity, inserted, changed, removed, unread } of transaction.counts) {
    const last = first + inserted + changed + removed + unread - 1;
    const [from, to] = [Math.max(first, afterEvent + 1), Math.min(last, toEvent)];
    first = last + 1;
    if (from > to || entities?.includes(entity) === false) continue;
    const rows = kept.get(entity) ?? null;
    yield* eventsBetween(source, { transaction, entity, rows }, { from, to });
  }
}

interface OfEntity {
  readonly transaction: LoggedTransaction;
  readonly entity: string;
  /** null: none are kept. */
  readonly rows: EntityRows | null;
}

/** Reads the next pages while the caller takes one. */
async function* eventsBetween(
  { db }: ChangeSource,
  of: OfEntity,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<readonly WrittenEvent[], void> {
  let [at, size]: [number, number] = [from, CHANGE_LIMITS.firstPageEvents];
  const asked: Promise<readonly WrittenEvent[]>[] = [];
  const ask = (): void => {
    const page = readPage(db, of, at, Math.min(to, at + size - 1));
    page.catch(() => undefined);
    asked.push(page);
    at += size;
  };
  ask();
  for (;;) {
    const page = await asked.shift();
    if (page === undefined) return;
    const chars = page.reduce((sum, event) => sum + charsOf(event), 0);
    size = nextSize(size, { chars, most: CHANGE_LIMITS.pageEvents });
    while (at <= to && asked.length < CHANGE_LIMITS.pagesAhead) ask();
    yield page;
  }
}

async function readPage(
  db: ChangeSource['db'],
  of: OfEntity,
  ...[from, to]: readonly [from: number, to: number]
): Promise<readonly WrittenEvent[]> {
  const { rows } = await readAgain(() => pageOf(of, from, to).execute(db));
  // The transaction's rows have begun to leave.
  if (rows.length < to - from + 1) throw await goneFor(db, of.transaction.register);
  return rows.map((row) => eventOf(row, of));
}

export const charsOf = ({ before, after }: WrittenEvent): number =>
  (before?.length ?? 0) + (after?.length ?? 0);

async function goneFor(db: ChangeSource['db'], register: MirrorId): Promise<ChangesGone> {
  const began = (await readBeginnings(db, [register])).get(register);
  return new ChangesGone(register, began?.nr ?? 0);
}

interface EventRow {
  readonly event: number;
  readonly key: string;
  readonly operation: number;
  readonly before: string | null;
  readonly after: string | null;
}

function pageOf({ transaction, entity, rows }: OfEntity, from: number, to: number) {
  const page = sql`
    with ${UTC},
    page as materialized (
      select e.* from utc, change_event e
      where zone is not null and e.event between ${from}::integer and ${to}::integer and not exists (
        select from change_transaction t where t.nr = ${transaction.nr}::integer and t.is_gone)
      order by e.event)`;
  if (rows === null) {
    return sql<EventRow>`${page} select event, key, operation, null::text as before, null::text as after from page`;
  }
  // `offset 0` looks up a key at a time, not the whole history for each page.
  const keptBy = (event: string) => sql`
    select true as is_kept, case when ${rows.isRow} then ${rows.was} end as row from ${rows.history}
    where ${isStepOf(rows, event)} offset 0`;
  return sql<EventRow>`${page}
    select p.event, p.key, p.operation, case when own.is_kept then own.row else came.row end::text as before,
      came.row::text as after
    from page p
    left join lateral (${keptBy('p')}) own on true
    left join lateral (
      select kept.* from change_event n cross join lateral (${keptBy('n')}) kept
      where n.layer = ${transaction.register} and n.entity = ${entity} and n.key = p.key
        and n.version > p.version
      order by n.version limit 1) next on true
    left join lateral (
      select ${rows.now} as row from ${rows.live}
      where next.is_kept is null and ${rows.isOfLive} and ${rows.isLive(sql`nullif(p.key, '')`)}
      offset 0) live on true
    cross join lateral (
      select case when next.is_kept then next.row else live.row end as row) came
    order by p.event`;
}

function eventOf(
  { event, key, operation, before, after }: EventRow,
  { transaction, entity }: OfEntity,
): WrittenEvent {
  const { nr, register } = transaction;
  return {
    ...{ nr: event, transaction: nr, register, entity, key, before, after },
    operation: OPERATIONS[operation - 1] ?? 'ulaeselig',
    effectiveFrom: beginOf(after),
  };
}

/** A table's row ends with it, under one of two names. */
const BEGINS = /"(?:valid_from|virkningfra)":"([^"]+)"\}$/;
const BEGIN_CHARS = 60;

function beginOf(row: string | null): string | null {
  const text = row === null ? undefined : BEGINS.exec(row.slice(-BEGIN_CHARS))?.[1];
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
