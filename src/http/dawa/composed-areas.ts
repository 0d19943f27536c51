import type { Theme } from '../../layers/keys.ts';
import { meeting } from '../../registers/areas/drawn-areas.ts';
import { WHOLES, composed, withParts } from '../../registers/areas/wholes.ts';
import type { ComposedArea, Whole } from '../../registers/areas/wholes.ts';
import { CHANGES, EXTENT, IN_ELECTORAL_REGION, IN_REGION } from './area-members.ts';
import { addAreas } from './area-resource.ts';
import type { AreaKind } from './area-resource.ts';
import { allAreas, areasAt, withGeometry } from '../../registers/areas/rows.ts';
import type { AreaRow, Extent } from '../../registers/areas/rows.ts';
import { badPath } from './failure.ts';
import { members } from '../wire/row-members.ts';
import type { Readers } from '../wire/row-members.ts';
import { filtersBy } from './filters.ts';
import { writtenBy } from './resources.ts';
import type { AddRoute, Around, DoorLookups } from './routes.ts';

interface Kind {
  readonly path: string;
  readonly member: string;
  readonly key: 'nuts3' | 'nummer' | 'bogstav';
  readonly form: readonly [pattern: RegExp, reason: string];
  readonly theme: Theme;
  readonly own: readonly [all: string, nested: string, flat: string, filters: string];
  readonly wholes: readonly Whole[];
}

const KINDS: readonly Kind[] = [
  {
    ...{ path: 'landsdele', member: 'landsdel', key: 'nuts3', theme: 'kommune' },
    own: ['href dagi_id nuts3 navn', 'region', 'regionskode regionsnavn', 'nuts3:text'],
    form: [/^DK\d{3}$/i, 'not DK and three digits'],
    wholes: WHOLES.province,
  },
  {
    ...{ path: 'storkredse', member: 'storkreds', key: 'nummer', theme: 'opstillingskreds' },
    own: [
      'href nummer navn',
      'region valglandsdel',
      'regionskode regionsnavn valglandsdelsbogstav valglandsdelsnavn',
      'nummer:number regionskode:code valglandsdelsbogstav:text',
    ],
    form: [/^\d{1,4}$/, 'notInteger'],
    wholes: WHOLES.constituency,
  },
  {
    ...{ path: 'valglandsdele', member: 'valglandsdel', key: 'bogstav', theme: 'opstillingskreds' },
    own: ['href bogstav navn', '', '', 'bogstav:text'],
    form: [/^[a-zæøå]$/i, 'not a letter'],
    wholes: WHOLES.electoralRegion,
  },
];

type Row = ComposedArea<AreaRow> & Pick<Extent, 'geometry'>;

const keyOf = ({ key }: Row): string => key;
const label = ({ key, name }: Row): string => `${key} ${name}`;

const READERS: Readers<Row> = {
  ...{ ...EXTENT, ...IN_REGION, ...IN_ELECTORAL_REGION },
  ...{ nuts3: keyOf, nummer: keyOf, bogstav: keyOf },
  ...{ navn: ({ name }) => name, betegnelse: label, tekst: label },
};

async function rowsOf(lookups: DoorLookups, { theme, wholes }: Kind) {
  const { rows, facts } = await allAreas(lookups, theme);
  return { facts, rows: composed(wholes, rows) };
}

/** null: one of the areas is not mirrored. */
async function shaped(
  lookups: DoorLookups,
  { theme }: Kind,
  rows: readonly Row[],
  { format: { format, srid }, deadline, lacksSome }: Around,
): Promise<readonly Row[]> {
  if (rows.some(({ isWhole }) => !isWhole)) lacksSome();
  if (format !== 'geojson') return rows;
  const asked = { srid, deadline };
  const each: Row[] = [];
  for (const row of rows) {
    const areas = row.isWhole ? await withGeometry(lookups, theme, row.areas, asked) : [];
    const parts = areas.map(({ geometry = '' }) =>
      geometry.slice(geometry.indexOf('[') + 1, geometry.lastIndexOf(']')),
    );
    const geometry = `{"type":"MultiPolygon","coordinates":[${parts.join(',')}]}`;
    each.push(row.isWhole ? { ...row, geometry } : row);
  }
  return each;
}

function kindOf(lookups: DoorLookups, kind: Kind): AreaKind<Row> {
  const { theme, path, member, own } = kind;
  const [all, nested, flat, filters] = own;
  const nestet = `${CHANGES} bbox visueltcenter ${all} ${nested}`;
  const readers: Readers<Row> = {
    ...{ ...READERS, href: ({ key }, { base }) => `${base}/${path}/${key}` },
  };
  const made = (rows: readonly Row[], areas: Parameters<typeof withParts>[1]) => {
    const keys = withParts(kind.wholes, areas).map(({ key }) => key);
    return rows.filter(({ key }) => keys.includes(key));
  };
  return {
    ...{ path: `/${path}`, fields: filtersBy(readers, `navn:text ${filters}`) },
    ...writtenBy(
      { ...readers, [member]: members(readers, nestet) },
      { nestet, flad: `${CHANGES} ${all} ${flat} ...box`, suggest: `tekst ${member}` },
    ),
    named: ({ key, name }) => ({ code: key.toLowerCase(), name }),
    all: () => rowsOf(lookups, kind),
    meeting: async (rows, within) => {
      const { rows: areas } = await allAreas(lookups, theme);
      return made(rows, await meeting(lookups.areaList, theme, [areas, within]));
    },
    at: async (rows, point, { deadline }) => {
      const { areas } = await areasAt(lookups, point, deadline);
      const own = areas.filter((each) => each.theme === theme);
      return made(rows, own);
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
