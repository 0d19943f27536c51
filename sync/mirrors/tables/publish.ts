/**
 * Publication of a register's tables: the one place that changes their tables, in one transaction. A total
 * takes the place of a table, a delta changes rows of it; readers see all of it or nothing.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import type { RegisterSchema } from '../../../src/layers/register-tables.ts';
import { instant } from '../../claim.ts';
import type { Publication } from '../../deps.ts';
import { advance, closeRun, holdClaim, queueUp } from '../../version.ts';
import { closes, contentOf, differs } from './compare.ts';
import { FORMER, keepDelta, keepTotal, openTableStep } from './history.ts';
import { isSame, keyOf } from './keys.ts';
import { noteOutdated, writeSource } from './source-store.ts';
import type { KnownSource, StagedTable, TablePlan, TableRun } from './table-run.ts';

type Trx = Store['db'];

/** A table that is to be published: its total, its deltas, or both. */
export interface ReadyTable {
  readonly plan: TablePlan;
  readonly total: StagedTable | null;
  readonly delta: StagedTable | null;
  /** What is remembered of it once this is published. */
  readonly known: KnownSource;
}

/** Throws, and changes nothing, when the claim is lost. */
export async function publishTables(
  store: Store,
  run: TableRun,
  { tables, nowMs }: { readonly tables: readonly ReadyTable[]; readonly nowMs: number },
): Promise<Publication> {
  return await store.db.transaction().execute(async (trx) => {
    await holdClaim(trx, run.id);
    await queueUp(trx);
    const { register } = run;
    const { schema } = register;
    const step = await openTableStep(trx, register);
    for (const { total, delta, plan, known } of tables) {
      // Of a table that was never mirrored there is nothing to go back to but its emptiness.
      const kept = plan.known === null ? null : step;
      if (total !== null) await replace(trx, total, { nowMs, schema, step: kept });
      if (delta !== null) await merge(trx, delta, { nowMs, schema, step: kept });
      await writeSource(trx, schema, { entity: plan.entity, known });
    }
    const publication = await advance(trx, register.id, {
      nowMs,
      syncedAtMs: run.replay?.readAtMs ?? run.startedAtMs,
      heldBy: run.replay?.by ?? null,
      sourceRows: null,
      counted: countedRows(schema),
    });
    await noteOutdated(trx, register);
    await closeRun(trx, run, { version: publication.version, nowMs });
    return publication;
  });
}

/** Nothing new was found: only what was read, and the moment that was proved, move. */
export async function confirmTables(
  store: Store,
  run: TableRun,
  { tables, nowMs }: { readonly tables: readonly ReadyTable[]; readonly nowMs: number },
): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    await holdClaim(trx, run.id);
    // An earlier reading proves nothing of the present.
    if (run.replay === null) {
      for (const { plan, known } of tables) {
        await writeSource(trx, run.register.schema, { entity: plan.entity, known });
      }
      await sql`
        update layer_state
        set synced_at = ${instant(run.startedAtMs)}, held_since = null, held_by = null
        where layer = ${run.register.id}`.execute(trx);
      await noteOutdated(trx, run.register);
    }
    await closeRun(trx, run, { version: null, nowMs });
  });
}

/** When it is published, and the step that will undo it; null where none is kept. */
interface Publishing {
  readonly nowMs: number;
  readonly schema: RegisterSchema;
  readonly step: number | null;
}

/** The staged table under the name of the one in service, which goes. */
async function replace(trx: Trx, staged: StagedTable, publishing: Publishing): Promise<void> {
  const { next, plan } = staged;
  const { table, indexes } = plan.table;
  if (publishing.step !== null) await keepTotal(trx, publishing, staged);
  const isLater = sql`n.valid_from > t.valid_from`;
  await keepReplaced(trx, { staged, isLater, ...publishing });
  await keepPast(trx, staged, publishing);
  await sql`drop table ${sql.table(table)}`.execute(trx);
  await sql`alter table ${sql.table(next)} rename to ${sql.id(table)}`.execute(trx);
  for (const suffix of ['_pkey', ...indexes.map((index) => index.suffix)]) {
    await sql`alter index ${sql.id(next + suffix)} rename to ${sql.id(table + suffix)}`.execute(
      trx,
    );
  }
}

/** Changes of the staged rows, each only over what was registered before it. */
async function merge(trx: Trx, staged: StagedTable, publishing: Publishing): Promise<void> {
  const { next, closed, plan } = staged;
  const { table } = plan.table;
  if (publishing.step !== null) await keepDelta(trx, publishing, staged);
  const isLater = sql`n.valid_from > t.valid_from and n.registered_from >= t.registered_from`;
  await keepReplaced(trx, { staged, isLater, ...publishing });
  await keepPast(trx, staged, publishing);
  const columns = [...contentOf(plan.table), 'registered_from', 'valid_from'];
  const names = sql.join([...plan.table.key, ...columns].map((name) => sql.id(name)));
  const sets = columns.map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`);
  await sql`
    insert into ${sql.table(table)} as t (${names}) select ${names} from ${sql.table(next)}
    on conflict (${keyOf(plan.table)}) do update set ${sql.join(sets)}
    where excluded.registered_from >= t.registered_from`.execute(trx);
  await sql`
    delete from ${sql.table(table)} t using ${sql.table(closed)} c where ${closes(plan.table, 'c', 't')}`.execute(
    trx,
  );
}

/** What the rows of the copy said until newer ones replace them. */
async function keepReplaced(
  trx: Trx,
  {
    staged: { plan, next },
    isLater,
    ...publishing
  }: Publishing & {
    readonly staged: StagedTable;
    readonly isLater: ReturnType<typeof sql>;
  },
): Promise<void> {
  const { former, table } = plan.table;
  if (former === null) return;
  const now = sql`${instant(publishing.nowMs)}::timestamptz`;
  await addFormer(trx, publishing, {
    columns: former.columns,
    rows: sql`
      select ${former.kind}, ${keyOf(plan.table, 't')}, t.valid_from, least(n.valid_from, ${now}),
        ${namesOf(former.columns, 't')}
      from ${sql.table(table)} t join ${sql.table(next)} n on ${isSame(plan.table, 'n', 't')}
      where ${isLater} and ${differs(former.columns, 't', 'n')}`,
  });
}

/** The past as the files tell it. */
async function keepPast(
  trx: Trx,
  { plan, former: from }: StagedTable,
  publishing: Publishing,
): Promise<void> {
  const { former } = plan.table;
  if (former === null) return;
  const key = keyOf(plan.table);
  await addFormer(trx, publishing, {
    columns: former.columns,
    rows: sql`
      select distinct on (${key}, valid_from) ${former.kind}, ${key}, valid_from, valid_to,
        ${namesOf(former.columns)}
      from ${sql.table(from)} order by ${key}, valid_from, registered_from desc`,
  });
}

/** Rows of the past, each once; the step remembers which were new. */
async function addFormer(
  trx: Trx,
  { schema: { beside }, step }: Publishing,
  of: { readonly columns: readonly string[]; readonly rows: RawBuilder<unknown> },
): Promise<void> {
  if (beside.former === null) throw new Error('The register keeps no rows of the past.');
  await sql`
    with fresh as (
      insert into ${sql.table(beside.former)}
        (kind, id, valid_from, valid_to, ${namesOf(of.columns)})
      ${of.rows}
      on conflict (kind, id, valid_from) do nothing returning *)
    insert into ${sql.table(beside.history)} (version, entity, id, was)
    select ${step}::bigint, ${FORMER}, concat_ws(' ', kind, id, valid_from), fresh::text
    from fresh where ${step}::bigint is not null`.execute(trx);
}

function namesOf(columns: readonly string[], alias?: string) {
  return sql.join(
    columns.map((name) => (alias === undefined ? sql.id(name) : sql.ref(`${alias}.${name}`))),
  );
}

/** What counts as the rows of the register; it has no area. */
export function countedRows({ counted }: RegisterSchema): RawBuilder<unknown> {
  const counts = counted.map((table) => sql`(select count(*) from ${sql.table(table)})`);
  return sql`select ${sql.join(counts, sql` + `)} as row_count, 0 as area_m2`;
}
