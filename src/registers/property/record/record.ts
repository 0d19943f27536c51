/** Null, absent and empty members follow from the rows in force alone (D89). */
import { SERVICE_VERSION } from '../../../kernel/identity.ts';
import type { PlacedMunicipality } from '../../areas/municipalities.ts';
import type { BuildingRow, GroundRow, PropertyRows } from '../property.ts';
import { assessmentSummary } from '../../assessments/answer.ts';
import { building } from './building.ts';
import type { CodeLabels } from '../../../answers/codes.ts';
import { groundDrainage } from './drainage.ts';
import { facilities } from './facility.ts';
import type { ProtectionSurroundings } from './protection.ts';
import type { FindUnitAddress } from './unit.ts';
import { compareTexts } from '../../../kernel/compare.ts';
import { byDistrict, mainParcel, parcelShown } from '../../cadastre/parcels.ts';
import type { ParcelRow } from '../../cadastre/parcels.ts';

export interface RecordSurroundings {
  readonly labels: CodeLabels;
  readonly findAddress: FindUnitAddress;
  readonly findMunicipality: (code: string) => PlacedMunicipality;
  readonly protection?: ProtectionSurroundings | null;
  /** `meta.kilde` (D96). */
  readonly source: string;
  /** ISO instant in UTC; null: now. */
  readonly asOf: string | null;
}

export type PropertyRecord = ReturnType<typeof propertyRecord>;

export function propertyRecord(rows: PropertyRows, around: RecordSurroundings) {
  const { labels, asOf } = around;
  const listed = [...rows.buildings].sort(byNumber);
  const main = mainBuildingIndex(listed);
  const ground = mainGround(rows.grounds, listed);
  const municipalityCode = municipalityOf(rows, ground);
  return {
    type: 'ejendom' as const,
    bfe_nummer: rows.bfe,
    grund_id: ground?.id ?? null,
    kommunekode: municipalityCode,
    dagi:
      municipalityCode === null
        ? { kommune: null, region: null }
        : around.findMunicipality(municipalityCode),
    ...parcels(rows, parcelOf(listed, main)),
    antal_bygninger: listed.length,
    hovedbygning_index: main,
    bygninger: buildings(rows, listed, around),
    ...assessmentMember(rows, around),
    // On leased ground the ground is context: its drainage is left out (D91).
    ...(ground === null || rows.kind === 'foreign-building'
      ? {}
      : { grund_afloeb: groundDrainage(ground, labels) }),
    ...facilitiesMember(rows, labels),
    meta: {
      kilde: around.source,
      service_version: SERVICE_VERSION,
      ...(asOf === null ? {} : { as_of: asOf }),
    },
  };
}

export function municipalityCodeOf(rows: PropertyRows): string | null {
  return municipalityOf(rows, mainGround(rows.grounds, rows.buildings));
}

function municipalityOf(rows: PropertyRows, ground: GroundRow | null): string | null {
  const known = ground?.municipalityCode ?? rows.municipalityCode;
  return known ?? rows.ownParcels[0]?.municipalityCode ?? null;
}

function parcelOf(listed: readonly BuildingRow[], main: number | null): number | null {
  return main === null ? null : (listed[main]?.parcelId ?? null);
}

function buildings(
  { floors, units, protections = null }: PropertyRows,
  listed: readonly BuildingRow[],
  { labels, findAddress, asOf, protection }: RecordSurroundings,
) {
  const floorsOf = floors === null ? null : Map.groupBy(floors, ({ buildingId }) => buildingId);
  const unitsOf = Map.groupBy(units, ({ buildingId }) => buildingId);
  const protectionsOf = protections && Map.groupBy(protections, (row) => row.buildingId);
  // FBB holds only current data (D87).
  const around = {
    ...{ labels, findAddress, isAsOf: asOf !== null },
    protection: asOf === null ? (protection ?? null) : null,
  };
  return listed.map((row) => {
    const floorRows = floorsOf === null ? null : (floorsOf.get(row.id) ?? []);
    const protectionRows = protectionsOf && (protectionsOf.get(row.id) ?? []);
    return building(
      row,
      { floorRows, unitRows: unitsOf.get(row.id) ?? [], protectionRows },
      around,
    );
  });
}

/** Absent: not joined, because the record is of another day (D87). null: nothing to show. */
function assessmentMember({ assessments }: PropertyRows, { asOf }: RecordSurroundings) {
  if (asOf !== null || assessments === undefined) return {};
  return { vurdering: assessments && assessmentSummary(assessments) };
}

/** Absent: not mirrored. null: unreadable, which is never "no tank". */
function facilitiesMember({ facilities: rows }: PropertyRows, labels: CodeLabels) {
  if (rows === undefined) return {};
  return { tekniske_anlaeg: rows === null ? null : facilities(rows, labels) };
}

/** D50: most buildings, then the lowest id; null without a ground. */
export function mainGround(
  grounds: readonly GroundRow[],
  buildings: readonly BuildingRow[],
): GroundRow | null {
  const counts = new Map<string, number>();
  for (const { groundId } of buildings) {
    if (groundId !== null) counts.set(groundId, (counts.get(groundId) ?? 0) + 1);
  }
  const countOf = ({ id }: GroundRow): number => counts.get(id) ?? 0;
  const ordered = [...grounds].sort((a, b) => countOf(b) - countOf(a) || compareTexts(a.id, b.id));
  return ordered[0] ?? null;
}

/**
 * D51: the dwelling with the largest building area, else the largest that is no outbuilding, else
 * the first; null without buildings. Input in the order of D93.
 */
export function mainBuildingIndex(buildings: readonly BuildingRow[]): number | null {
  if (buildings.length === 0) return null;
  return largest(buildings, isDwelling) ?? largest(buildings, isNoOutbuilding) ?? 0;
}

function isDwelling({ use }: BuildingRow): boolean {
  const code = Number(use);
  return use !== null && code >= 110 && code <= 199;
}

function isNoOutbuilding({ use }: BuildingRow): boolean {
  return use === null || !/^9\d\d$/.test(use);
}

function largest(
  buildings: readonly BuildingRow[],
  counts: (building: BuildingRow) => boolean,
): number | null {
  let best: number | null = null;
  let bestArea = -1;
  for (const [index, building] of buildings.entries()) {
    const area = building.totalArea ?? 0;
    if (!counts(building) || area <= bestArea) continue;
    best = index;
    bestArea = area;
  }
  return best;
}

/** D93: by number, those without one last, then by id. */
export function byNumber(a: BuildingRow, b: BuildingRow): number {
  return (a.number ?? Infinity) - (b.number ?? Infinity) || compareTexts(a.id, b.id);
}

/**
 * One for each parcel that BBR relates to the grounds (D91), known to the cadastre or not. Empty:
 * BBR relates none (D89).
 */
export function parcels(
  { grounds, groundParcels, ownParcels, parcels: known }: PropertyRows,
  mainBuildingParcel: number | null,
) {
  const groundIds = new Set(grounds.map(({ id }) => id));
  const related = groundParcels.filter(({ groundId }) => groundIds.has(groundId));
  const ids = related.map(({ parcelId }) => parcelId);
  const distinct = ids.filter((id, i) => id === null || ids.indexOf(id) === i);
  const parcelOf = (id: number | null): ParcelRow | null =>
    id === null ? null : (known?.get(id) ?? null);
  const all = [...distinct.map(parcelOf), ...ownParcels].sort(byDistrict);
  return {
    jordstykke: parcelShown(mainParcel(all, parcelOf(mainBuildingParcel))),
    jordstykker: all.map(parcelShown),
  };
}
