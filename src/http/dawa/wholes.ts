/** `/landsdele`, `/storkredse`, `/valglandsdele`: of whole municipalities or nomination districts each, by fixed lists. */
import { bboxOf } from '../../answers/in-system.ts';
import { boundsAround } from '../../geo/bounds.ts';
import type { Bounds } from '../../geo/bounds.ts';
import type { Theme } from '../../layers/keys.ts';
import {
  CONSTITUENCIES,
  ELECTORAL_REGIONS,
  constituencyOf,
  districtsOf,
} from '../../registers/areas/constituencies.ts';
import type { ElectoralRegion } from '../../registers/areas/constituencies.ts';
import { PROVINCES, provinceOf } from '../../registers/areas/provinces.ts';
import type { Shape } from '../wire/row-formats.ts';
import { NUTS2, allOf, areasAt, bboxMembers } from './areas.ts';
import { fitsOf, listed } from './filters.ts';
import type { Fields } from './filters.ts';
import { pageOf } from './pages.ts';
import { addOne, addResource, addReverse } from './resources.ts';
import type { Resource } from './resources.ts';
import { wholeMember } from './codes.ts';
import { badPath } from './failure.ts';
import type { AddRoute, Around, Asked, DoorLookups } from './routes.ts';

const RULE = { area: 'dagi', operation: 'dagiOmraade' } as const;

interface Whole {
  readonly code: string;
  readonly name: string;
  readonly regionCode: string | null;
  readonly electoralRegion?: ElectoralRegion;
  /** Codes of the areas that it is made of. */
  readonly parts: readonly string[];
}

interface Kind {
  readonly path: string;
  /** Of one, in answers of others. */
  readonly member: string;
  /** The name of its code. */
  readonly key: string;
  readonly isCode: RegExp;
  readonly theme: Theme;
  readonly all: readonly Whole[];
  /** By the code of a part. */
  readonly codeOf: (part: string) => string | undefined;
}

const regionOfNuts = (nuts3: string): string | null =>
  Object.entries(NUTS2).find(([, nuts2]) => nuts3.startsWith(nuts2))?.[0] ?? null;

const KINDS: readonly Kind[] = [
  {
    ...{ path: '/landsdele', member: 'landsdel', key: 'nuts3', isCode: /^DK\d{3}$/i },
    theme: 'kommune',
    all: PROVINCES.map(({ nuts3: code, name, municipalityCodes: parts }) => ({
      ...{ code, name, parts, regionCode: regionOfNuts(code) },
    })),
    codeOf: (part) => provinceOf(part)?.nuts3,
  },
  {
    ...{ path: '/storkredse', member: 'storkreds', key: 'nummer', isCode: /^\d{1,2}$/ },
    theme: 'opstillingskreds',
    all: CONSTITUENCIES.map((each) => ({ ...each, code: each.number, parts: districtsOf(each) })),
    codeOf: (part) => constituencyOf(part)?.number,
  },
  {
    ...{ path: '/valglandsdele', member: 'valglandsdel', key: 'bogstav', isCode: /^[a-c]$/i },
    theme: 'opstillingskreds',
    all: ELECTORAL_REGIONS.map((region) => ({
      ...{ code: region.letter, name: region.name, regionCode: null },
      parts: CONSTITUENCIES.filter((each) => each.electoralRegion === region).flatMap(districtsOf),
    })),
    codeOf: (part) => constituencyOf(part)?.electoralRegion.letter,
  },
];

interface Row extends Whole {
  /** Around all its parts; null: one is not mirrored. */
  readonly boundsM: Bounds | null;
  readonly regionName: string | null;
}

async function rowsOf(lookups: DoorLookups, { theme, all }: Kind) {
  const [{ rows, facts }, regions] = await Promise.all([
    allOf(lookups, theme),
    allOf(lookups, 'region'),
  ]);
  const bounds = new Map(rows.map(({ code, boundsM }) => [code, boundsM]));
  const names = new Map(regions.rows.map(({ code, name }) => [code, name]));
  const found = all.map((each): Row => {
    const boxes = each.parts.map((part) => bounds.get(part));
    const known = boxes.filter((box) => box !== null && box !== undefined);
    return {
      ...each,
      boundsM: known.length < boxes.length ? null : boundsAround(known),
      regionName: names.get(each.regionCode ?? '') ?? null,
    };
  });
  return { facts, all: found };
}

function shapeOf({ path, key }: Kind, { base, format }: Around): Shape<Row> {
  const head = { ændret: null, geo_version: null, geo_ændret: null };
  const own = ({ code, name }: Row) =>
    key === 'nuts3' ? { navn: name, nuts3: code } : { [key]: code, navn: name };
  const hrefOf = ({ code }: Row): string => `${base}${path}/${code}`;
  return {
    nestet: (row) => ({
      ...{ ...head, bbox: bboxOf(row.boundsM, format), visueltcenter: null, href: hrefOf(row) },
      ...{ dagi_id: null, ...own(row) },
      ...(row.regionCode !== null && {
        region:
          row.regionName === null
            ? null
            : {
                href: `${base}/regioner/${row.regionCode}`,
                ...{ kode: row.regionCode, navn: row.regionName },
              },
      }),
      ...(row.electoralRegion && {
        valglandsdel: wholeMember(base, 'valglandsdele', row.parts[0]),
      }),
    }),
    flad: (row) => ({
      ...{ ...head, dagi_id: null, ...own(row), href: hrefOf(row) },
      ...(row.regionCode !== null && { regionskode: row.regionName && row.regionCode }),
      ...(row.electoralRegion && { valglandsdelsbogstav: row.electoralRegion.letter }),
      ...bboxMembers(row.boundsM, null, format),
    }),
    label: ({ name, code }) => `${code} ${name}`,
  };
}

const fieldsOf = ({ key, all }: Kind): Fields<Row> => ({
  [key]: { kind: 'text', of: ({ code }) => code },
  navn: { kind: 'text', of: ({ name }) => name },
  ...(all[0]?.electoralRegion && {
    regionskode: { kind: 'code', of: ({ regionCode }) => regionCode },
    valglandsdelsbogstav: { kind: 'text', of: ({ electoralRegion: of }) => of?.letter ?? null },
  }),
});

const readList =
  (kind: Kind) =>
  ({ params }: Asked) => ({
    ...{ fits: fitsOf(params, fieldsOf(kind)), text: params.search(), page: pageOf(params) },
  });

type Question = ReturnType<ReturnType<typeof readList>>;

const resourceOf = (lookups: DoorLookups, kind: Kind): Resource<Question, Row> => ({
  ...{ path: kind.path, rule: RULE, coverage: null, read: readList(kind) },
  shape: (around) => shapeOf(kind, around),
  find: async (question) => {
    const { all, facts } = await rowsOf(lookups, kind);
    return { facts, rows: listed(all, question, (row) => row) };
  },
  suggest: (around) => (row) => ({
    tekst: `${row.code} ${row.name}`,
    [kind.member]: shapeOf(kind, around).nestet(row),
  }),
});

function addWhole(add: AddRoute, lookups: DoorLookups, kind: Kind): void {
  const resource = resourceOf(lookups, kind);
  const called = async (asked: string | undefined) => {
    const { all, facts } = await rowsOf(lookups, kind);
    return { facts, rows: all.filter(({ code }) => code === asked) };
  };
  addResource(add, resource);
  addReverse(add, resource, 'dagiReverse', async (point, { deadline }) => {
    const { areas } = await areasAt(lookups, point, deadline);
    const own = areas.find(({ theme }) => theme === kind.theme);
    return await called(kind.codeOf(own?.code ?? ''));
  });
  addOne(add, resource, [
    `:${kind.key}`,
    ({ path }) => {
      const given = path[kind.key] ?? '';
      if (!kind.isCode.test(given)) throw badPath(kind.key, `not as ${kind.all[0]?.code}`);
      return given.toUpperCase().replace(/^0+(?=.)/, '');
    },
    called,
  ]);
}

export function wholeDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const kind of KINDS) addWhole(add, lookups, kind);
}
