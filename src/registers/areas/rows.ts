import type { AreaNames } from '../../answers/answer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';
import type { Bounds } from '../../geo/bounds.ts';
import type { Point, PointUtm32 } from '../../geo/point.ts';
import { pointFromUtm32 } from '../../geo/project.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import { Failure } from '../../kernel/failures.ts';
import type { AreaId, District, Theme } from '../../layers/keys.ts';
import { ringsText } from './area-geometry.ts';
import type { AreaChange, AreaList } from './list.ts';
import type { Areas } from './lookup.ts';
import type { ReverseAreas } from './reverse.ts';

/** What is unknown is absent or null. */
export interface Extent {
  readonly boundsM: Bounds | null;
  readonly center?: PointUtm32 | null;
  readonly change?: AreaChange | undefined;
  /** GeoJSON. */
  readonly geometry?: string;
}

export interface AreaRow extends Extent {
  /** DAGI's; null where only a point answered. */
  readonly key: string | null;
  readonly code: string;
  readonly name: string;
  readonly region: { readonly code: string; readonly name: string | null } | null;
}

interface Lookups {
  readonly areas: Areas;
  readonly areaList: AreaList;
  readonly reverseAreas: ReverseAreas;
}

export async function allAreas({ areaList }: Pick<Lookups, 'areaList'>, area: AreaId) {
  const { value, generation, provenance } = await areaList.all(area);
  const regions = area === 'region' ? null : await namesOf({ areaList }, 'region');
  const rows = value.map(({ key, code, name, regionCode, boundsM, center }): AreaRow => {
    const region = regionCode && { code: regionCode, name: regions?.names.get(regionCode) ?? null };
    return { key, code, name, boundsM, center, region: region || null };
  });
  const all = [...provenance, ...(regions?.provenance ?? [])];
  return { facts: { generation, provenance: all, isPartial: regions?.isPartial ?? false }, rows };
}

export async function withChanges<R extends AreaRow>(
  { areaList }: Pick<Lookups, 'areaList'>,
  area: AreaId,
  rows: readonly R[],
  lacksSome: () => void,
): Promise<readonly R[]> {
  const keys = rows.flatMap(({ key }) => key ?? []);
  const changes = await areaList.changes(area, keys);
  if (changes === null) lacksSome();
  return rows.map((row) => ({ ...row, change: changes?.get(row.key ?? '') }));
}

export async function withGeometry(
  { areas }: Pick<Lookups, 'areas'>,
  theme: Theme,
  rows: readonly AreaRow[],
  { srid, deadline }: { readonly srid: 4326 | 25832; readonly deadline: Deadline },
): Promise<readonly AreaRow[]> {
  const codes = rows.map(({ code }) => code);
  const { value } = await areas.find(theme, codes, deadline);
  const shaped: AreaRow[] = [];
  for (const [i, row] of rows.entries()) {
    const area = value[i];
    if (area === undefined || area instanceof Failure) throw area ?? new Error('No answer.');
    shaped.push({ ...row, geometry: await ringsText(area.geometry, srid) });
  }
  return shaped;
}

export async function areasAt(
  { reverseAreas }: Pick<Lookups, 'reverseAreas'>,
  point: Point,
  deadline: Deadline,
) {
  const { value, generation } = await reverseAreas.at([point], deadline);
  const [answer] = value;
  if (answer === undefined || answer instanceof Failure) throw answer ?? new Error('No answer.');
  return { areas: answer.areas, facts: { generation, provenance: answer.provenance } };
}

export async function rowsAt(lookups: Lookups, theme: Theme, point: Point, deadline: Deadline) {
  const { areas, facts } = await areasAt(lookups, point, deadline);
  const region = areas.find((each) => each.theme === 'region') ?? null;
  const listed = await allAreas(lookups, theme).catch(() => null);
  const rows = areas
    .filter((each) => each.theme === theme)
    .map(({ code, name }): AreaRow => {
      const known = listed?.rows.find((each) => each.code === code);
      return known ?? { key: null, code, name, region, boundsM: null, center: null };
    });
  return { facts: { ...facts, isPartial: listed?.facts.isPartial ?? true }, rows };
}

export interface NumberedArea extends AreaRow {
  readonly number: string | null;
  readonly municipality: Pick<AreaRow, 'code' | 'name'> | null;
  /** Areas of its inner point. Absent: not looked up; null: no such point. */
  readonly areas?: AreaNames | null;
}

/** `<municipality>-<number>-<id>` (D198): DAGI's id, and the number or null. */
function partsOf(code: string) {
  const [municipalityKey = '', number] = code.split('-');
  return { municipalityKey, number: number || null };
}

/** Districts that are numbered in each municipality (D198). */
export async function numberedAreas({ areaList }: Pick<Lookups, 'areaList'>, area: District) {
  const [{ value, generation, provenance }, { rows: municipalities, facts }] = await Promise.all([
    areaList.all(area),
    allAreas({ areaList }, 'kommune'),
  ]);
  const byKey = new Map(municipalities.map((each) => [each.key, each]));
  const rows = value.map(({ key, code, name, boundsM, center }): NumberedArea => {
    const { municipalityKey, number } = partsOf(code);
    const municipality = byKey.get(municipalityKey) ?? null;
    const region = municipality?.region ?? null;
    return { key, code, name, boundsM, center, number, municipality, region };
  });
  const all = [...provenance, ...facts.provenance];
  const isPartial = facts.isPartial || rows.some((row) => row.municipality === null);
  return { facts: { generation, provenance: all, isPartial }, rows };
}

export async function withAreas<R extends AreaRow>(
  { reverseAreas }: Pick<Lookups, 'reverseAreas'>,
  rows: readonly R[],
  deadline: Deadline,
): Promise<readonly (R & { readonly areas: AreaNames | null })[]> {
  const centers = rows.flatMap(({ center }) => (center ? [pointFromUtm32(center)] : []));
  const { value } = await reverseAreas.at(centers, deadline);
  const found = value.values();
  return rows.map((row) => {
    const answer = row.center ? found.next().value : null;
    if (answer instanceof Failure) throw answer;
    return { ...row, areas: answer?.areas ?? null };
  });
}

/** Throws (503). */
export async function numberedAt(
  { areaList }: Pick<Lookups, 'areaList'>,
  area: District,
  point: Point,
) {
  const { value, provenance } = await areaList.districtsAt(area, point);
  const [only = null] = value;
  return { provenance, value: only && { number: partsOf(only.code).number, name: only.name } };
}

/** Partial: DAGI does not answer (D265). */
async function namesOf({ areaList }: Pick<Lookups, 'areaList'>, theme: 'kommune' | 'region') {
  const found = await areaList.all(theme).catch(() => null);
  const names = new Map(found?.value.map(({ code, name }) => [code, name]));
  return { names, provenance: found?.provenance ?? [], isPartial: found === null };
}

export async function withMunicipalities<V, R>(
  lookups: Pick<Lookups, 'areaList'>,
  { value, ...facts }: AnswerFacts & { readonly value: V },
  rowsOf: (value: V) => readonly R[],
) {
  const { names, provenance: more, isPartial } = await namesOf(lookups, 'kommune');
  const provenance = [...facts.provenance, ...more];
  return { rows: rowsOf(value), names, facts: { ...facts, provenance, isPartial } };
}
