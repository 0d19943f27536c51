/** The six themes of DAGI. */
import type { Bounds } from '../../geo/bounds.ts';
import type { AreaNames } from '../../answers/answer.ts';
import type { Point, PointUtm32 } from '../../geo/point.ts';
import { Failure } from '../../kernel/failures.ts';
import type { AreaId, Theme } from '../../layers/keys.ts';
import type { AreaChange } from '../../registers/areas/list.ts';
import { meeting } from '../../registers/areas/drawn-areas.ts';
import { ringsText } from '../../registers/areas/area-geometry.ts';
import { constituencyOf } from '../../registers/areas/constituencies.ts';
import { AREA_PATHS, electionFields, electionMembers } from './area-themes.ts';
import { bboxOf, centerOf } from '../../answers/in-system.ts';
import type { System } from '../../answers/in-system.ts';
import { unpadded } from './codes.ts';
import type { Shape } from '../wire/row-formats.ts';
import { addAreas } from './area-resource.ts';
import type { AreaKind } from './area-resource.ts';
import type { Fields } from './filters.ts';
import { pathCode } from './paths.ts';
import type { AddRoute, Around, DoorAnswer, DoorLookups } from './routes.ts';

const NUTS2: Readonly<Record<string, string>> = {
  ...{ 1081: 'DK05', 1082: 'DK04', 1083: 'DK03', 1084: 'DK01', 1085: 'DK02' },
};

/** Ertholmene. */
const OUTSIDE_MUNICIPALITIES = '0411';

export interface AreaRow {
  /** Of DAGI; null: not known where a point alone answers. */
  readonly key: string | null;
  readonly code: string;
  readonly name: string;
  readonly region: { readonly code: string; readonly name: string | null } | null;
  readonly boundsM: Bounds | null;
  readonly center: PointUtm32 | null;
  /** Absent: unknown. */
  readonly change?: AreaChange | undefined;
  /** GeoJSON. */
  readonly geometry?: string;
}

export function bboxMembers(bounds: Bounds | null, center: PointUtm32 | null, system: System) {
  const [west, south, east, north] = bboxOf(bounds, system) ?? [null, null, null, null];
  const [x, y] = centerOf(center, system) ?? [null, null];
  return {
    ...{ bbox_xmin: west, bbox_ymin: south, bbox_xmax: east, bbox_ymax: north },
    ...{ visueltcenter_x: x, visueltcenter_y: y },
  };
}

/** In UTC, as DAWA wrote of areas. */
export const changeMembers = (change: AreaChange | undefined) => ({
  ændret: change?.changedAt.toISOString() ?? null,
  geo_version: change?.geometryVersion ?? null,
  geo_ændret: change?.geometryChangedAt.toISOString() ?? null,
});

export const head = ({ boundsM, center, change }: AreaRow, system: System) => ({
  ...changeMembers(change),
  ...{ bbox: bboxOf(boundsM, system), visueltcenter: centerOf(center, system) },
});

/** Of a nomination district in its constituency. */
function numberWithin(code: string): string | null {
  const place = constituencyOf(code)?.districtCodes.indexOf(code);
  return place === undefined ? null : String(place + 1);
}

type Place = Pick<Around, 'base' | 'format'>;

export const regionMember = (base: string, { region }: Pick<AreaRow, 'region'>): object | null =>
  region && { href: `${base}/regioner/${region.code}`, kode: region.code, navn: region.name };

function membersOf(theme: Theme, { base, format }: Place, row: AreaRow): Record<string, unknown> {
  const { key: dagi_id, code: kode, name: navn, region } = row;
  const path = AREA_PATHS.find(([each]) => each === theme)?.[1] ?? theme;
  const href = `${base}/${path}/${kode}`;
  switch (theme) {
    case 'kommune':
      return {
        ...{
          ...head(row, format),
          href,
          dagi_id,
          kode,
          navn,
          udenforkommuneinddeling: kode === OUTSIDE_MUNICIPALITIES,
        },
        ...{ regionskode: region?.code ?? null, region: regionMember(base, row) },
      };
    case 'opstillingskreds':
      return {
        ...{ ...head(row, format), href: `${base}/${path}/${unpadded(kode)}`, dagi_id },
        ...{
          nummer: unpadded(kode),
          kode,
          navn,
          valgkredsnummer: numberWithin(kode),
          kredskommune: null,
        },
        ...{ region: regionMember(base, row), ...electionMembers(base, kode) },
        kommuner: null,
      };
    case 'region':
      return { ...head(row, format), dagi_id, kode, navn, nuts2: NUTS2[kode] ?? null, href };
    case 'sogn':
    case 'retskreds':
    case 'politikreds':
      return { ...head(row, format), dagi_id, kode, navn, href };
  }
}

function electionValues(districtCode: string) {
  const found = constituencyOf(districtCode);
  return {
    ...{ storkredsnummer: found?.number ?? null, storkredsnavn: found?.name ?? null },
    valglandsdelsbogstav: found?.electoralRegion.letter ?? null,
    valglandsdelsnavn: found?.electoralRegion.name ?? null,
  };
}

function flatOf(theme: Theme, place: Place, row: AreaRow): Record<string, unknown> {
  const nested = membersOf(theme, place, row);
  const { bbox, visueltcenter, region, storkreds, valglandsdel, ...members } = nested;
  void [bbox, visueltcenter, region, storkreds, valglandsdel];
  return {
    ...Object.fromEntries(
      Object.entries(members).filter(([, value]) => typeof value !== 'object' || value === null),
    ),
    ...(theme !== 'region' && row.region && { regionskode: row.region.code }),
    ...(theme === 'opstillingskreds' && electionValues(row.code)),
    ...bboxMembers(row.boundsM, row.center, place.format),
  };
}

const label = ({ code, name }: AreaRow): string => `${code} ${name}`;

function shapeOf(theme: Theme, around: Around): Shape<AreaRow> {
  return {
    nestet: (row) => membersOf(theme, around, row),
    flad: (row) => flatOf(theme, around, row),
    geometry: ({ geometry = 'null' }) => geometry,
    label,
  };
}

interface Listed {
  readonly facts: DoorAnswer<unknown>['facts'];
  readonly rows: readonly AreaRow[];
}

export async function allOf({ areaList }: DoorLookups, theme: AreaId): Promise<Listed> {
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
  opstillingskreds: {
    ...REGIONAL,
    nummer: { kind: 'code', of: ({ code }) => code },
    ...electionFields(({ code }) => constituencyOf(code)),
  },
};

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

const kindOf = (
  lookups: DoorLookups,
  [theme, path]: (typeof AREA_PATHS)[number],
): AreaKind<AreaRow> => ({
  ...{ path: `/${path}`, fields: { ...OF_ALL, ...FIELDS[theme] }, named: (row) => row },
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
    const own = areas.filter((each) => each.theme === theme);
    const rows = await Promise.all(own.map((area) => detailsOf(lookups, area, areas)));
    return { facts, rows };
  },
  one: [
    ':kode',
    ({ kode = '' }) => {
      const asked = pathCode('kode', kode);
      return ({ code }) => code === asked;
    },
  ],
  shape: (around) => shapeOf(theme, around),
  suggest: (around) => (row) => ({ tekst: label(row), [theme]: membersOf(theme, around, row) }),
  prepare: async (rows, around) =>
    await withGeometry(lookups, theme, await withChanges(lookups, theme, rows), around),
});

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
