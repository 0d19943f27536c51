import { sql } from 'kysely';
import { oneRow } from '../../../src/db/rows.ts';
import type { Fold } from '../../../src/layers/register-tables.ts';
import { columnsOf } from '../../../src/downloads/read-table.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import type { SyncDeps } from '../../deps.ts';
import type { Loaded } from './load.ts';
import { createStaged, indexStaged, keyStaged, withMemory } from './stage.ts';
import type { StagedTable, TableRun } from './table-run.ts';

export async function foldTables(
  deps: SyncDeps,
  run: TableRun,
  loaded: readonly Loaded[],
): Promise<readonly Loaded[]> {
  const { schema, tables } = run.register;
  const { fold } = schema;
  const [first] = loaded;
  if (fold === undefined || first?.total === undefined || first.total === null) return [];
  const guards = tables[fold.naming]?.guards;
  if (guards === undefined) throw new Error(`${fold.naming} has no guards.`);
  // Minimum rows are checked for each table that was read.
  const { table: _table, ...like } = first.plan;
  const plan = {
    ...like,
    ...{ table: fold.into, entity: fold.into.entity, isFolded: false },
    guards: { ...guards, minRows: 1 },
  };
  const { store } = deps;
  const total = await createStaged(store.db, plan, { runId: run.id, of: 'total' });
  const names = namesOf(loaded);
  await fill(deps, total, { fold, names });
  await takeNotes(deps, run, { fold, names });
  const doubled = await keyStaged(store, total);
  await indexStaged(store, total);
  await count(deps, run, { total, fold });
  run.counts.staged += total.read.current;
  return [{ plan, total, delta: null, doubled }];
}

function namesOf(loaded: readonly Loaded[]): ReadonlyMap<string, string> {
  return new Map(
    loaded.flatMap(({ plan: { table }, total }): [string, string][] => {
      if (total === null) return [];
      const others: [string, string] = [`${table.table}_others`, total.others];
      return [[table.table, total.next], ...(table.keepsOthers === true ? [others] : [])];
    }),
  );
}

async function fill(
  { store }: SyncDeps,
  { next }: StagedTable,
  { fold, names }: { readonly fold: Fold; readonly names: Names },
): Promise<void> {
  const query = fold.query(namedIn(names), (table) => names.has(table));
  const columns = columnsOf(fold.into).map(({ name }) => sql.id(name));
  await withMemory(store, async (db) => {
    for (const name of names.values()) await sql`analyze ${sql.table(name)}`.execute(db);
    await sql`insert into ${sql.table(next)} (${sql.join(columns)}) ${sql.raw(query)}`.execute(db);
  });
}

type Names = ReadonlyMap<string, string>;

function namedIn(names: Names): (table: string) => string {
  return (table) => {
    const name = names.get(table);
    if (name === undefined) throw new Error(`${table} was not read.`);
    return `"${name}"`;
  };
}

async function takeNotes(
  { store }: SyncDeps,
  { counts }: TableRun,
  { fold, names }: { readonly fold: Fold; readonly names: Names },
): Promise<void> {
  if (fold.notes === undefined) return;
  const query = fold.notes(namedIn(names));
  const { rows } = await sql<{ note: string }>`${sql.raw(query)}`.execute(store.db);
  counts.notes.push(...rows.slice(0, LIMITS.foldNotes).map(({ note }) => note));
}

async function count(
  { store }: SyncDeps,
  run: TableRun,
  { total, fold }: { readonly total: StagedTable; readonly fold: Fold },
): Promise<void> {
  const { rows: kept, unresolved } = await oneRow<{ rows: number; unresolved: number }>(store.db)`
    select count(*)::float8 as rows,
      coalesce(sum(${sql.id(fold.unresolved)}), 0)::float8 as unresolved
    from ${sql.table(total.next)}`;
  Object.assign(total.read, { received: kept, current: kept, unresolved });
  run.counts.notes.push(
    `${fold.into.entity}: ${kept} rows; ${unresolved} references to rows that are not there`,
  );
}
