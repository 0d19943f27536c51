/**
 * Owners of unreadable rows (D143): numbers of properties and companies, ids of addresses and
 * buildings, as lookups use them.
 */
import { sql } from 'kysely';
import { firstValue } from '../../../src/db/rows.ts';
import type { Db } from '../../../src/db/connect.ts';
import { ADDRESSES, ASSESSMENTS, COMPANIES, PLACE_NAMES } from '../../../src/layers/keys.ts';
import type { TableRegister } from '../../../src/layers/register.ts';
import { idOfKind } from '../../../src/layers/register-tables.ts';
import { REGISTERS_CATALOGUE } from '../../../src/registers.ts';
import { isId, readStatus } from '../../../src/downloads/table-values.ts';
import { standingColumn } from '../../../src/layers/standing-columns.ts';
import {
  NAMELESS_POSTCODE,
  UNREAD_ADDRESSES,
  UNREAD_PARCEL,
  UNREAD_POSTCODE,
  unreadPostcode,
} from '../../../src/layers/unread-postcodes.ts';
import { parcelName } from '../../../src/registers/cadastre/parcels.ts';
import { numbersOfRows } from '../../../src/registers/property/touched.ts';
import type { UnreadRow } from './unread-row.ts';

type Row = Pick<UnreadRow, 'table' | 'cells' | 'box'>;

interface Given {
  readonly rows: readonly Row[];
  readonly names: ReadonlyMap<string, string>;
}

/** Of these columns one must be known to have an owner; for other tables: the id. */
const PLACED_BY: Readonly<Record<string, readonly string[]>> = {
  bbr_property: ['bfe'],
  bbr_ground: ['property_id'],
  bbr_ground_parcel: ['ground_id'],
  bbr_building: ['ground_id', 'foreign_property_id', 'flat_property_id'],
  bbr_building_property: ['property_id'],
  bbr_floor: ['building_id'],
  bbr_entrance: ['building_id'],
  bbr_unit: ['building_id', 'floor_id', 'entrance_id', 'flat_property_id'],
  bbr_unit_property: ['property_id'],
  bbr_facility: ['ground_id', 'building_id', 'unit_id', 'foreign_property_id', 'flat_property_id'],
  cadastre_property: ['bfe'],
  cadastre_flat: ['bfe'],
  cadastre_foreign_building: ['bfe'],
  cadastre_parcel: ['bfe'],
  cadastre_face: ['parcel_id'],
  address_property: ['access_id', 'unit_id'],
  address_road_part: ['road_id'],
  assessment_reference: ['bfe'],
  company_row: ['number'],
  place_name: ['place_id'],
};

/** By table: the column with each row's owner. */
export function ownersIn({ schema: { owner, tables, isPersonal } }: TableRegister) {
  if (owner === undefined) return [];
  return tables.map(({ table, columns }) => {
    const column = columns.find(({ name }) => name === owner);
    // Of personal rows only required cells are kept.
    const mayBeEmpty = column !== undefined && column.required !== true && isPersonal !== true;
    return [table, { name: owner, kind: column?.kind, mayBeEmpty }] as const;
  });
}

const OWNERS = new Map(Object.values(REGISTERS_CATALOGUE.registers).flatMap(ownersIn));

/** Must be known too: an id that other rows refer to, and both sides of a relation. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  bbr_property: ['id'],
  bbr_ground: ['id'],
  bbr_building: ['id'],
  bbr_building_property: ['building_id', 'property_id'],
  bbr_floor: ['id'],
  bbr_entrance: ['id'],
  bbr_unit: ['id'],
  bbr_unit_property: ['unit_id', 'property_id'],
  cadastre_parcel: ['id'],
};

const KINDS = new Map(
  Object.values(REGISTERS_CATALOGUE.registers).flatMap(({ schema }) =>
    schema.tables.flatMap(({ table, columns }) =>
      columns.map(({ name, kind }) => [`${table}.${name}`, kind] as const),
    ),
  ),
);

export function idIn({ table, cells }: Pick<Row, 'table' | 'cells'>, column: string): string[] {
  const id = idOfKind(KINDS.get(`${table}.${column}`), cells[column]);
  return id === null ? [] : [id];
}

/** What locates an access address that may be nearest. */
export interface AccessRefs {
  readonly point: string | null;
  readonly access: string | null;
  readonly road: string | null;
  readonly isPoint: boolean;
}

const NO_REFS: AccessRefs = { point: null, access: null, road: null, isPoint: false };

/** An access address not in force is never the nearest (D47), so its row has no references. */
export function accessRefs(row: Pick<Row, 'table' | 'cells'>): AccessRefs {
  const { table, cells } = row;
  const [own = null] = idIn(row, 'id');
  if (table === 'address_point') return { ...NO_REFS, point: own, isPoint: true };
  if (table === 'address_road') return { ...NO_REFS, road: own };
  if (table !== 'address_access') return NO_REFS;
  const [point = null] = isInForce(cells['status']) ? idIn(row, 'point_id') : [];
  return { ...NO_REFS, point, access: own };
}

/** Reverse lookups may miss access addresses because of the row. */
export function mayBeNearest({ table, cells }: Pick<Row, 'table' | 'cells'>): boolean {
  if (table === 'address_access') return isInForce(cells['status']);
  return table === 'address_point' || table === 'address_road';
}

function isInForce(status: string | undefined): boolean {
  if (status === undefined) return true;
  const bytes = Buffer.from(status.trim());
  const known = readStatus({ bytes, start: 0, end: bytes.length }, standingColumn('DAR', 'status'));
  return known === null || known === 3;
}

/** FBB leaves a building unknown to BBR empty. A row without kept cells may have had one. */
export function isPlaced(row: Row, owners = OWNERS): boolean {
  const { table, cells } = row;
  if (Object.keys(cells).length === 0 || mayBeAnyResult(row)) return false;
  const owner = owners.get(table);
  if (owner !== undefined) {
    const text = cells[owner.name];
    return text === undefined ? owner.mayBeEmpty : idOfKind(owner.kind, text) !== null;
  }
  const isKnown = (name: string) => idIn(row, name).length > 0;
  if (table.startsWith('company_') && table !== 'company_row') {
    const bytes = Buffer.from(cells['unit_id'] ?? '');
    return isId({ bytes, start: 0, end: bytes.length });
  }
  const isWhole = (NEEDED[table] ?? []).every(isKnown);
  return isWhole && (PLACED_BY[table] ?? ['id']).some(isKnown);
}

/**
 * Places are also looked up by name, and like access addresses by position: without it any search
 * may be for them. A road is where its numbers are.
 */
function mayBeAnyResult({ table, cells, box }: Row): boolean {
  if (table === 'place_name') return (cells['name'] ?? '').trim() === '';
  const isAskedAt =
    isPlaceType(table) || (mayBeNearest({ table, cells }) && table !== 'address_road');
  return isAskedAt && box === null;
}

export function isPlaceType(table: string): boolean {
  return table.startsWith('place_') && table !== 'place_name';
}

/** As stored with the version; null: a row of unknown owner. */
export async function objectsOf(
  db: Db,
  register: TableRegister,
  given: Given,
): Promise<readonly (string | null)[]> {
  const open = given.rows.some((row) => !isPlaced(row)) ? [null] : [];
  return [...new Set([...(await placedObjects(db, register, given)), ...open])];
}

async function placedObjects(
  db: Db,
  { id, schema: { owner } }: TableRegister,
  { rows, names }: Given,
): Promise<readonly (string | null)[]> {
  if (owner !== undefined) return idsIn(rows, owner);
  if (id === ASSESSMENTS) return await assessedOf(db, { rows, names });
  if (id === COMPANIES) return await companiesOf(db, { rows, names });
  if (id === PLACE_NAMES) return await placesOf(db, { rows, names });
  const addresses = id === ADDRESSES ? await addressesOf(db, rows) : [];
  return [...(await numbersOf(db, rows)), ...addresses];
}

/** A flat is reported with the parcels of its property. */
async function numbersOf(db: Db, rows: readonly Row[]): Promise<readonly string[]> {
  const numbers = (await numbersOfRows(db, rows.map(towardsNumber))).flat();
  if (numbers.length === 0 || !rows.some(({ table }) => table.startsWith('cadastre_'))) {
    return numbers.map(String);
  }
  const flats = await sql<{ bfe: string }>`
    select bfe::text from cadastre_flat where property_bfe = any(${numbers}::bigint[])
    order by bfe`.execute(db);
  return [...numbers.map(String), ...flats.rows.map(({ bfe }) => bfe)];
}

function idsIn(rows: readonly Row[], column: string, of?: string): readonly string[] {
  return rows.flatMap((row) => (of === undefined || of === row.table ? idIn(row, column) : []));
}

/** A reference without any row is reported as dangling, unless there is a former row. */
async function assessedOf(db: Db, { rows, names }: Given): Promise<readonly string[]> {
  const direct = idsIn(rows, 'bfe', 'assessment_reference');
  const [references, assessments] = [
    names.get('assessment_reference'),
    names.get('assessment_row'),
  ];
  if (references === undefined || assessments === undefined) return direct;
  const found = await sql<{ id: string }>`
    select distinct r.bfe::text as id from ${sql.table(references)} r
    where r.assessment_id = any(${idsIn(rows, 'id', 'assessment_row')}::bigint[])
      or r.assessment_id in (
        select a.id from ${sql.table(assessments)} a
        where a.property_id = any(${idsIn(rows, 'id', 'assessment_property')}::bigint[]))
    order by 1`.execute(db);
  return [...direct, ...found.rows.map(({ id }) => id)];
}

/** Persons and production units are not answered, so nothing is missed (D116). */
async function companiesOf(db: Db, { rows, names }: Given): Promise<readonly string[]> {
  const direct = idsIn(rows, 'number').map((number) => String(Number(number)));
  const owners = names.get('company_row');
  if (owners === undefined) return direct;
  const units = rows.flatMap(({ cells: { unit_id: unit } }) => (unit === undefined ? [] : [unit]));
  const found = await sql<{ id: string }>`
    select distinct number::text as id from ${sql.table(owners)}
    where id = any(${units}::text[]) order by 1`.execute(db);
  return [...direct, ...found.rows.map(({ id }) => id)];
}

export function placeNumbers(rows: readonly Row[]): readonly string[] {
  return [
    ...idsIn(
      rows.filter(({ table }) => isPlaceType(table)),
      'id',
    ),
    ...idsIn(rows, 'place_id'),
  ];
}

/**
 * Own ids of places, or the number of those without one. A place without a readable name is not
 * published, so its id comes from its type's row.
 */
async function placesOf(db: Db, { rows, names }: Given): Promise<readonly string[]> {
  const numbers = placeNumbers(rows);
  const own = rows.flatMap(({ cells }) => cells['local_id']?.trim().toLowerCase() ?? []);
  const types = [...names].filter(([table]) => isPlaceType(table));
  if (numbers.length === 0 || types.length === 0) return [...numbers, ...own];
  const ids = types.map(
    ([, name]) => sql`
      select lower(trim(local_id)) as id from ${sql.table(name)} where id = any(${numbers}::bigint[])`,
  );
  const found = await sql<{ id: string }>`
    select distinct id from (${sql.join(ids, sql` union all `)}) t where id <> '' order by id`.execute(
    db,
  );
  return [...numbers, ...own, ...found.rows.map(({ id }) => id)];
}

/** Names of the places concerned; null: unknown. */
export async function namesOf(db: Db, rows: readonly Row[]): Promise<readonly (string | null)[]> {
  const own = rows.flatMap(({ table, cells: { name = null } }) =>
    table === 'place_name' ? [name] : [],
  );
  const ids = idsIn(
    rows.filter(({ table }) => isPlaceType(table)),
    'id',
  );
  const found = await sql<{ name: string }>`
    select distinct n.name ->> 0 as name
    from place p cross join lateral jsonb_array_elements(p.names::jsonb) n(name)
    where p.id = any(${ids}::bigint[]) order by 1`.execute(db);
  const isNameless = rows.some((row) => isPlaceType(row.table) && idsIn([row], 'id').length === 0);
  return [...own, ...found.rows.map(({ name }) => name), ...(isNameless ? [null] : [])];
}

/** Parcels in force that no list of parcels may lack; null: unknown. */
export async function parcelNamesOf(
  db: Db,
  rows: readonly Row[],
): Promise<readonly (string | null)[]> {
  const names: (string | null)[] = [];
  for (const row of rows) {
    const { table, cells } = row;
    if (table === 'cadastre_district') names.push(districtName(row));
    if (table !== 'cadastre_parcel' || !isInForce(cells['status'])) continue;
    const [district] = idIn(row, 'district_id');
    const code = await firstValue<string | null>(db, null)`
      select code::text from cadastre_district where id = ${district ?? null}::bigint`;
    const number = cells['number']?.trim() ?? '';
    names.push(code === null || number === '' ? null : parcelName(code, number));
  }
  return names;
}

function districtName(row: Row): string | null {
  const [code] = idIn(row, 'code');
  return code === undefined ? null : parcelName(code);
}

const ADDRESS_TABLES = new Set(['address_road', 'address_access', 'address_unit']);

export async function roadsOf(db: Db, rows: readonly Row[]): Promise<readonly (string | null)[]> {
  const roads: (string | null)[] = [];
  for (const row of rows) if (ADDRESS_TABLES.has(row.table)) roads.push(await roadOf(db, row));
  return roads;
}

/**
 * The name that the row states, else its road's in the store, else the one in an address as
 * written.
 */
async function roadOf(db: Db, row: Row): Promise<string | null> {
  const { table, cells } = row;
  const isRoad = table === 'address_road';
  if (isRoad && cells['name'] !== undefined) return cells['name'];
  const [road, access] = [idIn(row, isRoad ? 'id' : 'road_id'), idIn(row, 'access_id')];
  const found = await sql<{ name: string | null; written: string | null }>`
    select r.name, a.designation as written from address_access a
    left join address_road r on r.id = a.road_id
    where a.road_id = any(${road}::uuid[]) or a.id = any(${access}::uuid[])
    union all
    select r.name, null from address_road r where r.id = any(${road}::uuid[])
    order by name nulls last, written nulls last limit 1`.execute(db);
  const inStore = found.rows.at(0);
  return inStore?.name ?? roadIn(cells['designation'] ?? inStore?.written ?? null);
}

function roadIn(designation: string | null): string | null {
  return /^(.+?) +\d/.exec(designation ?? '')?.[1] ?? null;
}

/** A road, a point or a supplementary town has some thousands at most. */
const MOST_ADDRESSES = 20_000;

/**
 * Directly or through related rows. For a postcode there are none; for more than are kept, one that
 * means every address.
 */
async function addressesOf(db: Db, rows: readonly Row[]): Promise<readonly string[]> {
  const postcodes = rows.flatMap((row) =>
    row.table === 'address_postcode' ? postcodeOf(row) : [],
  );
  const of = (table: string, column = 'id') => idsIn(rows, column, table);
  const own = [
    ...of('address_access'),
    ...of('address_unit'),
    ...of('address_property', 'access_id'),
    ...of('address_property', 'unit_id'),
  ];
  // A road's parts give its code, and for some addresses the municipality.
  const roads = [...of('address_road'), ...of('address_road_part', 'road_id')];
  // A property that may be at any address is missed at each without one.
  const isAtAny = rows.some(
    (row) =>
      row.table === 'address_property' &&
      idsIn([row], 'access_id').length + idsIn([row], 'unit_id').length === 0,
  );
  const any = isAtAny ? [UNREAD_PARCEL] : [];
  const isOfNoId = (table: string) =>
    rows.some((row) => row.table === table && idsIn([row], 'id').length === 0);
  // A later row may lead elsewhere than the row of the copy: both are concerned.
  const found = await sql<{ id: string }>`
    with road as (
      select id from unnest(${roads}::uuid[]) given(id)
      union select road_id from address_road_part where id = any(${of('address_road_part')}::uuid[])),
    access as (
      select a.id from address_access a
      where a.road_id in (select id from road)
        or a.point_id = any(${of('address_point')}::uuid[])
        or a.town_id = any(${of('address_town')}::uuid[])
      union select a.id from address_access a
      where ${isOfNoId('address_town')} and a.town_id is not null
        and not exists (select from address_town t where t.id = a.town_id)
      union select a.id from address_access a
      where ${isOfNoId('address_point')} and a.point_id is not null
        and not exists (select from address_point p where p.id = a.point_id)
      union select id from unnest(${own}::uuid[]) given(id)
      union select unnest(array[access_id, unit_id]) from address_property
      where id = any(${of('address_property')}::uuid[]))
    select id::text from (
      select u.id from address_unit u where u.access_id in (select id from access)
      union select id from access) known
    where id is not null
    order by id limit ${MOST_ADDRESSES + 1}`.execute(db);
  const ids = found.rows.map(({ id }) => id);
  const kept = ids.length > MOST_ADDRESSES ? [UNREAD_ADDRESSES] : ids;
  return [...postcodes, ...kept, ...any];
}

function postcodeOf({ cells: { code = '' } }: Row): readonly string[] {
  const known = /^\d{4}$/.test(code.trim()) ? unreadPostcode(code.trim()) : NAMELESS_POSTCODE;
  return [UNREAD_POSTCODE, known];
}

function towardsNumber({ table, cells }: Row): Pick<Row, 'table' | 'cells'> {
  const { parcel_id: parcel } = cells;
  if (table !== 'cadastre_face' || parcel === undefined) return { table, cells };
  return { table: 'cadastre_parcel', cells: { id: parcel } };
}
