/** Former rows: from files with history, otherwise from the copy's replaced rows (D86). */
import { instant } from '../../../src/kernel/clock.ts';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import { columnsOf, storeNamesOf } from '../../../src/downloads/read-table.ts';
import { formerTable } from '../../../src/layers/register-tables.ts';
import type {
  FormerColumns,
  RegisterSchema,
  RegisterTable,
} from '../../../src/layers/register-tables.ts';
import { contentsOf } from '../../../src/layers/source.ts';
import { differs } from './compare.ts';
import { FORMER } from './history.ts';
import { isMissing, isSame, keyOf, keyText } from '../../../src/changes/keys.ts';
import type { StagedTable } from './table-run.ts';

type Trx = Store['db'];

export interface Publishing {
  readonly nowMs: number;
  /** When the files were read: by then a missing row had ended. */
  readonly readAtMs: number;
  readonly schema: RegisterSchema;
  readonly step: number | null;
}

interface Keeping extends Publishing {
  /** A total replaces the copy; a delta changes its earlier registered rows. */
  readonly of: 'total' | 'delta';
}

/** Call before the copy is changed. */
export async function keepPast(trx: Trx, staged: StagedTable, keeping: Keeping): Promise<void> {
  const { table } = staged.plan;
  const own = formerTable(table);
  if (own !== null) await keepWhole(trx, { staged, own }, keeping);
  else if (table.former !== null && 'kind' in table.former) {
    await keepColumns(trx, { staged, former: table.former }, keeping);
  }
}

/** A staged row (n) replaces one of the copy (t) from a day on. */
function isLater(of: Keeping['of']): RawBuilder<boolean> {
  const later = sql<boolean>`n.valid_from > t.valid_from`;
  return of === 'total' ? later : sql`${later} and n.registered_from >= t.registered_from`;
}

async function keepWhole(
  trx: Trx,
  { staged, own }: { readonly staged: StagedTable; readonly own: RegisterTable },
  keeping: Keeping,
): Promise<void> {
  const { plan, former, closed } = staged;
  const { table } = plan;
  const statement = sql`
    select distinct on (${keyOf(own)}) ${all()} from ${sql.table(former)}
    order by ${keyOf(own)}, registered_from desc, valid_to desc`;
  if (contentsOf(plan.source) === 'Current') {
    // Before its first total a table has no history of its own.
    if (plan.known !== null) await put(trx, { own, rows: replaced(staged, keeping) }, keeping);
    await put(trx, { own, rows: statement }, keeping);
    return;
  }
  // The file has history: it removes what it retracts and replaces what it corrects.
  const isTakenBack = sql`${isSame(own, 'f', 'c')} and f.registered_from <= c.registered_from`;
  await remember(trx, keeping, {
    own,
    rows: sql`
      select distinct on (${keyOf(own, 'f')}) ${keyText(own, 'f')} as id, f::text as was
      from ${sql.table(own.table)} f join ${sql.table(closed)} c on ${isTakenBack}`,
  });
  await sql`
    delete from ${sql.table(own.table)} f using ${sql.table(closed)} c
    where ${isTakenBack}`.execute(trx);
  await put(trx, { own, rows: statement }, keeping);

  function all() {
    return sql.join([...namesOf(table), 'valid_to'].map((name) => sql.id(name)));
  }
}

/** Rows of the copy with a successor, and those without, which ended by now. */
function replaced({ plan: { table }, next, closed }: StagedTable, { readAtMs, of }: Keeping) {
  const columns = sql.join(namesOf(table).map((name) => sql.ref(`t.${name}`)));
  const now = sql`${instant(readAtMs)}::timestamptz`;
  const live = sql.table(table.table);
  const followed = sql`
    select ${columns}, least(n.valid_from, ${now}) as valid_to
    from ${live} t join ${sql.table(next)} n on ${isSame(table, 'n', 't')}
    where ${isLater(of)}`;
  // `exists` would read all of the copy, where a join looks the few closed rows up in its key.
  const closing = sql`(
    select ${keyOf(table)}, valid_from, max(registered_from) as registered_from
    from ${sql.table(closed)} group by ${keyOf(table)}, valid_from) c`;
  const isClosed = sql`${isSame(table, 't', 'c')} and t.valid_from = c.valid_from
    and t.registered_from <= c.registered_from`;
  const followers = sql`left join ${sql.table(next)} n on ${isSame(table, 'n', 't')}`;
  return sql`
    ${followed} union all
    select ${columns}, ${now}
    from ${live} t ${of === 'total' ? followers : sql`join ${closing} on ${isClosed} ${followers}`}
    where ${isMissing(table, 'n')} and t.valid_from < ${now}`;
}

/** Over earlier registered ones, which the history step keeps. */
async function put(
  trx: Trx,
  { own, rows }: { readonly own: RegisterTable; readonly rows: RawBuilder<unknown> },
  keeping: Keeping,
): Promise<void> {
  const names = [...namesOf(own), 'valid_to'];
  const said = names.filter((name) => !own.key.includes(name));
  const isNews = (was: string, now: string) => sql`
    ${sql.ref(`${now}.registered_from`)} >= ${sql.ref(`${was}.registered_from`)}
    and ${differs(said, was, now)}`;
  await remember(trx, keeping, {
    own,
    rows: sql`
      select ${keyText(own, 'r')} as id, f::text as was
      from (${rows}) r left join ${sql.table(own.table)} f on ${isSame(own, 'f', 'r')}
      where ${isMissing(own, 'f')} or ${isNews('f', 'r')}`,
  });
  const sets = said.map((name) => sql`${sql.id(name)} = ${sql.ref(`excluded.${name}`)}`);
  const into = sql.join(names.map((name) => sql.id(name)));
  await sql`
    insert into ${sql.table(own.table)} as f (${into}) ${rows}
    on conflict (${keyOf(own)}) do update set ${sql.join(sets)}
    where ${isNews('f', 'excluded')}`.execute(trx);
}

async function remember(
  trx: Trx,
  { schema, step }: Keeping,
  { own, rows }: { readonly own: RegisterTable; readonly rows: RawBuilder<unknown> },
): Promise<void> {
  if (step === null) return;
  await sql`
    insert into ${sql.table(schema.beside.history)} (version, entity, id, was)
    select ${step}::bigint, ${own.entity}, id, was from (${rows}) r
    on conflict do nothing`.execute(trx);
}

function namesOf(table: RegisterTable): readonly string[] {
  return storeNamesOf(columnsOf(table));
}

interface OfColumns {
  readonly staged: StagedTable;
  readonly former: FormerColumns;
}

async function keepColumns(
  trx: Trx,
  { staged: { plan, next, former: from }, former }: OfColumns,
  keeping: Keeping,
): Promise<void> {
  const { table } = plan;
  const key = keyOf(table);
  const now = sql`${instant(keeping.nowMs)}::timestamptz`;
  await addColumns(trx, keeping, {
    columns: former.columns,
    rows: sql`
      select ${former.kind}, ${keyOf(table, 't')}, t.valid_from, least(n.valid_from, ${now}),
        ${refsOf(former.columns, 't')}
      from ${sql.table(table.table)} t join ${sql.table(next)} n on ${isSame(table, 'n', 't')}
      where ${isLater(keeping.of)} and ${differs(former.columns, 't', 'n')}`,
  });
  await addColumns(trx, keeping, {
    columns: former.columns,
    rows: sql`
      select distinct on (${key}, valid_from) ${former.kind}, ${key}, valid_from, valid_to,
        ${refsOf(former.columns)}
      from ${sql.table(from)} order by ${key}, valid_from, registered_from desc`,
  });
}

async function addColumns(
  trx: Trx,
  { schema: { beside }, step }: Keeping,
  of: { readonly columns: readonly string[]; readonly rows: RawBuilder<unknown> },
): Promise<void> {
  if (beside.former === null) throw new Error('The register keeps no rows of the past.');
  await sql`
    with fresh as (
      insert into ${sql.table(beside.former)}
        (kind, id, valid_from, valid_to, ${refsOf(of.columns)})
      ${of.rows}
      on conflict (kind, id, valid_from) do nothing returning *)
    insert into ${sql.table(beside.history)} (version, entity, id, was)
    select ${step}::bigint, ${FORMER}, concat_ws(' ', kind, id, valid_from), fresh::text
    from fresh where ${step}::bigint is not null`.execute(trx);
}

function refsOf(columns: readonly string[], alias?: string) {
  return sql.join(
    columns.map((name) => (alias === undefined ? sql.id(name) : sql.ref(`${alias}.${name}`))),
  );
}
