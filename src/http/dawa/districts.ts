/** `/ejerlav`. */
import { bboxOf } from '../../answers/in-system.ts';
import { CADASTRE_LIMITS } from '../../registers/cadastre/limits.ts';
import type { District } from '../../registers/cadastre/index/parcel-index.ts';
import { bboxMembers } from './areas.ts';
import { badPath } from './failure.ts';
import { fitsOf, listed } from './filters.ts';
import type { Fields } from './filters.ts';
import type { Format, Shape } from '../wire/row-formats.ts';
import { geoJsonOf } from '../../registers/areas/area-geometry.ts';
import { joined } from '../../geo/wkb.ts';
import { pageOf } from './pages.ts';
import type { Params } from './params.ts';
import { addOne, addResource } from './resources.ts';
import type { Resource } from './resources.ts';
import type { AddRoute, Around, Asked, DoorLookups } from './routes.ts';

const PAGE = { area: 'bbr', operation: 'jordstykker' } as const;

const hrefOf = (base: string, { code }: District): string => `${base}/ejerlav/${code}`;

interface DistrictRow extends District {
  /** GeoJSON: the surfaces of its parcels. */
  readonly geometry?: string;
}

/** The surface of a district is that of its parcels, each a part of it. */
async function shaped(
  parcels: DoorLookups['parcels'],
  rows: readonly District[],
  { format, srid }: Format,
): Promise<readonly DistrictRow[]> {
  if (format !== 'geojson') return rows;
  return await Promise.all(
    rows.map(async (row) => {
      const all = { districtCode: row.code, skip: 0, take: Infinity };
      const found = await parcels.listed(all);
      const parts = found.parcels.flatMap(({ rings }) => rings ?? []);
      return { ...row, geometry: geoJsonOf(joined(parts), srid) };
    }),
  );
}

function shapeOf({ base, format }: Around): Shape<DistrictRow> {
  return {
    geometry: ({ geometry = 'null' }) => geometry,
    nestet: (row) => ({
      ...{ href: hrefOf(base, row), kode: row.code, navn: row.name },
      ...{ bbox: bboxOf(row.box, format), visueltcenter: null },
    }),
    flad: ({ code, name, box }) => ({ kode: code, navn: name, ...bboxMembers(box, null, format) }),
    mini: (row) => ({
      ...{ kode: row.code, navn: row.name, visueltcenter_x: null, visueltcenter_y: null },
      ...{ href: hrefOf(base, row), betegnelse: `${row.name} (${row.code})` },
    }),
  };
}

export function districtCodeOf(text: string): number | null {
  const code = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  const { min, max } = CADASTRE_LIMITS.districtCode;
  return code >= min && code <= max ? code : null;
}

const textOf = (params: Params): string | null => params.search(CADASTRE_LIMITS.textChars.max);

const FIELDS: Fields<District> = {
  kode: { kind: 'number', of: ({ code }) => String(code) },
  navn: { kind: 'text', of: ({ name }) => name },
};

function readList({ params }: Asked) {
  return { fits: fitsOf(params, FIELDS), text: textOf(params), page: pageOf(params) };
}

export function districtDoor(add: AddRoute, { parcels, parcelsCoverage }: DoorLookups): void {
  const resource: Resource<ReturnType<typeof readList>, DistrictRow> = {
    ...{ path: '/ejerlav', rule: PAGE, coverage: parcelsCoverage, read: readList, shape: shapeOf },
    find: (question) => {
      const { districts, ...facts } = parcels.districts(null);
      const named = ({ code, name }: District) => ({ code: String(code), name });
      return { facts, rows: listed(districts, question, named) };
    },
    suggest:
      ({ base }) =>
      (row) => ({
        tekst: `${row.code} ${row.name}`,
        ejerlav: { href: hrefOf(base, row), kode: row.code, navn: row.name },
      }),
    prepare: (rows, { format }) => shaped(parcels, rows, format),
  };
  addResource(add, resource);
  addOne(add, resource, [
    ':kode',
    ({ path: { kode = '' } }) => {
      const code = districtCodeOf(kode);
      if (code === null) throw badPath('kode', 'notInteger');
      return code;
    },
    (code) => {
      const { districts: rows, ...facts } = parcels.districts(code);
      return { facts, rows };
    },
  ]);
}
