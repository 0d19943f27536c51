import { CADASTRE_LIMITS } from '../../registers/cadastre/limits.ts';
import type { District } from '../../registers/cadastre/index/parcel-index.ts';
import type { Extent } from '../../registers/areas/rows.ts';
import { EXTENT } from './area-members.ts';
import { badPath } from './failure.ts';
import { fitsOf, listed, filtersBy } from './filters.ts';
import { members, readersOf } from '../wire/row-members.ts';
import type { Readers } from '../wire/row-members.ts';
import { withSurfaces } from '../../registers/areas/drawn-areas.ts';
import { joined } from '../../geo/wkb.ts';
import { pageOf } from './pages.ts';
import { addOne, addResource, writtenBy } from './resources.ts';
import type { Resource } from './resources.ts';
import type { AddRoute, Asked, DoorLookups } from './routes.ts';

const PAGE = { area: 'bbr', operation: 'jordstykker' } as const;

type DistrictRow = District & Pick<Extent, 'geometry'>;

/** A district's surface is the union of its parcels. */
async function ringsOf(parcels: DoorLookups['parcels'], { code }: District) {
  const found = await parcels.listed({ districtCode: code, skip: 0, take: Infinity });
  return joined(found.parcels.flatMap(({ rings }) => rings ?? []));
}

const READERS: Readers<DistrictRow> = {
  ...readersOf(({ box: boundsM }: DistrictRow) => ({ boundsM }), EXTENT),
  href: ({ code }, { base }) => `${base}/ejerlav/${code}`,
  kode: ({ code }) => code,
  navn: ({ name }) => name,
  betegnelse: ({ code, name }) => `${name} (${code})`,
  tekst: ({ code, name }) => `${code} ${name}`,
  geometry: ({ geometry = 'null' }) => geometry,
};
const WRITTEN = writtenBy(
  { ...READERS, ejerlav: members(READERS, 'href kode navn') },
  {
    nestet: 'href kode navn bbox visueltcenter',
    flad: 'kode navn ...box',
    mini: 'kode navn visueltcenter_x visueltcenter_y href betegnelse',
    suggest: 'tekst ejerlav',
  },
);

export function districtCodeOf(text: string): number | null {
  const code = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  const { min, max } = CADASTRE_LIMITS.districtCode;
  return code >= min && code <= max ? code : null;
}

const FIELDS = filtersBy(READERS, 'kode:number navn:text');

function readList({ params }: Asked) {
  return {
    fits: fitsOf(params, FIELDS),
    text: params.search(CADASTRE_LIMITS.textChars.max),
    page: pageOf(params),
  };
}

export function districtDoor(add: AddRoute, { parcels, parcelsCoverage }: DoorLookups): void {
  const resource: Resource<ReturnType<typeof readList>, DistrictRow> = {
    ...{ path: '/ejerlav', rule: PAGE, coverage: parcelsCoverage, read: readList },
    ...WRITTEN,
    find: (question) => {
      const { districts, ...facts } = parcels.districts(null);
      const named = ({ code, name }: District) => ({ code: String(code), name });
      return { facts, rows: listed(districts, question, named) };
    },
    prepare: (rows, { format }) => withSurfaces(rows, format, (row) => ringsOf(parcels, row)),
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
