/** The six themes of DAGI. */
import { boundsInDegrees } from '../../geo/bounds.ts';
import type { Bounds } from '../../geo/bounds.ts';
import type { AreaNames } from '../../answers/answer.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { roundTo } from '../../answers/numbers.ts';
import { Failure } from '../../kernel/failures.ts';
import type { Theme } from '../../layers/keys.ts';
import { ringsText } from './area-geometry.ts';
import { AREA_PATHS } from './area-themes.ts';
import { pairOf, unpadded } from './codes.ts';
import type { Pair } from './codes.ts';
import { badParameter } from './failure.ts';
import type { Shape } from './format.ts';
import { fitsOf } from './filters.ts';
import type { Fields, Fits } from './filters.ts';
import { DAWA_LIMITS } from './limits.ts';
import { pageOf, pageShown, suggestedPage } from './pages.ts';
import { pathCode } from './paths.ts';
import { pointOf } from './places-asked.ts';
import { rankedBy } from './ranking.ts';
import type { AddRoute, Around, Asked, DoorAnswer, DoorLookups } from './routes.ts';

const NUTS2: Readonly<Record<string, string>> = {
  ...{ 1081: 'DK05', 1082: 'DK04', 1083: 'DK03', 1084: 'DK01', 1085: 'DK02' },
};

/** Ertholmene. */
const OUTSIDE_MUNICIPALITIES = '0411';

export interface AreaRow {
  readonly code: string;
  readonly name: string;
  readonly region: { readonly code: string; readonly name: string | null } | null;
  readonly boundsM: Bounds | null;
  readonly center: PointUtm32 | null;
  /** GeoJSON. */
  readonly geometry?: string;
}

const DEGREE_DECIMALS = 8;

export function bboxOf(bounds: Bounds | null): readonly number[] | null {
  return bounds && boundsInDegrees(bounds).map((each) => roundTo(each, DEGREE_DECIMALS));
}

export function centerOf(center: PointUtm32 | null): Pair | null {
  return center && pairOf(center, 4326);
}

export function bboxMembers(bounds: Bounds | null, center: Pair | null) {
  const [west, south, east, north] = bboxOf(bounds) ?? [null, null, null, null];
  const [x, y] = center ?? [null, null];
  return {
    ...{ bbox_xmin: west, bbox_ymin: south, bbox_xmax: east, bbox_ymax: north },
    ...{ visueltcenter_x: x, visueltcenter_y: y },
  };
}

const head = ({ boundsM, center }: AreaRow) => ({
  ...{ ændret: null, geo_version: null, geo_ændret: null },
  ...{ bbox: bboxOf(boundsM), visueltcenter: centerOf(center) },
});

const regionMember = (base: string, { region }: AreaRow): object | null =>
  region && { href: `${base}/regioner/${region.code}`, kode: region.code, navn: region.name };

function membersOf(theme: Theme, base: string, row: AreaRow): Record<string, unknown> {
  const { code: kode, name: navn, region } = row;
  const path = AREA_PATHS.find(([each]) => each === theme)?.[1] ?? theme;
  const href = `${base}/${path}/${kode}`;
  switch (theme) {
    case 'kommune':
      return {
        ...{
          ...head(row),
          href,
          dagi_id: null,
          kode,
          navn,
          udenforkommuneinddeling: kode === OUTSIDE_MUNICIPALITIES,
        },
        ...{ regionskode: region?.code ?? null, region: regionMember(base, row) },
      };
    case 'opstillingskreds':
      return {
        ...{ ...head(row), href: `${base}/${path}/${unpadded(kode)}`, dagi_id: null },
        ...{ nummer: unpadded(kode), kode, navn, valgkredsnummer: null, kredskommune: null },
        ...{ region: regionMember(base, row), storkreds: null, valglandsdel: null },
        kommuner: null,
      };
    case 'region':
      return { ...head(row), dagi_id: null, kode, navn, nuts2: NUTS2[kode] ?? null, href };
    case 'sogn':
    case 'retskreds':
    case 'politikreds':
      return { ...head(row), dagi_id: null, kode, navn, href };
  }
}

function flatOf(theme: Theme, base: string, row: AreaRow): Record<string, unknown> {
  const { bbox, visueltcenter, region, ...members } = membersOf(theme, base, row);
  void [bbox, visueltcenter, region];
  return {
    ...Object.fromEntries(
      Object.entries(members).filter(([, value]) => typeof value !== 'object' || value === null),
    ),
    ...(theme !== 'region' && row.region && { regionskode: row.region.code }),
    ...bboxMembers(row.boundsM, centerOf(row.center)),
  };
}

const label = ({ code, name }: AreaRow): string => `${code} ${name}`;

function shapeOf(theme: Theme, { base }: Around): Shape<AreaRow> {
  return {
    nestet: (row) => membersOf(theme, base, row),
    flad: (row) => flatOf(theme, base, row),
    geometry: ({ geometry = 'null' }) => geometry,
    label,
  };
}

interface Listed {
  readonly facts: DoorAnswer<unknown>['facts'];
  readonly rows: readonly AreaRow[];
}

async function allOf({ areaList }: DoorLookups, theme: Theme): Promise<Listed> {
  const { value, generation, provenance } = await areaList.all(theme);
  const regions = theme === 'region' ? null : await areaList.all('region').catch(() => null);
  const names = new Map(regions?.value.map(({ code, name }) => [code, name]));
  const rows = value.map(({ code, name, regionCode, boundsM, center }) => {
    const region = regionCode && { code: regionCode, name: names.get(regionCode) ?? null };
    return { code, name, boundsM, center, region: region || null };
  });
  return {
    facts: { generation, provenance: [...provenance, ...(regions?.provenance ?? [])] },
    rows,
  };
}

interface Question {
  readonly fits: Fits<AreaRow> | null;
  readonly text: string | null;
  readonly page: ReturnType<typeof pageOf>;
  readonly isGeo: boolean;
}

const OF_ALL: Fields<AreaRow> = {
  kode: { kind: 'code', of: ({ code }) => code },
  navn: { kind: 'text', of: ({ name }) => name },
};
const REGIONAL: Fields<AreaRow> = {
  regionskode: { kind: 'code', of: ({ region }) => region?.code ?? null },
};
const FIELDS: Readonly<Partial<Record<Theme, Fields<AreaRow>>>> = {
  region: { nuts2: { kind: 'text', of: ({ code }) => NUTS2[code] ?? null } },
  kommune: {
    ...REGIONAL,
    udenforkommuneinddeling: {
      kind: 'flag',
      of: ({ code }) => String(code === OUTSIDE_MUNICIPALITIES),
    },
  },
  opstillingskreds: { ...REGIONAL, nummer: { kind: 'code', of: ({ code }) => code } },
};

function readList(theme: Theme, { params, format }: Asked): Question {
  return {
    fits: fitsOf(params, { ...OF_ALL, ...FIELDS[theme] }),
    text: params.search(),
    page: listPage(pageOf(params), params.has('per_side')),
    isGeo: format.format === 'geojson',
  };
}

/** All parishes were one list. */
function listPage(page: ReturnType<typeof pageOf>, isPaged: boolean): ReturnType<typeof pageOf> {
  return isPaged ? page : { ...page, take: Infinity, isWhole: false };
}

function picked(rows: readonly AreaRow[], { fits, text, page }: Question): readonly AreaRow[] {
  const kept = fits === null ? rows : rows.filter(fits);
  const ranked = text === null ? kept : rankedBy(kept, text, (row) => row);
  return pageShown(ranked.slice(page.skip, page.skip + page.take), page);
}

async function withGeometry(
  { areas }: DoorLookups,
  theme: Theme,
  rows: readonly AreaRow[],
  { deadline, format }: Around,
): Promise<{
  readonly rows: readonly AreaRow[];
  readonly provenance: Listed['facts']['provenance'];
}> {
  const codes = rows.map(({ code }) => code);
  const { value } = await areas.find(theme, codes, deadline);
  const shaped: AreaRow[] = [];
  const provenance = [];
  for (const [i, row] of rows.entries()) {
    const area = value[i];
    if (area === undefined || area instanceof Failure) throw area ?? new Error('No answer.');
    provenance.push(area.provenance);
    shaped.push({ ...row, geometry: await ringsText(area.geometry, format.srid) });
  }
  return { rows: shaped, provenance };
}

async function answerOf(
  lookups: DoorLookups,
  theme: Theme,
  { kind, rows, facts }: Pick<DoorAnswer<AreaRow>, 'kind' | 'rows' | 'facts'>,
  around: Around,
): Promise<DoorAnswer<AreaRow>> {
  const shape = shapeOf(theme, around);
  if (around.format.format !== 'geojson') return { kind, rows, facts, shape, units: 1 };
  if (rows.length > DAWA_LIMITS.geometries) {
    throw badParameter('per_side', `at most ${DAWA_LIMITS.geometries} geometries at once`);
  }
  const found = await withGeometry(lookups, theme, rows, around);
  const all = { ...facts, provenance: [...facts.provenance, ...found.provenance] };
  return { kind, rows: found.rows, facts: all, shape, units: Math.max(1, rows.length) };
}

function addTheme(add: AddRoute, lookups: DoorLookups, [theme, path]: (typeof AREA_PATHS)[number]) {
  const SERVER = { area: 'dagi' } as const;
  add(`/${path}`, {
    ...{ ...SERVER, operation: 'dagiOmraade', read: (asked) => readList(theme, asked) },
    mostUnits: ({ isGeo }) => (isGeo ? DAWA_LIMITS.geometries : 1),
    answer: async (question, around) => {
      const { rows, facts } = await allOf(lookups, theme);
      const shown = picked(rows, question);
      return await answerOf(lookups, theme, { kind: 'list', rows: shown, facts }, around);
    },
  });
  add(`/${path}/autocomplete`, {
    ...{ ...SERVER, operation: 'dagiOmraade' },
    read: (asked) => readList(theme, asked),
    answer: async (question, around) => {
      if (question.text === null) throw badParameter('q', 'missing');
      const { rows, facts } = await allOf(lookups, theme);
      const nestet = (row: AreaRow) => ({
        tekst: label(row),
        [theme]: membersOf(theme, around.base, row),
      });
      const found = picked(rows, { ...question, page: suggestedPage(question.page) });
      return { kind: 'list', rows: found, facts, shape: { nestet }, units: 1 };
    },
  });
  add(`/${path}/reverse`, {
    ...{ ...SERVER, operation: 'dagiReverse' },
    read: ({ params, format }) => pointOf(params, format),
    answer: async (point, around) => {
      const at = await lookups.reverseAreas.at([point], around.deadline);
      const [answer] = at.value;
      if (answer === undefined) throw new Error('The lookup gave no answer for the point.');
      if (answer instanceof Failure) throw answer;
      const area = answer.areas.find((each) => each.theme === theme);
      if (area === undefined) throw new Failure('not_found');
      const facts = { generation: at.generation, provenance: answer.provenance };
      const row = await detailsOf(lookups, area, answer.areas);
      return await answerOf(lookups, theme, { kind: 'one', rows: [row], facts }, around);
    },
  });
  add(`/${path}/:kode`, {
    ...{ ...SERVER, operation: 'dagiOmraade' },
    read: ({ path: { kode = '' } }) => pathCode('kode', kode),
    answer: async (code, around) => {
      const { rows, facts } = await allOf(lookups, theme);
      const row = rows.find((each) => each.code === code);
      if (row === undefined) throw new Failure('not_found');
      return await answerOf(lookups, theme, { kind: 'one', rows: [row], facts }, around);
    },
  });
}

async function detailsOf(
  lookups: DoorLookups,
  { theme, code, name }: AreaNames[number],
  areas: AreaNames,
): Promise<AreaRow> {
  const listed = await allOf(lookups, theme).catch(() => null);
  const known = listed?.rows.find((each) => each.code === code);
  const region = areas.find((each) => each.theme === 'region') ?? null;
  return known ?? { code, name, region, boundsM: null, center: null };
}

export function areaDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const each of AREA_PATHS) addTheme(add, lookups, each);
}
