import type { Store } from './connect.ts';

export interface ColumnFact {
  readonly table: string;
  readonly name: string;
  /** As format_type writes it. */
  readonly type: string;
  readonly notNull: boolean;
  readonly defaultSql: string | null;
  readonly identity: 'always' | 'by default' | null;
}

export interface TableFact {
  readonly name: string;
  readonly unlogged: boolean;
  /** Such as `LIST (layer)`; null: not partitioned. */
  readonly partitionKey: string | null;
  readonly partitions: readonly string[];
}

export interface ConstraintFact {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

export interface IndexFact {
  readonly table: string;
  readonly definition: string;
}

export interface FunctionFact {
  readonly definition: string;
}

export interface TriggerFact {
  readonly table: string;
  readonly definition: string;
}

export type Schema = Awaited<ReturnType<typeof describeSchema>>;

/** Without extensions' tables; partitions only as names of their parent. */
const OURS = `
  select c.oid, c.relname as name, c.relpersistence, c.relkind
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition and c.relname <> 'schema_migration'
    and not exists (select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

const TABLES = `
  select t.name, t.relpersistence = 'u' as unlogged,
    case when t.relkind = 'p' then pg_get_partkeydef(t.oid) end as "partitionKey",
    array(select p.relname::text from pg_inherits i join pg_class p on p.oid = i.inhrelid
      where i.inhparent = t.oid order by p.relname collate "C") as partitions
  from (${OURS}) t order by t.name collate "C"`;

const COLUMNS = `
  select t.name as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as "notNull", pg_get_expr(d.adbin, d.adrelid) as "defaultSql",
    case a.attidentity when 'a' then 'always' when 'd' then 'by default' end as identity
  from (${OURS}) t
  join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
  order by t.name collate "C", a.attnum`;

/** PostgreSQL 18 also lists not-null constraints, which columns already show. */
const CONSTRAINTS = `
  select t.name as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
  from (${OURS}) t join pg_constraint c on c.conrelid = t.oid and c.contype <> 'n'
  order by t.name collate "C", c.conname collate "C"`;

const INDEXES = `
  select t.name as table, pg_get_indexdef(i.indexrelid) as definition
  from (${OURS}) t join pg_index i on i.indrelid = t.oid
  where not exists (select from pg_constraint c where c.conindid = i.indexrelid)
  order by t.name collate "C", pg_get_indexdef(i.indexrelid) collate "C"`;

const FUNCTIONS = `
  select pg_get_functiondef(p.oid) as definition
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
    and not exists (select from pg_depend d
      where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  order by p.oid::regprocedure::text collate "C"`;

/** Without triggers of foreign keys. */
const TRIGGERS = `
  select t.name as table, pg_get_triggerdef(g.oid) as definition
  from (${OURS}) t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
  order by t.name collate "C", g.tgname collate "C"`;

export async function describeSchema({ pool }: Pick<Store, 'pool'>) {
  const [tables, columns, constraints, indexes, functions, triggers] = await Promise.all([
    pool.query<TableFact>(TABLES),
    pool.query<ColumnFact>(COLUMNS),
    pool.query<ConstraintFact>(CONSTRAINTS),
    pool.query<IndexFact>(INDEXES),
    pool.query<FunctionFact>(FUNCTIONS),
    pool.query<TriggerFact>(TRIGGERS),
  ]);
  return {
    tables: tables.rows,
    columns: columns.rows,
    constraints: constraints.rows,
    indexes: indexes.rows,
    functions: functions.rows,
    triggers: triggers.rows,
  };
}
