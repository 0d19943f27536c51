/**
 * All tables of a register in one transaction. A total replaces a table, a delta changes its rows.
 */
import { instant } from '../../../src/kernel/clock.ts';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import type { RegisterSchema } from '../../../src/layers/register-tables.ts';
import type { Publication } from '../../deps.ts';
import { logChanges } from '../../changes.ts';
import { advance, closeRun, holdClaim, queueUp } from '../../version.ts';
import { closes, contentOf } from './compare.ts';
import { dropUnchanged, keepDelta, keepFirst, keepTotal, openTableStep } from './history.ts';
import { keyOf } from '../../../src/changes/keys.ts';
import { keepPast } from './past.ts';
import type { Publishing } from './past.ts';
import { noteOutdated, writeSource } from './source-store.ts';
import type { KnownSource, StagedTable, TablePlan, TableRun } from './table-run.ts';
import { writeUnreadRows } from './unread.ts';
import type { UnreadRow } from './unread-row.ts';

type Trx = Store['db'];

export interface ReadyTable {
  readonly plan: TablePlan;
  readonly total: StagedTable | null;
  readonly delta: StagedTable | null;
  /** Its source once published; null: it is folded from others. */
  readonly known: KnownSource | null;
}

/** Throws, and changes nothing, when the claim is lost. */
export async function publishTables(
  store: Store,
  run: TableRun,
  {
    tables,
    unread,
    nowMs,
  }: {
    readonly tables: readonly ReadyTable[];
    readonly unread: readonly UnreadRow[];
    readonly nowMs: number;
  },
): Promise<Publication> {
  return await store.db.transaction().execute(async (trx) => {
    await holdClaim(trx, run.id);
    await queueUp(trx);
    const { register } = run;
    const { schema } = register;
    const step = await openTableStep(trx, register);
    const readAtMs = run.replay?.readAtMs ?? run.startedAtMs;
    for (const { total, delta, plan, known } of tables) {
      // A table mirrored for the first time can only go back to empty.
      const kept = plan.known === null ? null : step;
      const publishing = { nowMs, readAtMs, schema, step: kept };
      if (total !== null && !plan.isFolded) await replace(trx, total, publishing);
      if (delta !== null) await merge(trx, delta, publishing);
      await settleStep(trx, { plan, delta }, { step, schema });
      if (known !== null) await writeSource(trx, schema, { entity: plan.entity, known, nowMs });
    }
    const publication = await advance(trx, register.id, {
      nowMs,
      syncedAtMs: readAtMs,
      heldBy: run.replay?.by ?? null,
      sourceRows: null,
      counted: countedRows(schema),
    });
    const folded = tables.flatMap(({ plan, total }) =>
      total !== null && plan.isFolded ? [total] : [],
    );
    await writeUnreadRows(trx, register, { rows: unread, read: folded });
    await noteOutdated(trx, register);
    await logChanges(trx, { publication, step, nowMs, register });
    await closeRun(trx, run, { version: publication.version, nowMs });
    return publication;
  });
}

async function settleStep(
  trx: Trx,
  { plan, delta }: Pick<ReadyTable, 'plan' | 'delta'>,
  keeping: { readonly step: number | null; readonly schema: RegisterSchema },
): Promise<void> {
  if (keeping.step === null || plan.isFolded) return;
  if (plan.known === null) await keepFirst(trx, keeping, plan.table);
  else if (delta !== null) await dropUnchanged(trx, keeping, plan.table);
}

export async function confirmTables(
  store: Store,
  run: TableRun,
  { tables, nowMs }: { readonly tables: readonly ReadyTable[]; readonly nowMs: number },
): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    await holdClaim(trx, run.id);
    // An earlier reading verifies nothing.
    if (run.replay === null) {
      for (const { plan, known } of tables) {
        if (known === null) continue;
        await writeSource(trx, run.register.schema, { entity: plan.entity, known, nowMs });
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

async function replace(trx: Trx, staged: StagedTable, publishing: Publishing): Promise<void> {
  const { next, plan } = staged;
  const { table, indexes } = plan.table;
  if (publishing.step !== null) await keepTotal(trx, publishing, staged);
  await keepPast(trx, staged, { ...publishing, of: 'total' });
  await sql`drop table ${sql.table(table)}`.execute(trx);
  await sql`alter table ${sql.table(next)} rename to ${sql.id(table)}`.execute(trx);
  for (const suffix of ['_pkey', ...indexes.map((index) => index.suffix)]) {
    await sql`alter index ${sql.id(next + suffix)} rename to ${sql.id(table + suffix)}`.execute(
      trx,
    );
  }
}

/** Applies staged rows, each only over earlier registered ones. */
async function merge(trx: Trx, staged: StagedTable, publishing: Publishing): Promise<void> {
  const { next, closed, plan } = staged;
  const { table } = plan.table;
  if (publishing.step !== null) await keepDelta(trx, publishing, staged);
  await keepPast(trx, staged, { ...publishing, of: 'delta' });
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

/** Rows that count as the register's; there is no area. */
export function countedRows({ counted }: RegisterSchema): RawBuilder<unknown> {
  const counts = counted.map((table) => sql`(select count(*) from ${sql.table(table)})`);
  return sql`select ${sql.join(counts, sql` + `)} as row_count, 0 as area_m2`;
}
