/** What the registers do not say of a property: which ground, which building, which parcel is the main one. */
import { compareNaturally, compareTexts } from '../../../kernel/compare.ts';
import type { BuildingRow, GroundRow, ParcelRow } from '../property.ts';

/** D50: the ground with most of the buildings, then the lowest id; null without one. */
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
 * D51: of buildings in their order (D93) the dwelling with the largest building area, else the largest
 * that is no outbuilding, else the first; null without buildings.
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

/** Of several alike the first. */
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

/** D52: by district code, then number as people count; what the cadastre does not tell last. */
export function byDistrict(a: ParcelRow | null, b: ParcelRow | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (
    compareNumbers(a.districtCode, b.districtCode) ||
    compareNaturally(a.number ?? '', b.number ?? '') ||
    a.id - b.id
  );
}

/** D52: the parcel of the main building where the cadastre has it, else the largest, else the first. */
export function mainParcel(
  sorted: readonly (ParcelRow | null)[],
  ofMainBuilding: ParcelRow | null,
): ParcelRow | null {
  if (ofMainBuilding !== null) return ofMainBuilding;
  let best: ParcelRow | null = null;
  for (const parcel of sorted) {
    if (parcel !== null && (best === null || (parcel.area ?? -1) > (best.area ?? -1))) {
      best = parcel;
    }
  }
  return best;
}

function compareNumbers(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}
