import { sql } from 'kysely';
import { openStore } from '../../db/connect.ts';
import type { Db } from '../../db/connect.ts';
import { allRows, firstRow } from '../../db/rows.ts';

export interface CopyRow {
  readonly entity: string;
  readonly key: string;
  /** JSON; null: deleted. */
  readonly row: string | null;
  readonly isUnread: boolean;
}

export interface Position {
  /** Transaction of the first extracts, and the last event applied. */
  readonly transaction: number;
  readonly event: number;
}

const TABLES = [
  sql`create table if not exists copy_state (
    is_only boolean primary key default true check (is_only), transaction integer not null, event integer not null)`,
  sql`create table if not exists copy_register (
    register text primary key, transaction integer)`,
  sql`create table if not exists copy_row (
    register text not null, entity text not null, key text not null, content jsonb,
    is_unread boolean not null, primary key (register, entity, key))`,
];

export interface Copy {
  /** null: not started. */
  position(): Promise<Position | null>;
  /** Deletes what there was. */
  begin(at: Position, registers: readonly string[]): Promise<void>;
  registers(): Promise<readonly { readonly register: string; readonly isWhole: boolean }[]>;
  /** In one transaction. */
  replace(register: string, transaction: number, rows: AsyncIterable<CopyRow>): Promise<void>;
  leaveOut(register: string): Promise<void>;
  /** In one transaction. */
  apply(changes: ReadonlyMap<string, readonly CopyRow[]>, event: number): Promise<void>;
  /** `apart`: rows that differ from the extract. */
  compare(register: string, rows: AsyncIterable<CopyRow>): Promise<{ rows: number; apart: number }>;
  close(): Promise<void>;
}

const BATCH = 1_000;

export async function openCopy(databaseUrl: string): Promise<Copy> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const store = await openStore({
    databaseUrl,
    dataDir: '',
    purpose: 'sync',
    maxConnections: 2,
    log,
  });
  const { db } = store;
  for (const table of TABLES) await table.execute(db);
  return {
    position: async () => {
      return await firstRow<Position>(db)`select transaction, event from copy_state`;
    },
    begin: (at, registers) => db.transaction().execute((trx) => begin(trx, at, registers)),
    registers: async () => {
      return await allRows<{ register: string; isWhole: boolean }>(db)`
        select register, transaction is not null as "isWhole" from copy_register
        order by register`;
    },
    replace: (register, transaction, rows) =>
      db.transaction().execute((trx) => replace(trx, { register, transaction, rows })),
    leaveOut: async (register) => {
      await sql`delete from copy_register where register = ${register}`.execute(db);
    },
    apply: (changes, event) =>
      db.transaction().execute(async (trx) => {
        for (const [register, rows] of changes) await applyTo(trx, register, rows);
        await sql`update copy_state set event = ${event}::integer`.execute(trx);
      }),
    compare: (register, rows) => db.transaction().execute((trx) => compare(trx, register, rows)),
    close: () => store.close(),
  };
}

async function replace(
  trx: Db,
  {
    register,
    transaction,
    rows,
  }: {
    readonly register: string;
    readonly transaction: number;
    readonly rows: AsyncIterable<CopyRow>;
  },
): Promise<void> {
  await sql`delete from copy_row where register = ${register}`.execute(trx);
  await insertAll(trx, sql`copy_row`, { register, rows });
  await sql`
    insert into copy_register values (${register}, ${transaction}::integer)
    on conflict (register) do update set transaction = excluded.transaction`.execute(trx);
}

async function begin(trx: Db, at: Position, registers: readonly string[]): Promise<void> {
  await sql`delete from copy_state`.execute(trx);
  await sql`delete from copy_register`.execute(trx);
  await sql`delete from copy_row`.execute(trx);
  await sql`
    insert into copy_state (transaction, event)
    values (${at.transaction}::integer, ${at.event}::integer)`.execute(trx);
  await sql`
    insert into copy_register (register) select unnest(${registers}::text[])`.execute(trx);
}

async function insertAll(
  trx: Db,
  table: ReturnType<typeof sql>,
  { register, rows }: { readonly register: string; readonly rows: AsyncIterable<CopyRow> },
): Promise<void> {
  let batch: CopyRow[] = [];
  for await (const row of rows) {
    if (batch.push(row) < BATCH) continue;
    await insert(trx, table, { register, rows: batch });
    batch = [];
  }
  await insert(trx, table, { register, rows: batch });
}

async function insert(
  trx: Db,
  table: ReturnType<typeof sql>,
  { register, rows }: { readonly register: string; readonly rows: readonly CopyRow[] },
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into ${table} (register, entity, key, content, is_unread)
    select ${register}, r.* from unnest(${rows.map(({ entity }) => entity)}::text[],
      ${rows.map(({ key }) => key)}::text[], ${rows.map(({ row }) => row)}::jsonb[],
      ${rows.map(({ isUnread }) => isUnread)}::boolean[]) as r
    on conflict (register, entity, key) do update set content = excluded.content,
      is_unread = excluded.is_unread`.execute(trx);
}

/** A key's last change counts. */
async function applyTo(trx: Db, register: string, changes: readonly CopyRow[]): Promise<void> {
  const last = new Map(
    changes.map((change) => [JSON.stringify([change.entity, change.key]), change]),
  );
  const rows = [...last.values()];
  const gone = rows.filter(({ row, isUnread }) => row === null && !isUnread);
  await sql`
    delete from copy_row c using unnest(${gone.map(({ entity }) => entity)}::text[],
      ${gone.map(({ key }) => key)}::text[]) as g(entity, key)
    where c.register = ${register} and c.entity = g.entity and c.key = g.key`.execute(trx);
  const stay = rows.filter(({ row, isUnread }) => row !== null || isUnread);
  for (let at = 0; at < stay.length; at += BATCH) {
    await insert(trx, sql`copy_row`, { register, rows: stay.slice(at, at + BATCH) });
  }
}

async function compare(trx: Db, register: string, rows: AsyncIterable<CopyRow>) {
  await sql`create temporary table proof (like copy_row including all) on commit drop`.execute(trx);
  await insertAll(trx, sql`proof`, { register, rows });
  const { rows: found } = await sql<{ rows: number; apart: number }>`
    select count(*)::float8 as rows, (count(*) filter (where c.key is null or p.key is null
      or c.content is distinct from p.content or c.is_unread <> p.is_unread))::float8 as apart
    from (select * from copy_row where register = ${register}) c
    full join proof p on p.entity = c.entity and p.key = c.key`.execute(trx);
  return found[0] ?? { rows: 0, apart: 0 };
}
