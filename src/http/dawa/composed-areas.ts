/** `/landsdele`, `/storkredse`, `/valglandsdele`: each is whole areas of a theme of DAGI. */
import { Failure } from '../../kernel/failures.ts';
import type { Theme } from '../../layers/keys.ts';
import { CONSTITUENCIES, ELECTORAL_REGIONS } from '../../registers/areas/constituencies.ts';
import type { ElectoralRegion } from '../../registers/areas/constituencies.ts';
import { PROVINCES, boxOfAll } from '../../registers/areas/provinces.ts';
import { meeting } from '../../registers/areas/drawn-areas.ts';
import { CHANGES, EXTENT, IN_ELECTORAL_REGION, IN_REGION } from './area-members.ts';
import type { Extent } from './area-members.ts';
import { addAreas } from './area-resource.ts';
import type { AreaKind } from './area-resource.ts';
import { allOf, areasAt, withGeometry } from './areas.ts';
import type { AreaRow } from './areas.ts';
import { badPath } from './failure.ts';
import { filtersBy, members } from './members.ts';
import type { Readers } from './members.ts';
import { writtenBy } from './resources.ts';
import type { AddRoute, Around, DoorLookups } from './routes.ts';

interface Whole {
  readonly key: string;
  readonly name: string;
  readonly parts: readonly string[];
  readonly electoralRegion?: ElectoralRegion;
}

interface Kind {
  readonly path: string;
  readonly member: string;
  readonly key: 'nuts3' | 'nummer' | 'bogstav';
  readonly form: readonly [pattern: RegExp, reason: string];
  readonly theme: Theme;
  /** Members nested and flat, and filters, beside those of all. */
  readonly own: readonly [nested: string, flat: string, filters: string];
  readonly wholes: readonly Whole[];
}

const KINDS: readonly Kind[] = [
  {
    ...{ path: 'landsdele', member: 'landsdel', key: 'nuts3', theme: 'kommune' },
    own: ['href dagi_id nuts3 navn region', 'regionskode regionsnavn', 'nuts3:text'],
    form: [/^DK\d{3}$/i, 'not DK and three digits'],
    wholes: PROVINCES.map(({ nuts3: key, name, municipalityCodes: parts }) => {
      return { key, name, parts };
    }),
  },
  {
    ...{ path: 'storkredse', member: 'storkreds', key: 'nummer', theme: 'opstillingskreds' },
    own: [
      'href nummer navn region valglandsdel',
      'regionskode regionsnavn valglandsdelsbogstav valglandsdelsnavn',
      'nummer:number regionskode:code valglandsdelsbogstav:text',
    ],
    form: [/^\d{1,4}$/, 'notInteger'],
    wholes: CONSTITUENCIES.map(({ number, districtCodes, ...each }) => {
      return { ...each, key: number, parts: districtCodes };
    }),
  },
  {
    ...{ path: 'valglandsdele', member: 'valglandsdel', key: 'bogstav', theme: 'opstillingskreds' },
    own: ['href bogstav navn', '', 'bogstav:text'],
    form: [/^[a-zæøå]$/i, 'not a letter'],
    wholes: ELECTORAL_REGIONS.map(({ letter, name }) => {
      const own = CONSTITUENCIES.filter(({ electoralRegion }) => electoralRegion.letter === letter);
      return { key: letter, name, parts: own.flatMap(({ districtCodes }) => districtCodes) };
    }),
  },
];

interface Row extends Whole, Extent {
  readonly region: AreaRow['region'];
  readonly areas: readonly AreaRow[];
}

const keyOf = ({ key }: Row): string => key;
const label = ({ key, name }: Row): string => `${key} ${name}`;

const READERS: Readers<Row> = {
  ...{ ...EXTENT, ...IN_REGION, ...IN_ELECTORAL_REGION },
  ...{ nuts3: keyOf, nummer: keyOf, bogstav: keyOf },
  ...{ navn: ({ name }) => name, betegnelse: label, tekst: label },
};

async function rowsOf(lookups: DoorLookups, { theme, wholes }: Kind) {
  const { rows, facts } = await allOf(lookups, theme);
  const all = wholes.map((each): Row => {
    const areas = rows.filter(({ code }) => each.parts.includes(code));
    const regions = areas.map(({ region }) => region).filter((region) => region !== null);
    const [region = null] = regions;
    const isOne =
      areas.length === each.parts.length && regions.every(({ code }) => code === region?.code);
    const boundsM = boxOfAll(each.parts, rows);
    return { ...each, boundsM, region: isOne ? region : null, areas };
  });
  return { facts, rows: all };
}

/** Throws where an area belongs to none of the list: it is newer than that, so nothing is known (D186). */
function withParts(rows: readonly Row[], codes: readonly string[]): readonly Row[] {
  if (codes.every((code) => rows.some(({ parts }) => parts.includes(code)))) {
    return rows.filter(({ parts }) => parts.some((code) => codes.includes(code)));
  }
  throw new Failure('upstream_unavailable', {
    error: 'An area here is in no list of what it belongs to.',
    errorDa: 'Et område her er ikke på nogen liste over, hvad det hører til.',
  });
}

/** The surfaces of all its areas; null where one is not mirrored. */
async function shaped(
  lookups: DoorLookups,
  { theme }: Kind,
  rows: readonly Row[],
  around: Around,
): Promise<readonly Row[]> {
  if (around.format.format !== 'geojson') return rows;
  const each: Row[] = [];
  for (const row of rows) {
    const isWhole = row.areas.length === row.parts.length;
    const areas = isWhole ? await withGeometry(lookups, theme, row.areas, around) : [];
    const parts = areas.map(({ geometry = '' }) =>
      geometry.slice(geometry.indexOf('[') + 1, geometry.lastIndexOf(']')),
    );
    const geometry = `{"type":"MultiPolygon","coordinates":[${parts.join(',')}]}`;
    each.push(isWhole ? { ...row, geometry } : row);
  }
  return each;
}

function kindOf(lookups: DoorLookups, kind: Kind): AreaKind<Row> {
  const { theme, path, member, own } = kind;
  const [nested, flat, filters] = own;
  const nestet = `${CHANGES} bbox visueltcenter ${nested}`;
  const flad = `${CHANGES} ${nested.replace(/ region.*/, '')} ${flat} ...box`;
  const readers: Readers<Row> = {
    ...{ ...READERS, href: ({ key }, { base }) => `${base}/${path}/${key}` },
  };
  const withAny = async (rows: readonly Row[], areas: readonly { readonly code: string }[]) => {
    const codes = areas.map(({ code }) => code);
    const there = withParts((await rowsOf(lookups, kind)).rows, codes).map(({ key }) => key);
    return rows.filter(({ key }) => there.includes(key));
  };
  return {
    ...{ path: `/${path}`, fields: filtersBy(readers, `navn:text ${filters}`) },
    ...writtenBy(
      { ...readers, [member]: members(readers, nestet) },
      { nestet, flad, suggest: `tekst ${member}` },
    ),
    named: ({ key: code, name }) => ({ code, name }),
    all: () => rowsOf(lookups, kind),
    meeting: async (rows, within) => {
      const { rows: areas } = await allOf(lookups, theme);
      return await withAny(rows, await meeting(lookups.areaList, theme, [areas, within]));
    },
    at: async (rows, point, { deadline }) => {
      const { areas } = await areasAt(lookups, point, deadline);
      return await withAny(
        rows,
        areas.filter((each) => each.theme === theme),
      );
    },
    one: [
      `:${kind.key}`,
      (names) => {
        const given = names[kind.key] ?? '';
        const [pattern, reason] = kind.form;
        if (!pattern.test(given)) throw badPath(kind.key, reason);
        const asked = given.toUpperCase().replace(/^0+(?=.)/, '');
        return ({ key }) => key === asked;
      },
    ],
    prepare: (rows, around) => shaped(lookups, kind, rows, around),
  };
}

export function composedAreaDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const each of KINDS) addAreas(add, kindOf(lookups, each));
}
