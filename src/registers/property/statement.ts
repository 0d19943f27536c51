/**
 * Reads up to 150 properties, in force at one instant (D53, D85), in one statement, because a
 * publication replaces tables. $1: the numbers as a JSON array, whose length the planner does not
 * know, so one plan serves all. $2: the instant. Rows come as one JSON list per table.
 */

import { LIMITS } from '../../kernel/limits.ts';
import { memberOf } from './fields.ts';
import type { Field } from './fields.ts';
import {
  BUILDING_COLUMNS,
  DRAINAGE_FIELDS,
  FACILITY_FIELDS,
  TANK_FIELDS,
} from './record-fields.ts';
import { PROTECTION_SCHEMA } from './protection/tables.ts';

/** Each is left out when its table cannot be read (D89). */
export const PROPERTY_PARTS = [
  'floors',
  'facilities',
  'cadastre',
  'locations',
  'assessments',
  'protection',
] as const;
export type PropertyPart = (typeof PROPERTY_PARTS)[number];

/**
 * Status codes in force (D53): of buildings, floors, entrances, units and facilities; of grounds
 * and properties; of parcels.
 */
const BUILT = 6;
const VALID = 7;
const IN_FORCE = 3;

const columnsIn = (fields: Readonly<Record<string, Field>>): readonly string[] =>
  Object.values(fields).map(({ column }) => column);

const DRAINAGE = columnsIn(DRAINAGE_FIELDS);
const PLACE = ['ST_X(t.geom) as x', 'ST_Y(t.geom) as y'];

const COLUMNS = {
  bbr_property: ['id', 'type', 'municipality_code'],
  bbr_ground: ['id', 'municipality_code', ...DRAINAGE, 'discharge_permit'],
  bbr_ground_parcel: ['id', 'ground_id', 'parcel_id'],
  bbr_building: [
    'id',
    'municipality_code',
    ...BUILDING_COLUMNS.map(({ column }) => column),
    ...DRAINAGE,
    ...PLACE,
    'coordinate_system',
    'ground_id',
    'parcel_id',
    'foreign_property_id',
  ],
  bbr_building_property: ['building_id', 'property_id'],
  bbr_floor: [
    'id',
    'status',
    'designation',
    'area',
    'attic_area',
    'low_basement_area',
    'basement_dwelling_area',
    'type',
    'building_id',
  ],
  bbr_entrance: ['id', 'building_id'],
  bbr_unit: [
    'id',
    'use',
    'total_area',
    'rooms',
    'heating',
    'heating_fuel',
    'address_id',
    'floor_id',
    'entrance_id',
    'building_id',
  ],
  bbr_unit_property: ['unit_id', 'property_id'],
  bbr_facility: [
    'id',
    'number',
    'class',
    ...columnsIn(FACILITY_FIELDS),
    ...PLACE,
    'building_id',
    ...columnsIn(TANK_FIELDS),
  ],
  cadastre_property: ['bfe'],
  cadastre_flat: ['bfe'],
  cadastre_foreign_building: ['bfe'],
  cadastre_parcel: ['id', 'number', 'district_id', 'area', 'municipality_code'],
  address_property: ['bfe'],
} as const satisfies Record<string, readonly string[]>;

type Table = keyof typeof COLUMNS;

const PROTECTION_TABLES = PROTECTION_SCHEMA.tables.map(({ table }) => table);

const LISTED = 'protection_listed';

export const HELD_TABLES = [
  ...Object.keys(COLUMNS).flatMap((table) => [table, `${table}_former`]),
  'assessment',
  ...PROTECTION_TABLES,
];

function columnsOf(table: Table): string {
  return COLUMNS[table]
    .map((name) => (name.includes(' ') ? name : `t.${name} as "${memberOf(name)}"`))
    .join(', ');
}

/**
 * Rows `t`, history included, true at the instant under a condition; `status` null: any. Join it
 * laterally, so that both halves use an index.
 */
function trueThen(table: Table, where: string, status: number | null): string {
  const from = (name: string, also: string) =>
    `select ${columnsOf(table)} from ${name} t where ${where} and t.valid_from <= $2${also}` +
    (status === null ? '' : ` and t.status = ${status}`);
  return `lateral (${from(table, '')} union all ${from(`${table}_former`, ' and t.valid_to > $2')})`;
}

const OWNED = `
asked as materialized (
  select distinct value::bigint as bfe from json_array_elements_text($1::json)),
property as materialized (
  select a.bfe, p.* from asked a cross join ${trueThen('bbr_property', 't.bfe = a.bfe', VALID)} p),
own_ground as materialized (
  select p.bfe, g.* from property p
  cross join ${trueThen('bbr_ground', 't.property_id = p.id', VALID)} g),
flat_unit as materialized (
  select p.bfe, u.* from property p
  cross join ${trueThen('bbr_unit_property', 't.property_id = p.id', null)} r
  cross join ${trueThen('bbr_unit', 't.id = r."unitId"', BUILT)} u
  union
  select p.bfe, u.* from property p
  cross join ${trueThen('bbr_unit', 't.flat_property_id = p.id', BUILT)} u)`;

/** The building of a unit that names none itself (D92). */
function flatPlaces(hasFloors: boolean): string {
  const floor = hasFloors
    ? `(select f."buildingId" from ${trueThen('bbr_floor', 't.id = u."floorId"', null)} f limit 1), `
    : '';
  const entrance = `(select e."buildingId" from ${trueThen('bbr_entrance', 't.id = u."entranceId"', null)} e limit 1)`;
  return `
flat_place as materialized (
  select distinct u.bfe, coalesce(u."buildingId", ${floor}${entrance}) as id
  from flat_unit u)`;
}

const BUILDINGS = `
building as materialized (
  select g.bfe, 'ground' as via, b.* from own_ground g
  cross join ${trueThen('bbr_building', 't.ground_id = g.id', BUILT)} b
  union
  select p.bfe, 'foreign', b.* from property p
  cross join ${trueThen('bbr_building_property', 't.property_id = p.id', null)} r
  cross join ${trueThen('bbr_building', 't.id = r."buildingId"', BUILT)} b
  union
  select p.bfe, 'foreign', b.* from property p
  cross join ${trueThen('bbr_building', 't.foreign_property_id = p.id', BUILT)} b
  union
  select p.bfe, 'flat', b.* from property p
  cross join ${trueThen('bbr_building', 't.flat_property_id = p.id', BUILT)} b
  union
  select f.bfe, 'unit', b.* from flat_place f
  cross join ${trueThen('bbr_building', 't.id = f.id', BUILT)} b),
place as materialized (select distinct id from building),
whole as materialized (select distinct id from building where via <> 'unit'),
ground as materialized (
  select * from own_ground
  union
  select b.bfe, g.* from building b
  cross join ${trueThen('bbr_ground', 't.id = b."groundId"', VALID)} g
  where b.via <> 'ground'),
ground_parcel as materialized (
  select distinct r.* from (select distinct id from ground) g
  cross join ${trueThen('bbr_ground_parcel', 't.ground_id = g.id', null)} r)`;

const FLOORS = `
floor as materialized (
  select f.* from place b cross join ${trueThen('bbr_floor', 't.building_id = b.id', null)} f)`;

/**
 * `union`: a unit is found by its floor, entrance and building; by its entrance only where its
 * floor is not in another building (D92).
 */
function unitsOf(hasFloors: boolean): string {
  const floorElsewhere = `
  where not exists (
    select from ${trueThen('bbr_floor', 't.id = u."floorId"', null)} f
    where f."buildingId" not in (select id from place))`;
  const byFloor = `
  select u.* from floor f join whole w on w.id = f."buildingId"
  cross join ${trueThen('bbr_unit', 't.floor_id = f.id', BUILT)} u
  union`;
  return `
entrance as materialized (
  select e.* from place b
  cross join ${trueThen('bbr_entrance', 't.building_id = b.id', null)} e),
unit as materialized (${hasFloors ? byFloor : ''}
  select u.* from entrance e join whole w on w.id = e."buildingId"
  cross join ${trueThen('bbr_unit', 't.entrance_id = e.id', BUILT)} u${hasFloors ? floorElsewhere : ''}
  union
  select u.* from whole w
  cross join ${trueThen('bbr_unit', 't.building_id = w.id', BUILT)} u)`;
}

const PLACED_BY_FLOOR_ALONE = `exists (select from ${trueThen(
  'bbr_unit',
  't.entrance_id is null and t.building_id is null and t.floor_id is not null',
  BUILT,
)} u) as "hasPlacedByFloorAlone"`;

/**
 * Those of a ground with all on it; of a building or flat what names it, not the ground beneath
 * (D91).
 */
const FACILITIES = `
building_property as materialized (
  select b.id as "buildingId", r."propertyId" from place b
  cross join ${trueThen('bbr_building_property', 't.building_id = b.id', null)} r
  union
  select b.id, b."foreignPropertyId" from building b where b."foreignPropertyId" is not null),
facility as materialized (
  select 'ground' as via, g.bfe::text as of, f.* from own_ground g
  cross join ${trueThen('bbr_facility', 't.ground_id = g.id', BUILT)} f
  union all
  select 'building', w.id::text, f.* from whole w
  cross join ${trueThen('bbr_facility', 't.building_id = w.id', BUILT)} f
  union all
  select 'unit', u.id::text, f.* from (select id from unit union select id from flat_unit) u
  cross join ${trueThen('bbr_facility', 't.unit_id = u.id', BUILT)} f
  union all
  select 'property', p.id::text, f.* from (
    select id from property union select "propertyId" from building_property) p
  cross join ${trueThen('bbr_facility', 't.foreign_property_id = p.id', BUILT)} f
  union all
  select 'flat', p.id::text, f.* from property p
  cross join ${trueThen('bbr_facility', 't.flat_property_id = p.id', BUILT)} f)`;

const withDistrict = (parcel: string): string => `
  select ${parcel}, d.code as "districtCode", d.name as "districtName"`;

const unknownToBbr = 'not exists (select from property p where p.bfe = a.bfe)';

const CADASTRE = `
parcel as materialized (${withDistrict('p.*')}
  from (
    select "parcelId" as id from ground_parcel union select "parcelId" from building) x
  cross join ${trueThen('cadastre_parcel', 't.id = x.id', IN_FORCE)} p
  left join cadastre_district d on d.id = p."districtId"),
own_parcel as materialized (${withDistrict('a.bfe, p.*')}
  from asked a
  cross join ${trueThen('cadastre_parcel', 't.bfe = a.bfe', IN_FORCE)} p
  left join cadastre_district d on d.id = p."districtId"
  where ${unknownToBbr}),
registered as materialized (
  select a.bfe from asked a
  where ${unknownToBbr} and (${(
    ['cadastre_property', 'cadastre_flat', 'cadastre_foreign_building', 'cadastre_parcel'] as const
  )
    .map((table) => `exists (select from ${trueThen(table, 't.bfe = a.bfe', IN_FORCE)} k)`)
    .join(' or ')}))`;

const LOCATIONS = `
located as materialized (
  select a.bfe from asked a
  where ${unknownToBbr} and exists (
    select from ${trueThen('address_property', 't.bfe = a.bfe', IN_FORCE)} k))`;

/** Current, whatever the instant: answers of another day leave them out (D87). */
const ASSESSED = `
assessed as materialized (
  select a.bfe, t.unresolved,
    case when length(t.assessments) <= ${LIMITS.assessments.perPropertyChars} then t.assessments
    end as assessments
  from asked a join assessment t on t.bfe = a.bfe)`;

const PROTECTED = `
protected as materialized (
  select x.* from place b cross join lateral (${PROTECTION_TABLES.map(
    (table) => `
    select t.building_id as "buildingId", nullif(t.status, -1) as status,
      nullif(t.value, -1) as value, ${table === LISTED} as "isOfListed" from ${table} t
    where t.building_id = b.id`,
  ).join(' union all ')}) x)`;

const MIRROR_STATES = `
  (select generation from store_state) as generation,
  (select json_agg(s) from (
    select layer, version, held_since is not null as held,
      (extract(epoch from synced_at) * 1000)::float8 as "syncedAtMs",
      (extract(epoch from outdated_at) * 1000)::float8 as "outdatedAtMs",
      (extract(epoch from first_published_at) * 1000)::float8 as "firstPublishedAtMs", unanswered
    from layer_state where layer in ('bbr', 'matrikel', 'adresser', 'vurdering', 'fbb')) s) as states,
  (select json_agg(entity) from bbr_source) as "bbrTables",
  (select json_agg(entity) from cadastre_source) as "cadastreTables",
  (select json_agg(entity) from address_source) as "addressTables",
  (select (extract(epoch from kept_from) * 1000)::float8 from address_source
    where entity = 'Ejendomsbeliggenhed') as "locationsFromMs",
  (select json_agg(entity) from protection_source) as "protectionTables"`;

const listOf = (name: string, most: number): string =>
  `(select json_agg(r) from (select * from ${name} limit ${most + 1}) r)`;

export function propertyStatement(parts: ReadonlySet<PropertyPart>, most: number): string {
  const hasFloors = parts.has('floors');
  const lists = [
    ['property', 'properties'],
    ['ground', 'grounds'],
    ['ground_parcel', 'groundParcels'],
    ['building', 'buildings'],
    ['entrance', 'entrances'],
    ['unit', 'units'],
    ['flat_unit', 'flatUnits'],
  ];
  const ctes = [OWNED, flatPlaces(hasFloors), BUILDINGS];
  if (hasFloors) {
    ctes.push(FLOORS);
    lists.push(['floor', 'floors']);
  }
  ctes.push(unitsOf(hasFloors));
  if (parts.has('facilities')) {
    ctes.push(FACILITIES);
    lists.push(['facility', 'facilities'], ['building_property', 'buildingProperties']);
  }
  if (parts.has('cadastre')) {
    ctes.push(CADASTRE);
    lists.push(['parcel', 'parcels'], ['own_parcel', 'ownParcels'], ['registered', 'registered']);
  }
  if (parts.has('locations')) {
    ctes.push(LOCATIONS);
    lists.push(['located', 'located']);
  }
  if (parts.has('assessments')) {
    ctes.push(ASSESSED);
    lists.push(['assessed', 'assessed']);
  }
  if (parts.has('protection')) {
    ctes.push(PROTECTED);
    lists.push(['protected', 'protections']);
  }
  const selected = lists.map(([cte = '', as = '']) => `${listOf(cte, most)} as "${as}"`);
  // Without floors such a unit would silently be missing from its building.
  if (!hasFloors) selected.push(PLACED_BY_FLOOR_ALONE);
  return `with ${ctes.join(',')} select ${MIRROR_STATES}, ${selected.join(', ')}`;
}
