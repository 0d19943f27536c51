/**
 * BBR rows by their own ids, by building and by address: buildings in force with entrances and
 * units, current (D53, D92, D240).
 */
import type { Provenance } from '../../answers/answer.ts';
import { readCopy } from '../../core/standing/standing.ts';
import type { CopyDeps } from '../../core/standing/standing.ts';
import type { Store } from '../../db/connect.ts';
import { Failure, upstreamUnavailable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { BBR } from '../../layers/keys.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import { BUILDING_COLUMNS } from './record-fields.ts';
import { memberOf } from './fields.ts';
import type { BuildingRow, UnitRow } from './property.ts';

export interface BuiltQuestion {
  readonly buildingIds?: readonly string[];
  readonly entranceIds?: readonly string[];
  readonly unitIds?: readonly string[];
  /** Ids of house numbers, whatever the property. */
  readonly accessIds?: readonly string[];
  readonly addressIds?: readonly string[];
}

export interface BuiltBuilding extends BuildingRow {
  readonly accessId: string | null;
}

export interface BuiltEntrance {
  readonly id: string;
  readonly accessId: string | null;
  readonly buildingId: string;
}

export interface BuiltUnit extends UnitRow {
  readonly entranceId: string | null;
}

export interface Built {
  readonly buildings: readonly BuiltBuilding[];
  readonly entrances: readonly BuiltEntrance[];
  readonly units: readonly BuiltUnit[];
}

export interface BuiltRead extends Built {
  readonly generation: number;
  readonly copy: PublishedCopy | null;
  readonly isWhole: boolean;
  readonly bfes: readonly number[];
}

export interface BuiltAnswer extends Built {
  readonly generation: number;
  readonly provenance: readonly Provenance[];
}

export type FindBuilt = (question: BuiltQuestion) => Promise<BuiltAnswer>;

export interface BuiltDeps extends CopyDeps {
  readonly catalogue: Pick<Catalogue, 'registers'>;
  readonly read: (question: BuiltQuestion) => Promise<BuiltRead>;
}

export function createBuilt(deps: BuiltDeps): FindBuilt {
  const register = deps.catalogue.registers[BBR];
  return async (question) => {
    const { copy, isWhole, bfes, provenance, ...found } = await readCopy(deps, register, () =>
      deps.read(question),
    );
    const { buildings, entrances, units } = found;
    // A row that could not be read may be one of these (D143), and be at any address.
    const objects = copy?.unanswered?.objects ?? [];
    const own = bfes.map(String);
    const isByAddress = question.accessIds !== undefined || question.addressIds !== undefined;
    const isUnsure = objects.length > 0 && (isByAddress || buildings.length === 0);
    const isTorn = objects.some((object) => object === null || own.includes(object));
    if (!isWhole || isUnsure || isTorn) throw unread();
    const most = LIMITS.property.rowsPerList;
    if ([buildings, entrances, units].some(({ length }) => length > most)) {
      throw new Failure('overloaded', { retryAfterS: LIMITS.retryAfterS.unavailable });
    }
    return { ...found, provenance: [provenance] };
  };
}

function unread(): Failure {
  return upstreamUnavailable(
    'Rows of BBR are missing or could not be read, and may be those that are asked for.',
    'Rækker i BBR mangler eller kunne ikke læses, og kan være dem, der spørges om.',
  );
}

const NEEDED = ['Ejendomsrelation', 'Grund', 'Bygning', 'BygningEjendomsrelation'];
const TABLES = [...NEEDED, 'Opgang', 'Etage', 'Enhed', 'EnhedEjendomsrelation'];

const columns = BUILDING_COLUMNS.map(({ column }) => `b.${column} as "${memberOf(column)}"`);
const PLACE_OF_UNIT = `coalesce(u.building_id,
  (select building_id from bbr_floor where id = u.floor_id),
  (select building_id from bbr_entrance where id = u.entrance_id))`;
const inForce = (of: string) => `${of}.status = 6 and ${of}.valid_from <= now()`;
const listed = (rows: string): string =>
  `coalesce((select json_agg(r) from (${rows} limit ${LIMITS.property.rowsPerList + 1}) r), '[]')`;

/** $1 to $3: ids of buildings, entrances, units; $4: of house numbers; $5: of addresses. */
const TEXT = `
with place as materialized (
  select unnest($1::uuid[]) as id
  union select building_id from bbr_entrance where id = any($2::uuid[])
  union select ${PLACE_OF_UNIT} from bbr_unit u where id = any($3::uuid[])
  union select id from bbr_building where access_id = any($4::uuid[])
  union select building_id from bbr_entrance where access_id = any($4::uuid[])
  union select ${PLACE_OF_UNIT} from bbr_unit u where address_id = any($5::uuid[])),
building as materialized (
  select b.* from place join bbr_building b on b.id = place.id where ${inForce('b')}),
entrance as materialized (
  select e.* from building b join bbr_entrance e on e.building_id = b.id where ${inForce('e')}),
unit as materialized (
  select u.* from building b join bbr_unit u on u.building_id = b.id
  union select u.* from building b join bbr_floor f on f.building_id = b.id
    join bbr_unit u on u.floor_id = f.id and u.building_id is null
  union select u.* from entrance e
    join bbr_unit u on u.entrance_id = e.id and u.building_id is null and u.floor_id is null)
select (select generation from store_state)::float8 as generation,
  (select json_build_object('version', version, 'held', held_since is not null,
    'syncedAtMs', extract(epoch from synced_at) * 1000,
    'outdatedAtMs', extract(epoch from outdated_at) * 1000, 'unanswered', unanswered)
    from layer_state where layer = '${BBR}') as copy,
  (select count(*) from bbr_source where entity = any($6::text[])) = cardinality($6::text[]) as "isWhole",
  array(select distinct p.bfe::float8 from building b left join bbr_ground g on g.id = b.ground_id
    join bbr_property p on p.id in (g.property_id, b.foreign_property_id, b.flat_property_id)
    where p.bfe is not null) as bfes,
  ${listed(`select id, municipality_code as "municipalityCode", ${columns.join(', ')},
    drainage, ST_X(geom) as x, ST_Y(geom) as y, ground_id as "groundId", access_id as "accessId"
    from building b order by id`)} as buildings,
  ${listed(`select id, access_id as "accessId", building_id as "buildingId"
    from entrance order by id`)} as entrances,
  ${listed(`select id, use, total_area as "totalArea", rooms, heating,
    heating_fuel as "heatingFuel", address_id as "addressId", floor_id as "floorId",
    entrance_id as "entranceId", ${PLACE_OF_UNIT} as "buildingId"
    from unit u where ${inForce('u')} order by id`)} as units`;

export function readBuilt(store: Pick<Store, 'pool'>): BuiltDeps['read'] {
  return async ({
    buildingIds = [],
    entranceIds = [],
    unitIds = [],
    accessIds = [],
    addressIds = [],
  }) => {
    const values = [buildingIds, entranceIds, unitIds, accessIds, addressIds, TABLES];
    const { rows } = await store.pool.query<BuiltRead>({ name: 'built', text: TEXT, values });
    const [found] = rows;
    if (found === undefined) throw new Error('The store gave no answer about buildings.');
    return found;
  };
}
