/** `/landsdele`: whole municipalities each (registers/areas/provinces.ts). */
import { bboxOf } from '../../answers/in-system.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { PROVINCES, boxOfProvince, provinceOf } from '../../registers/areas/provinces.ts';
import type { Province } from '../../registers/areas/provinces.ts';
import type { Shape } from '../wire/row-formats.ts';
import { NUTS2, allOf, areasAt, bboxMembers } from './areas.ts';
import { fitsOf, listed } from './filters.ts';
import type { Fields } from './filters.ts';
import { pageOf } from './pages.ts';
import { addOne, addResource, addReverse } from './resources.ts';
import type { Resource } from './resources.ts';
import { badPath } from './failure.ts';
import type { AddRoute, Around, Asked, DoorLookups } from './routes.ts';

const RULE = { area: 'dagi', operation: 'dagiOmraade' } as const;

interface Row extends Province {
  readonly boundsM: Bounds | null;
  readonly region: { readonly code: string; readonly name: string } | null;
}

async function rowsOf(lookups: DoorLookups) {
  const [{ rows, facts }, regions] = await Promise.all([
    allOf(lookups, 'kommune'),
    allOf(lookups, 'region'),
  ]);
  const all = PROVINCES.map((each): Row => {
    const region = regions.rows.find(({ code }) => each.nuts3.startsWith(NUTS2[code] ?? '-'));
    return { ...each, boundsM: boxOfProvince(each, rows), region: region ?? null };
  });
  return { facts, all };
}

function shapeOf({ base, format }: Around): Shape<Row> {
  const head = { ændret: null, geo_version: null, geo_ændret: null };
  const hrefOf = ({ nuts3 }: Row): string => `${base}/landsdele/${nuts3}`;
  return {
    nestet: (row) => ({
      ...{ ...head, bbox: bboxOf(row.boundsM, format), visueltcenter: null, href: hrefOf(row) },
      ...{ dagi_id: null, navn: row.name, nuts3: row.nuts3 },
      region: row.region && {
        href: `${base}/regioner/${row.region.code}`,
        ...{ kode: row.region.code, navn: row.region.name },
      },
    }),
    flad: (row) => ({
      ...{ ...head, dagi_id: null, navn: row.name, nuts3: row.nuts3, href: hrefOf(row) },
      ...{ regionskode: row.region?.code ?? null, ...bboxMembers(row.boundsM, null, format) },
    }),
    label: ({ name, nuts3 }) => `${nuts3} ${name}`,
  };
}

const FIELDS: Fields<Row> = {
  nuts3: { kind: 'text', of: ({ nuts3 }) => nuts3 },
  navn: { kind: 'text', of: ({ name }) => name },
};

function readList({ params }: Asked) {
  return { fits: fitsOf(params, FIELDS), text: params.search(), page: pageOf(params) };
}

const resourceOf = (lookups: DoorLookups): Resource<ReturnType<typeof readList>, Row> => ({
  ...{ path: '/landsdele', rule: RULE, coverage: null, read: readList, shape: shapeOf },
  find: async (question) => {
    const { all, facts } = await rowsOf(lookups);
    return { facts, rows: listed(all, question, ({ nuts3: code, name }) => ({ code, name })) };
  },
  suggest: (around) => (row) => ({
    tekst: `${row.nuts3} ${row.name}`,
    landsdel: shapeOf(around).nestet(row),
  }),
});

export function provinceDoor(add: AddRoute, lookups: DoorLookups): void {
  const resource = resourceOf(lookups);
  const called = async (asked: string | undefined) => {
    const { all, facts } = await rowsOf(lookups);
    return { facts, rows: all.filter(({ nuts3 }) => nuts3 === asked) };
  };
  addResource(add, resource);
  addReverse(add, resource, 'dagiReverse', async (point, { deadline }) => {
    const { areas } = await areasAt(lookups, point, deadline);
    const own = areas.find(({ theme }) => theme === 'kommune');
    return await called(provinceOf(own?.code ?? '')?.nuts3);
  });
  addOne(add, resource, [
    ':nuts3',
    ({ path: { nuts3 = '' } }) => {
      if (!/^DK\d{3}$/i.test(nuts3)) throw badPath('nuts3', 'not DK and three digits');
      return nuts3.toUpperCase();
    },
    called,
  ]);
}
