/**
 * What only the store has: how points were found, where addresses meet their roads, since when rows
 * hold (D196).
 */
import type { Store } from '../../db/connect.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { cacheByCount } from '../../kernel/cache.ts';
import { accessOf } from './addresses.ts';
import type { AccessAddress, UnitAddress } from './addresses.ts';

export interface PointDetails {
  readonly id: string;
  /** DAR's words and codes. */
  readonly source: string | null;
  readonly accuracy: string | null;
  readonly standard: string | null;
  readonly surveyedMs: number | null;
  readonly sinceMs: number;
  readonly position: PointUtm32 | null;
}

export interface AddressDetails {
  readonly sinceMs: number;
  readonly unitSinceMs: number | null;
  /** Direction of the house number's text. */
  readonly direction: readonly [x: number, y: number] | null;
  readonly point: PointDetails | null;
  readonly roadPoint: PointDetails | null;
}

/** In the order of the addresses; null: the store has another version, or no row. Throws. */
export type ReadDetails = (
  addresses: readonly (AccessAddress | UnitAddress)[],
  version: number,
) => Promise<readonly (AddressDetails | null)[]>;

type PointRow = Omit<PointDetails, 'surveyedMs' | 'position'> & {
  readonly surveyed: string | null;
  readonly x: number | null;
  readonly y: number | null;
};

type Row = Omit<AddressDetails, 'direction' | 'point' | 'roadPoint'> & {
  readonly n: number;
  readonly direction: string | null;
  readonly point: PointRow | null;
  readonly roadPoint: PointRow | null;
};

const sinceMs = (of: string) => `extract(epoch from ${of}.valid_from)::float8 * 1000`;
const pointOf = (p: string) => `case when ${p}.id is not null then jsonb_build_object('id', ${p}.id,
  'source', ${p}.source, 'accuracy', ${p}.accuracy, 'standard', ${p}.standard,
  'surveyed', ${p}.surveyed, 'sinceMs', ${sinceMs(p)}, 'x', ST_X(${p}.geom), 'y', ST_Y(${p}.geom)) end`;

const TEXT = `
  select i.n::int as n, ${sinceMs('a')} as "sinceMs", ${sinceMs('u')} as "unitSinceMs", a.direction,
    ${pointOf('p')} as point, ${pointOf('r')} as "roadPoint"
  from unnest($1::uuid[], $2::uuid[]) with ordinality as i (access_id, unit_id, n)
  join address_access a on a.id = i.access_id
  left join address_unit u on u.id = i.unit_id and u.access_id = a.id
  left join address_point p on p.id = a.point_id
  left join address_point r on r.id = a.road_point_id
  where exists (select from layer_state where layer = 'adresser' and version = $3)`;

export function readDetails(store: Pick<Store, 'pool'>): ReadDetails {
  return async (addresses, version) => {
    const accessIds = addresses.map((address) => accessOf(address).id);
    const unitIds = addresses.map((address) => ('access' in address ? address.id : null));
    const values = [accessIds, unitIds, version];
    const { rows } = await store.pool.query<Row>({ name: 'address details', text: TEXT, values });
    const found = addresses.map((): AddressDetails | null => null);
    for (const row of rows) found[row.n - 1] = detailsOf(row);
    return found;
  };
}

const KEPT = 5_000;
const KEPT_MS = 3_600_000;

/** For an hour: the rows of a version do not change. */
export function keptDetails(read: ReadDetails): ReadDetails {
  const kept = cacheByCount<AddressDetails>(KEPT, KEPT_MS);
  return async (addresses, version) => {
    const [only, ...others] = addresses;
    if (only === undefined || others.length > 0) return await read(addresses, version);
    const key = `${version} ${only.id}`;
    const held = kept.get(key);
    if (held !== undefined) return [held];
    const [found = null] = await read(addresses, version);
    if (found !== null) kept.set(key, found);
    return [found];
  };
}

function detailsOf({
  sinceMs: since,
  unitSinceMs,
  direction,
  point,
  roadPoint,
}: Row): AddressDetails {
  return {
    ...{ sinceMs: since, unitSinceMs, direction: vectorOf(direction) },
    ...{ point: point && detailsOfPoint(point), roadPoint: roadPoint && detailsOfPoint(roadPoint) },
  };
}

function detailsOfPoint({ surveyed, x, y, ...point }: PointRow): PointDetails {
  const surveyedMs = surveyed === null ? NaN : Date.parse(surveyed);
  return {
    ...{ ...point, surveyedMs: Number.isNaN(surveyedMs) ? null : surveyedMs },
    position: x === null || y === null ? null : { xUtm32: x, yUtm32: y },
  };
}

function vectorOf(text: string | null): AddressDetails['direction'] {
  const numbers = /^\s*POINT\s*\(\s*(\S+)\s+(\S+)\s*\)\s*$/i.exec(text ?? '');
  const [x, y] = [Number(numbers?.[1]), Number(numbers?.[2])];
  const isVector = Number.isFinite(x) && Number.isFinite(y) && (x !== 0 || y !== 0);
  return isVector ? [x, y] : null;
}
