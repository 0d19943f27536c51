/** The six themes of DAGI. */
import type { AreaNames } from '../../answers/answer.ts';
import type { Point } from '../../geo/point.ts';
import { Failure } from '../../kernel/failures.ts';
import type { AreaId, Theme } from '../../layers/keys.ts';
import { meeting } from '../../registers/areas/drawn-areas.ts';
import { ringsText } from '../../registers/areas/area-geometry.ts';
import { constituencyOf } from '../../registers/areas/constituencies.ts';
import { AREA_PATHS, CHANGES, ELECTIONS, EXTENT, IN_REGION, pathOfArea } from './area-members.ts';
import type { Extent } from './area-members.ts';
import { unpadded } from './codes.ts';
import { addAreas } from './area-resource.ts';
import type { AreaKind } from './area-resource.ts';
import { filtersBy, members } from './members.ts';
import type { Forms, Readers } from './members.ts';
import { pathCode } from './paths.ts';
import { writtenBy } from './resources.ts';
import type { Found } from './resources.ts';
import type { AddRoute, Around, DoorLookups } from './routes.ts';

const NUTS2: Readonly<Record<string, string>> = {
  ...{ 1081: 'DK05', 1082: 'DK04', 1083: 'DK03', 1084: 'DK01', 1085: 'DK02' },
};

/** Ertholmene. */
const OUTSIDE_MUNICIPALITIES = '0411';

export interface AreaRow extends Extent {
  /** Of DAGI; null: not known where a point alone answers. */
  readonly key: string | null;
  readonly code: string;
  readonly name: string;
  readonly region: { readonly code: string; readonly name: string | null } | null;
}

const label = ({ code, name }: AreaRow): string => `${code} ${name}`;

const READERS: Readers<AreaRow> = {
  ...{ ...EXTENT, ...IN_REGION, ...ELECTIONS, betegnelse: label, tekst: label },
  dagi_id: ({ key }) => key,
  kode: ({ code }) => code,
  navn: ({ name }) => name,
  nuts2: ({ code }) => NUTS2[code],
  udenforkommuneinddeling: ({ code }) => code === OUTSIDE_MUNICIPALITIES,
};

const DISTRICT: Readers<AreaRow> = {
  nummer: ({ code }) => unpadded(code),
  href: ({ code }, { base }) => `${base}/opstillingskredse/${unpadded(code)}`,
  valgkredsnummer: ({ code }) => {
    const place = constituencyOf(code)?.districtCodes.indexOf(code);
    return place === undefined ? null : String(place + 1);
  },
};

const COMMON = 'kode:code navn:text';
const HEAD = `${CHANGES} bbox visueltcenter`;

/** Members nested and flat, and the filters of it alone. */
const own = (nestet: string, flad: string, filters = '') => ({ nestet, flad, filters });
const plain = own(`${HEAD} dagi_id kode navn href`, `${CHANGES} dagi_id kode navn href ...box`);
const KINDS: Readonly<Record<Theme, ReturnType<typeof own>>> = {
  ...{ sogn: plain, retskreds: plain, politikreds: plain },
  region: own(
    `${HEAD} dagi_id kode navn nuts2 href`,
    `${CHANGES} dagi_id kode navn nuts2 href ...box`,
    'nuts2:text',
  ),
  kommune: own(
    `${HEAD} href dagi_id kode navn udenforkommuneinddeling regionskode region`,
    `${CHANGES} href dagi_id kode navn udenforkommuneinddeling regionskode ...box`,
    'regionskode:code udenforkommuneinddeling:flag',
  ),
  opstillingskreds: own(
    `${HEAD} href dagi_id nummer kode navn valgkredsnummer kredskommune region storkreds
    valglandsdel kommuner`,
    `${CHANGES} href dagi_id nummer kode navn valgkredsnummer kredskommune kommuner regionskode
    storkredsnummer storkredsnavn valglandsdelsbogstav valglandsdelsnavn ...box`,
    'dagi_id:number regionskode:code nummer:code storkredsnummer:number valglandsdelsbogstav:text',
  ),
};

export async function allOf({ areaList }: DoorLookups, theme: AreaId): Promise<Found<AreaRow>> {
  const { value, generation, provenance } = await areaList.all(theme);
  const regions = theme === 'region' ? null : await areaList.all('region').catch(() => null);
  const names = new Map(regions?.value.map(({ code, name }) => [code, name]));
  const rows = value.map(({ key, code, name, regionCode, boundsM, center }) => {
    const region = regionCode && { code: regionCode, name: names.get(regionCode) ?? null };
    return { key, code, name, boundsM, center, region: region || null };
  });
  return {
    facts: { generation, provenance: [...provenance, ...(regions?.provenance ?? [])] },
    rows,
  };
}

export async function withChanges<R extends AreaRow>(
  { areaList }: DoorLookups,
  theme: AreaId,
  rows: readonly R[],
): Promise<readonly R[]> {
  const keys = rows.flatMap(({ key }) => key ?? []);
  const changes = await areaList.changes(theme, keys);
  return rows.map((row) => ({ ...row, change: changes.get(row.key ?? '') }));
}

export async function withGeometry(
  { areas }: DoorLookups,
  theme: Theme,
  rows: readonly AreaRow[],
  { deadline, format }: Around,
): Promise<readonly AreaRow[]> {
  if (format.format !== 'geojson') return rows;
  const codes = rows.map(({ code }) => code);
  const { value } = await areas.find(theme, codes, deadline);
  const shaped: AreaRow[] = [];
  for (const [i, row] of rows.entries()) {
    const area = value[i];
    if (area === undefined || area instanceof Failure) throw area ?? new Error('No answer.');
    shaped.push({ ...row, geometry: await ringsText(area.geometry, format.srid) });
  }
  return shaped;
}

/** What lies at the point. Throws the Failure. */
export async function areasAt(
  { reverseAreas }: DoorLookups,
  point: Point,
  deadline: Around['deadline'],
) {
  const { value, generation } = await reverseAreas.at([point], deadline);
  const [answer] = value;
  if (answer === undefined || answer instanceof Failure) throw answer ?? new Error('No answer.');
  return { areas: answer.areas, facts: { generation, provenance: answer.provenance } };
}

function writtenOf(theme: Theme, forms: Forms) {
  const path = pathOfArea(theme);
  const readers: Readers<AreaRow> = {
    ...{ ...READERS, href: ({ code }, { base }) => `${base}/${path}/${code}` },
    ...(theme === 'opstillingskreds' && DISTRICT),
  };
  const nested = { ...readers, [theme]: members(readers, forms.nestet) };
  return { readers, ...writtenBy(nested, { ...forms, suggest: `tekst ${theme}` }) };
}

function kindOf(
  lookups: DoorLookups,
  [theme, path]: (typeof AREA_PATHS)[number],
): AreaKind<AreaRow> {
  const { filters, ...forms } = KINDS[theme];
  const { readers, ...written } = writtenOf(theme, forms);
  return {
    ...{ ...written, path: `/${path}`, named: (row) => row },
    fields: filtersBy(readers, `${COMMON} ${filters}`.trim()),
    all: () => allOf(lookups, theme),
    meeting: (rows, within) => meeting(lookups.areaList, theme, [rows, within]),
    at: async (rows, point, { deadline }) => {
      const { areas } = await areasAt(lookups, point, deadline);
      const codes = areas.filter((each) => each.theme === theme).map(({ code }) => code);
      return rows.filter(({ code }) => codes.includes(code));
    },
    // Without the list too.
    reverse: async (point, { deadline }) => {
      const { areas, facts } = await areasAt(lookups, point, deadline);
      const found = areas.filter((each) => each.theme === theme);
      const rows = await Promise.all(found.map((area) => detailsOf(lookups, area, areas)));
      return { facts, rows };
    },
    one: [
      ':kode',
      ({ kode = '' }) => {
        const asked = pathCode('kode', kode);
        return ({ code }) => code === asked;
      },
    ],
    prepare: async (rows, around) =>
      await withGeometry(lookups, theme, await withChanges(lookups, theme, rows), around),
  };
}

async function detailsOf(
  lookups: DoorLookups,
  { theme, code, name }: AreaNames[number],
  areas: AreaNames,
): Promise<AreaRow> {
  const listed = await allOf(lookups, theme).catch(() => null);
  const known = listed?.rows.find((each) => each.code === code);
  const region = areas.find((each) => each.theme === 'region') ?? null;
  return known ?? { key: null, code, name, region, boundsM: null, center: null };
}

export function areaDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const each of AREA_PATHS) addAreas(add, kindOf(lookups, each));
}
