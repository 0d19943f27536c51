import { sql } from 'kysely';
import type { SyncDeps } from '../../deps.ts';
import { keepIssues } from '../../issues.ts';
import { isSame, keyOf } from '../../../src/changes/keys.ts';
import { countTwins } from './counts.ts';
import { issueOf, readTableFile } from './read.ts';
import { createStaged, indexStaged, keyStaged, withMemory } from './stage.ts';
import type { StagedTable, TablePlan, TableRun } from './table-run.ts';
import { SHAPES } from '../../../src/layers/register-tables.ts';
import type { UnreadableRow } from '../../../src/downloads/table-task.ts';
import type { Store } from '../../../src/db/connect.ts';
import type { Bounds } from '../../../src/geo/bounds.ts';

export interface Loaded {
  readonly plan: TablePlan;
  readonly total: StagedTable | null;
  readonly delta: StagedTable | null;
  readonly doubled: number;
}

/** While one table is indexed the next is read, except on the embedded store. */
export async function loadTables(
  deps: SyncDeps,
  run: TableRun,
  plans: readonly TablePlan[],
): Promise<readonly Loaded[]> {
  const keyed: Promise<Loaded>[] = [];
  let before: Promise<unknown> = Promise.resolve();
  try {
    for (const plan of plans) {
      const read = await readPlan(deps, run, plan);
      // One at a time: the connections are for the rows.
      const last = before.then(() => keyPlan(deps, run, read));
      before = last;
      // Handled below; until then the failure must not count as unhandled.
      last.catch(() => undefined);
      keyed.push(last);
      if (deps.store.kind === 'embedded') await last;
    }
    return await Promise.all(keyed);
  } finally {
    // Nothing may continue after the run has ended, because its tables are dropped.
    await Promise.allSettled(keyed);
  }
}

type Read = Pick<Loaded, 'plan' | 'total' | 'delta'>;

async function readPlan(deps: SyncDeps, run: TableRun, plan: TablePlan): Promise<Read> {
  const { db } = deps.store;
  let total: StagedTable | null = null;
  let delta: StagedTable | null = null;
  if (plan.total !== null) {
    total = await createStaged(db, plan, { runId: run.id, of: 'total' });
    await readTableFile(deps, run, { staged: total, file: plan.total });
    note(run, `${plan.entity}: ${plan.total.name}, ${total.read.received} rows`);
  }
  if (plan.deltas.length > 0) {
    delta = await createStaged(db, plan, { runId: run.id, of: 'delta' });
    for (const file of plan.deltas) {
      await readTableFile(deps, run, { staged: delta, file });
      note(run, `${plan.entity}: ${file.name}`);
    }
  }
  return { plan, total, delta };
}

async function keyPlan({ store }: SyncDeps, run: TableRun, read: Read): Promise<Loaded> {
  const { plan, total, delta } = read;
  const { isPersonal = false } = run.register.schema;
  const withoutTwins = async (staged: StagedTable): Promise<void> => {
    const twins = await takeTwins(store, staged);
    countTwins(run, staged, twins);
    await keepIssues(store, run, twins.map(issueOf(plan.entity, isPersonal)));
  };
  const keyed = (staged: StagedTable) => keyStaged(store, staged, () => withoutTwins(staged));
  let doubled = 0;
  if (plan.isFolded) {
    // Folding takes one of several rows; with the ended ones they share a key by design.
    if (total !== null && plan.table.ended === undefined) await withoutTwins(total);
    return { ...read, doubled };
  }
  if (total !== null) {
    doubled = await keyed(total);
    run.counts.staged += total.read.current - doubled;
    if (doubled > 0) note(run, `${plan.entity}: ${doubled} rows came twice under one id`);
    await indexStaged(store, total);
  }
  if (delta !== null) {
    await withoutClosed(store.db, delta);
    await keyed(delta);
    run.counts.staged += delta.read.current;
  }
  return { ...read, doubled };
}

/** Rows opened by one delta and closed by a later one were only intermediate. */
async function withoutClosed(db: SyncDeps['store']['db'], staged: StagedTable): Promise<void> {
  await sql`
    delete from ${sql.table(staged.next)} n using ${sql.table(staged.closed)} c
    where ${isSame(staged.plan.table, 'n', 'c')} and n.valid_from = c.valid_from
      and n.registered_from <= c.registered_from`.execute(db);
}

function note({ counts }: TableRun, text: string): void {
  counts.notes.push(text);
}

const REASON = 'another row of its id was registered with it';

/**
 * Rows of one key and one registration that differ leave a filled table that has no key yet: either
 * may hold, so both are unreadable (D143). Alike ones are one row, and of several registrations the
 * latest holds.
 */
export async function takeTwins(
  store: Store,
  staged: StagedTable,
): Promise<readonly UnreadableRow[]> {
  return await withMemory(store, (db) => take(db, staged));
}

async function take(
  db: Store['db'],
  { next, plan: { table } }: StagedTable,
): Promise<readonly UnreadableRow[]> {
  const shape = table.columns.find(({ kind }) => SHAPES.has(kind));
  const geometry = sql.ref(`t.${shape?.name ?? ''}`);
  const box =
    shape === undefined
      ? sql`null`
      : sql`case when not ST_IsEmpty(${geometry}) then array[ST_XMin(${geometry}),
          ST_YMin(${geometry}), ST_XMax(${geometry}), ST_YMax(${geometry})] end`;
  const { rows } = await sql<{
    key: string;
    cells: Readonly<Record<string, string | number | boolean | object | null>>;
    box: Bounds | null;
  }>`
    with doubled as (
      select ${keyOf(table)} from ${sql.table(next)} group by ${keyOf(table)} having count(*) > 1
    ),
    placed as (
      select ${keyOf(table, 't')}, md5(t::text) as content, rank() over (
        partition by ${keyOf(table, 't')} order by t.registered_from desc, t.valid_from desc) as place
      from ${sql.table(next)} t join doubled d on ${isSame(table, 't', 'd')}
    ),
    twins as (
      select ${keyOf(table)} from placed where place = 1
      group by ${keyOf(table)} having count(distinct content) > 1
    )
    delete from ${sql.table(next)} t using twins d where ${isSame(table, 't', 'd')}
    returning concat_ws(' ', ${keyOf(table, 't')}) as key, to_jsonb(t) as cells, ${box} as box`.execute(
    db,
  );
  return rows.map(({ key, cells, box: at }) => ({
    ...{ key, reason: REASON, box: at },
    cells: Object.fromEntries(
      Object.entries(cells).flatMap(([name, value]) =>
        typeof value === 'object' ? [] : [[name, String(value)]],
      ),
    ),
  }));
}
