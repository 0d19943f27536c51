/** DAWA's view of the log. Later publications do not change what a page reads (D230). */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { MAX_NUMBER } from '../changes/log.ts';
import type { Db, Store } from '../db/connect.ts';
import { allRows, firstValue } from '../db/rows.ts';
import { readAgain } from '../db/replaced-table.ts';
import { definitionOf } from './definitions.ts';
import { mirrorsOf, neededBy } from './entities.ts';
import type { Entity } from './entity.ts';
import { versionsAt } from './number.ts';
import type { OperationCounts } from './number.ts';
import { withTables } from './rows-at.ts';
import { EntityAt } from './rows.ts';

const EVENTS_AT_ONCE = 1_000;

export interface Transaction {
  readonly nr: number;
  readonly atMs: number;
  readonly counts: readonly OperationCounts[];
  /** The highest event number so far. */
  readonly lastEvent: number;
}

/** Inclusive; null: no bound. */
export interface EventRange {
  readonly from: number | null;
  readonly to: number | null;
  readonly fromTransaction: number | null;
  readonly toTransaction: number | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** By position of the key's attributes; null: any. */
  readonly key: readonly (string | null)[];
}

export interface EntityEvent {
  readonly nr: number;
  readonly transaction: number;
  readonly atMs: number;
  readonly operation: 'insert' | 'update' | 'delete';
  /** JSON. For a delete the last known row. */
  readonly data: string;
}

/** The transaction's rows are gone, or not yet complete. */
export class RowsGone extends Error {}

export class ReplicationLog {
  readonly #db: Db;

  constructor({ db }: Pick<Store, 'db'>) {
    this.#db = db;
  }

  /** null: nothing is numbered yet. */
  async latest(): Promise<Transaction | null> {
    const [latest = null] = await this.#transactions(sql`order by nr desc limit 1`);
    return latest;
  }

  async transactions(
    { from, to }: { readonly from: number | null; readonly to: number | null },
    page: { readonly skip: number; readonly take: number },
  ): Promise<readonly Transaction[]> {
    return await this.#transactions(sql`
      where nr >= ${from ?? 0}::bigint and nr <= ${to ?? MAX_NUMBER}::bigint
      order by nr limit ${page.take} offset ${page.skip}`);
  }

  /** The event's transaction or the next; of several without events, the last. */
  async transactionOf(event: number): Promise<Transaction | null> {
    const [found = null] = await this.#transactions(
      sql`where last_event >= ${event}::bigint order by last_event, nr desc limit 1`,
    );
    return found;
  }

  /**
   * The last transaction with extracts only. null: not mirrored yet, or not numbered by the present
   * definition (D255).
   */
  async beginOf(entity: Entity): Promise<Transaction | null> {
    const mirrors = sql`any(${[...mirrorsOf(entity)]}::text[])`;
    const [begin = null] = await this.#transactions(sql`
      cross join (
        select since from replication_entity
        where entity = ${entity.name} and definition = ${definitionOf(entity)}) k
      where not exists (
        select from unnest(${[...neededBy(entity)]}::text[]) m (layer) where not exists (
          select from change_transaction c
          where c.layer = m.layer and c.nr <= (select max(nr) from replication_transaction)))
      and (nr = (select min(nr) from replication_transaction where nr >= k.since)
        or (is_start and layer = ${mirrors})
        or exists (
          select from change_transaction c
          where c.nr = t.nr and c.layer = ${mirrors} and c.is_gone))
      order by nr desc limit 1`);
    return begin;
  }

  async count(entity: Entity, range: EventRange): Promise<number> {
    return await firstValue(this.#db, 0)`
      select count(*)::float8 as count ${eventsIn(entity, range)}`;
  }

  /** Rows in service: about the size of an extract. */
  async rowCount({ driver, isAlive }: Entity): Promise<number> {
    const { table, mirror } = driver;
    const of = sql.raw(table === 'area' ? `theme = '${mirror}'` : isAlive);
    return await firstValue(this.#db, 0)`
      select count(*)::float8 as count from ${sql.table(table)} d where ${of}`;
  }

  async *events(entity: Entity, range: EventRange): AsyncGenerator<readonly EntityEvent[]> {
    for (let after = 0; ;) {
      const page = await this.#page(entity, range, after);
      const last = page.at(-1);
      if (last === undefined) return;
      const byTransaction = Map.groupBy(page, ({ transaction }) => transaction);
      for (const [transaction, events] of byTransaction) {
        for (let i = 0; i < events.length; i += entity.page) {
          const some = events.slice(i, i + entity.page);
          const told = await this.#withRows(entity, transaction, some);
          await this.#stillThere(entity, transaction - 1);
          yield told;
        }
      }
      if (page.length < EVENTS_AT_ONCE) return;
      after = last.nr;
    }
  }

  /** null: no key value is given. */
  async rowsOf(
    entity: Entity,
    transaction: number,
    key: readonly (string | null)[],
  ): Promise<readonly string[] | null> {
    const given = entity.columns.flatMap(({ column }, n) =>
      column === null || typeof key[n] !== 'string' ? [] : [n],
    );
    if (given.length === 0) return null;
    const at = new EntityAt(entity, await versionsAt(this.#db, transaction));
    const statement = at.ofColumns(given);
    const asked = sql<{ data: string }>`
      with k as materialized (select ${key}::text[] as key), ${sql.raw(statement)}`;
    const { rows } = await readAgain(() => asked.execute(this.#db));
    await this.#stillThere(entity, transaction);
    return rows.map(({ data }) => data);
  }

  /** JSON rows after the transaction, in pages. */
  async *extract(entity: Entity, transaction: number): AsyncGenerator<readonly string[]> {
    const at = await versionsAt(this.#db, transaction);
    for (let after: string | null = null; ;) {
      const page: RawBuilder<{ readonly id: string; readonly data: string | null }> = sql`
        ${sql.raw(new EntityAt(entity, at).page(after))}`;
      const { rows } = await readAgain(() => page.execute(this.#db));
      await this.#stillThere(entity, transaction);
      yield rows.flatMap(({ data }) => data ?? []);
      const last = rows.at(-1);
      if (last === undefined || rows.length < entity.page) return;
      after = last.id;
    }
  }

  async #transactions(which: RawBuilder<unknown>): Promise<readonly Transaction[]> {
    return await allRows<Transaction>(this.#db)`
      select nr, round(extract(epoch from at) * 1000)::float8 as "atMs", counts,
        last_event as "lastEvent"
      from replication_transaction t ${which}`;
  }

  async #page(entity: Entity, range: EventRange, after: number): Promise<readonly KeyedEvent[]> {
    return await allRows<KeyedEvent>(this.#db)`
      select e.nr, e.transaction, round(extract(epoch from t.at) * 1000)::float8 as "atMs",
        e.operation, e.key
      ${eventsIn(entity, range)} and e.nr > ${after} order by e.nr limit ${EVENTS_AT_ONCE}`;
  }

  async #withRows(
    entity: Entity,
    transaction: number,
    events: readonly KeyedEvent[],
  ): Promise<readonly EntityEvent[]> {
    const kept = Object.groupBy(events, ({ operation }) => (operation === 'delete' ? 'was' : 'is'));
    const read = async (given: readonly KeyedEvent[] = [], at: number) =>
      given.length === 0
        ? new Map<string, string>()
        : await this.#rows(
            new EntityAt(entity, await versionsAt(this.#db, at)),
            given.map(({ key }) => key),
          );
    const [was, is] = [await read(kept.was, transaction - 1), await read(kept.is, transaction)];
    return events.map(({ key, ...event }) => {
      const data = (event.operation === 'delete' ? was : is).get(nameOf(key));
      if (data === undefined) throw new RowsGone(`${entity.name}: a row of ${transaction} is gone`);
      return { ...event, data };
    });
  }

  async #rows(at: EntityAt, keys: readonly (readonly string[])[]): Promise<Map<string, string>> {
    const rows = at.byKeys('k');
    const asked = sql<{ key: readonly string[]; data: string }>`
      ${sql.raw(withTables(at.tables, true))} k as materialized (
        select array(select jsonb_array_elements_text(g)) as key
        from jsonb_array_elements(${JSON.stringify(keys)}::jsonb) g)
      ${sql.raw(rows)}`;
    const { rows: found } = await readAgain(() => asked.execute(this.#db));
    return new Map(found.map(({ key, data }) => [nameOf(key), data]));
  }

  async #stillThere(entity: Entity, transaction: number): Promise<void> {
    const begin = await this.beginOf(entity);
    if (begin !== null && begin.nr > transaction) {
      throw new RowsGone(`${entity.name}: the rows of ${transaction} are gone`);
    }
  }
}

type KeyedEvent = Omit<EntityEvent, 'data'> & { readonly key: readonly string[] };

const nameOf = (key: readonly string[]): string => JSON.stringify(key);

function eventsIn({ name }: Entity, range: EventRange): RawBuilder<unknown> {
  const keys = range.key.flatMap((value, n) =>
    value === null ? [] : [sql`and e.key[${sql.lit(n + 1)}] = ${value}`],
  );
  return sql`
    from replication_event e join replication_transaction t on t.nr = e.transaction
    where e.entity = ${name}
      and e.nr between ${range.from ?? 0}::bigint and ${range.to ?? MAX_NUMBER}::bigint
      and e.transaction between ${range.fromTransaction ?? 0}::bigint and ${range.toTransaction ?? MAX_NUMBER}::bigint
      and (${range.fromMs}::float8 is null or t.at >= to_timestamp(${range.fromMs}::float8 / 1000))
      and (${range.toMs}::float8 is null or t.at < to_timestamp((${range.toMs}::float8 + 1) / 1000))
      ${sql.join(keys, sql` `)}`;
}
