/**
 * Properties whose records publications may have changed: statement.ts reads a replaced row, before
 * or after. Never too few.
 */
import { CompiledQuery, sql } from 'kysely';
import { oneRow } from '../../db/rows.ts';
import type { Db } from '../../db/connect.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { ADDRESS_SCHEMA } from '../addresses/tables.ts';
import { ASSESSMENT_SCHEMA } from '../assessments/tables.ts';
import { BBR_SCHEMA } from './tables.ts';
import { CADASTRE_SCHEMA } from '../cadastre/tables.ts';
import { ADDRESSES, ASSESSMENTS, BBR, CADASTRE, PROTECTION } from '../../layers/keys.ts';
import type { MirrorId } from '../../layers/keys.ts';
import type { PublishedVersion } from '../../layers/published-copy.ts';
import { PROTECTION_SCHEMA } from './protection/tables.ts';
import { idOfKind, ownFormer } from '../../layers/register-tables.ts';
import type { RegisterSchema, RegisterTable } from '../../layers/register-tables.ts';

export type StateOfRegisters = readonly Pick<
  PublishedVersion,
  'layer' | 'version' | 'publishedAtMs'
>[];

/** A state whose rows were read for the instant `atMs`. */
export interface EarlierState {
  readonly registers: StateOfRegisters;
  readonly atMs: number;
}

const REGISTERS: readonly { readonly layer: MirrorId; readonly schema: RegisterSchema }[] = [
  { layer: BBR, schema: BBR_SCHEMA },
  { layer: CADASTRE, schema: CADASTRE_SCHEMA },
  { layer: ADDRESSES, schema: ADDRESS_SCHEMA },
  { layer: ASSESSMENTS, schema: ASSESSMENT_SCHEMA },
  { layer: PROTECTION, schema: PROTECTION_SCHEMA },
];

/** Ascending; null: the history between is incomplete, or a full rebuild is cheaper. */
export async function touchedSince(
  trx: Db,
  { registers, atMs }: EarlierState,
  published: StateOfRegisters,
): Promise<readonly number[] | null> {
  if (registers.length !== published.length) return null;
  for (const now of published) {
    const was = registers.find(({ layer }) => layer === now.layer);
    if (was === undefined || !(await isEachStepKept(trx, was, now))) return null;
  }
  const versions = REGISTERS.map(
    ({ layer }) => registers.find((each) => each.layer === layer)?.version ?? 0,
  );
  if (!(await areFew(trx, versions))) return null;
  const { rows } = await trx.executeQuery<{ bfes: number[] | null }>(
    CompiledQuery.raw(STATEMENT, [new Date(atMs).toISOString(), ...versions]),
  );
  return rows[0]?.bfes ?? [];
}

/** A table first mirrored in between replaced none. */
async function isEachStepKept(
  trx: Db,
  was: StateOfRegisters[number],
  now: StateOfRegisters[number],
): Promise<boolean> {
  if (was.version === now.version) return was.publishedAtMs === now.publishedAtMs;
  const { beside } = schemaOf(now.layer);
  const step = await oneRow<{ kept: number; first_ms: number | null; has_new_table: boolean }>(trx)`
    select count(*)::integer as kept,
      (min(floor(extract(epoch from published_at) * 1000))
        filter (where version = ${was.version + 1}))::float8 as first_ms,
      exists (
        select entity from ${sql.table(beside.sources)} except
        select s ->> 'entity' from layer_history f, jsonb_array_elements(f.sources) s
        where f.layer = ${was.layer} and f.version = ${was.version + 1}) as has_new_table
    from layer_history
    where layer = ${was.layer} and version > ${was.version} and version <= ${now.version}
      and not is_leaving`;
  return (
    !step.has_new_table &&
    step.kept === now.version - was.version &&
    step.first_ms === was.publishedAtMs
  );
}

function schemaOf(layer: MirrorId): RegisterSchema {
  const found = REGISTERS.find((each) => each.layer === layer);
  if (found === undefined) throw new Error(`No property is made of ${layer}.`);
  return found.schema;
}

async function areFew(trx: Db, versions: readonly number[]): Promise<boolean> {
  const most = LIMITS.property.touchedRows;
  const each = REGISTERS.map(
    ({ schema }, i) =>
      `(select 1 from ${schema.beside.history} where version > $${i + 1} limit ${most + 1})`,
  );
  const { rows } = await trx.executeQuery<{ rows: number }>(
    CompiledQuery.raw(`select count(*)::integer as rows from (${each.join(' union all ')}) r`, [
      ...versions,
    ]),
  );
  return (rows[0]?.rows ?? 0) <= most;
}

const LINKS = {
  bbr_property: ['bfe'],
  bbr_ground: ['property_id'],
  bbr_ground_parcel: ['ground_id', 'parcel_id'],
  bbr_building: ['ground_id', 'parcel_id', 'foreign_property_id', 'flat_property_id'],
  bbr_building_property: ['building_id', 'property_id'],
  bbr_floor: ['building_id'],
  bbr_entrance: ['building_id'],
  bbr_unit: ['floor_id', 'entrance_id', 'building_id', 'flat_property_id'],
  bbr_unit_property: ['unit_id', 'property_id'],
  bbr_facility: ['ground_id', 'building_id', 'unit_id', 'foreign_property_id', 'flat_property_id'],
  cadastre_property: ['bfe'],
  cadastre_flat: ['bfe'],
  cadastre_foreign_building: ['bfe'],
  cadastre_parcel: ['bfe', 'district_id'],
  cadastre_district: [],
  address_property: ['bfe'],
} as const satisfies Record<string, readonly string[]>;

type Table = keyof typeof LINKS;
const TABLES = Object.keys(LINKS) as Table[];

/** History rows count where they were true when the earlier state was read. */
const AT = '$1::timestamptz';

const columns = (table: Table): string =>
  ['id', ...LINKS[table]].map((name) => `t.${name}`).join(', ');

function seen(table: Table, where: string): string {
  const former = ownFormer(tableOf(table).own);
  const from = (name: string, also = '') =>
    `select ${columns(table)} from ${name} t where ${where}${also}`;
  return [
    from(table),
    ...(former === null ? [] : [from(former, ` and t.valid_to > ${AT}`)]),
    from(`was_${table}`),
  ].join(' union all ');
}

const seenBy = (list: string, table: Table, where: string): string =>
  `select t.* from ${list} l cross join lateral (${seen(table, where)}) t`;

function tableOf(table: Table): { own: RegisterTable; history: string; since: string } {
  for (const { layer, schema } of REGISTERS) {
    const own = schema.tables.find((each) => each.table === table);
    if (own !== undefined) return { own, history: schema.beside.history, since: sinceOf(layer) };
  }
  throw new Error(`No register has the table ${table}.`);
}

function sinceOf(mirror: MirrorId): string {
  return `$${REGISTERS.findIndex(({ layer }) => layer === mirror) + 2}::bigint`;
}

export interface GivenRow {
  readonly table: string;
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Numbers whose record has, or would have, one of these partly readable rows, in the order of the
 * rows.
 */
export async function numbersOfRows(
  trx: Db,
  rows: readonly GivenRow[],
): Promise<readonly (readonly number[])[]> {
  const numbers: (readonly number[])[] = [];
  for (const { table, cells } of rows) {
    const given = isTable(table) ? { [table]: [storableCells(table, cells)] } : {};
    const found = await trx.executeQuery<{ bfes: number[] | null }>(
      CompiledQuery.raw(OF_GIVEN_ROWS, ['-infinity', JSON.stringify(given)]),
    );
    numbers.push(found.rows[0]?.bfes ?? []);
  }
  return numbers;
}

function isTable(name: string): name is Table {
  return Object.hasOwn(LINKS, name);
}

/** Cells that their column accepts; a missing id becomes an unused one. */
function storableCells(table: Table, cells: GivenRow['cells']): Record<string, string> {
  const named = ['id', ...LINKS[table]].flatMap((name) => {
    const id = idOfKind(typeOf(table, name), cells[name]);
    return id === null ? [] : [[name, id] as const];
  });
  const nobody = typeOf(table, 'id') === 'uuid' ? '00000000-0000-0000-0000-000000000000' : '-1';
  return { id: nobody, ...Object.fromEntries(named) };
}

function typeOf(table: Table, column: string): 'uuid' | 'bigint' {
  const own = tableOf(table).own.columns.find(({ name }) => name === column);
  return own?.kind === 'uuid' ? 'uuid' : 'bigint';
}

function givenOf(table: Table): string[] {
  const rows = `coalesce($2::jsonb -> '${table}', '[]')`;
  const names = ['id', ...LINKS[table]].map((name) => `${name} ${typeOf(table, name)}`).join(', ');
  return [
    `was_${table} as materialized (select * from jsonb_to_recordset(${rows}) as t(${names}))`,
    `changed_${table} as materialized (select id from was_${table})`,
  ];
}

function changesOf(table: Table): string[] {
  const { own, history, since } = tableOf(table);
  const former = ownFormer(own);
  const type = table.startsWith('cadastre_') ? 'bigint' : 'uuid';
  const of = (entity: string) =>
    `from ${history} h where h.version > ${since} and h.entity = '${entity}'`;
  const past = `${own.entity} former`;
  const ids = [
    `select h.id::${type} as id ${of(own.entity)}`,
    ...(former === null ? [] : [`select (h.id::jsonb ->> 0)::${type} ${of(past)}`]),
  ];
  const rows = [{ entity: own.entity, row: table as string }];
  if (former !== null) rows.push({ entity: past, row: former });
  const were = rows.map(
    ({ entity, row }) =>
      `select ${columns(table)} from (select (h.was::${row}).* ${of(entity)} and h.was is not null offset 0) t`,
  );
  return [
    `changed_${table} as materialized (${ids.join(' union ')})`,
    `was_${table} as materialized (${were.join(' union all ')})`,
  ];
}

const changedRows = (table: Table): string => seenBy(`changed_${table}`, table, 't.id = l.id');

const PROTECTED = PROTECTION_SCHEMA.tables.flatMap((own) => {
  const changed = `from ${PROTECTION_SCHEMA.beside.history} h
    where h.version > ${sinceOf(PROTECTION)} and h.entity = '${own.entity}'`;
  const isOfKey = own.key
    .map((name, i) => `t.${name} = (h.id::jsonb ->> ${i})::bigint`)
    .join(' and ');
  return [
    `select (h.was::${own.table}).building_id ${changed} and h.was is not null`,
    `select t.building_id from (select h.id ${changed}) h join ${own.table} t on ${isOfKey}`,
  ];
});

const ASSESSED = `select h.id::bigint as bfe from ${ASSESSMENT_SCHEMA.beside.history} h
  where h.version > ${sinceOf(ASSESSMENTS)}`;

const ids = (...lists: readonly string[]): string =>
  `select distinct id from (${lists.join(' union all ')}) i where id is not null`;

/** Each follows the links of the statement in reverse. */
const WAYS: Readonly<Record<string, string>> = {
  facility: changedRows('bbr_facility'),
  unit_id: ids('select id from changed_bbr_unit', 'select unit_id from facility'),
  unit: seenBy('unit_id', 'bbr_unit', 't.id = l.id'),
  floor_id: ids('select id from changed_bbr_floor', 'select floor_id from unit'),
  floor: seenBy('floor_id', 'bbr_floor', 't.id = l.id'),
  // Whether a unit is its entrance's depends on its floor.
  entrance_id: ids(
    'select id from changed_bbr_entrance',
    'select entrance_id from unit',
    `select u.entrance_id from (${seenBy('floor_id', 'bbr_unit', 't.floor_id = l.id')}) u`,
  ),
  entrance: seenBy('entrance_id', 'bbr_entrance', 't.id = l.id'),
  parcel_id: ids(
    'select id from changed_cadastre_parcel',
    `select p.id from (${seen(
      'cadastre_parcel',
      't.district_id in (select id from changed_cadastre_district)',
    )}) p`,
  ),
  ground_parcel: changedRows('bbr_ground_parcel'),
  ground_id: ids(
    'select id from changed_bbr_ground',
    'select ground_id from facility',
    'select ground_id from ground_parcel',
    `select p.ground_id from (${seen(
      'bbr_ground_parcel',
      't.parcel_id in (select id from parcel_id)',
    )}) p`,
  ),
  building_property: changedRows('bbr_building_property'),
  // What names a building on leased ground also belongs to that property's buildings.
  foreign_id: ids('select foreign_property_id as id from facility'),
  building_id: ids(
    'select id from changed_bbr_building',
    'select building_id from protection',
    ...['facility', 'unit', 'floor', 'entrance', 'building_property'].map(
      (list) => `select building_id from ${list}`,
    ),
    `select b.id from (${seenBy('ground_id', 'bbr_building', 't.ground_id = l.id')}) b`,
    `select b.id from (${seen('bbr_building', 't.parcel_id in (select id from parcel_id)')}) b`,
    `select b.id from (${seenBy('foreign_id', 'bbr_building', 't.foreign_property_id = l.id')}) b`,
    `select b.building_id from (${seenBy(
      'foreign_id',
      'bbr_building_property',
      't.property_id = l.id',
    )}) b`,
  ),
  building: seenBy('building_id', 'bbr_building', 't.id = l.id'),
  // The records of flats in those buildings contain the building.
  housed_id: ids(
    `select u.id from (${seenBy('building_id', 'bbr_unit', 't.building_id = l.id')}) u`,
    ...(['floor', 'entrance'] as const).map(
      (each) =>
        `select u.id from (${seenBy('building_id', `bbr_${each}`, 't.building_id = l.id')}) f
        cross join lateral (${seen('bbr_unit', `t.${each}_id = f.id`)}) u`,
    ),
    'select id from unit_id',
  ),
  housed: seenBy('housed_id', 'bbr_unit', 't.id = l.id'),
  owned_ground: ids('select id from ground_id', 'select ground_id from building'),
  property_id: ids(
    'select id from changed_bbr_property',
    'select foreign_property_id from facility',
    'select flat_property_id from facility',
    'select foreign_property_id from building',
    'select flat_property_id from building',
    'select flat_property_id from housed',
    'select property_id from building_property',
    `select p.property_id from (${changedRows('bbr_unit_property')}) p`,
    `select p.property_id from (${seenBy('housed_id', 'bbr_unit_property', 't.unit_id = l.id')}) p`,
    `select p.property_id from (${seenBy(
      'building_id',
      'bbr_building_property',
      't.building_id = l.id',
    )}) p`,
    `select g.property_id from (${seenBy('owned_ground', 'bbr_ground', 't.id = l.id')}) g`,
  ),
};

const NUMBERED = [
  seenBy('property_id', 'bbr_property', 't.id = l.id'),
  seenBy('parcel_id', 'cadastre_parcel', 't.id = l.id'),
  ...(
    ['cadastre_property', 'cadastre_flat', 'cadastre_foreign_building', 'address_property'] as const
  ).map(changedRows),
];

function statementOf(
  changes: readonly string[],
  also: { readonly protection: string; readonly numbers: readonly string[] },
): string {
  const ways = Object.entries({ protection: also.protection, ...WAYS }).map(
    ([name, rows]) => `${name} as materialized (${rows})`,
  );
  const numbers = [...NUMBERED, ...also.numbers].map((rows) => `select n.bfe from (${rows}) n`);
  return `
with ${[...changes, ...ways].join(',\n')}
select json_agg(bfe order by bfe) as bfes from (
  select distinct bfe from (${numbers.join(' union all ')}) b
  where bfe between 1 and 2147483647) b`;
}

/** $1: when the earlier state was read; then its version of each register. */
const STATEMENT = statementOf(TABLES.flatMap(changesOf), {
  protection: PROTECTED.join(' union all '),
  numbers: [ASSESSED],
});

/** $1: start of relevant history; $2: the rows, as JSON by table. */
const OF_GIVEN_ROWS = statementOf(TABLES.flatMap(givenOf), {
  protection: 'select null::uuid as building_id where false',
  numbers: [],
});
