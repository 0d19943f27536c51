/** Chooses the main ground and building, which no register states. */
import { compareTexts } from '../../../kernel/compare.ts';
import type { BuildingRow, GroundRow } from '../property.ts';

/** D50: the ground with most buildings, then the lowest id; null without one. */
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
 * D51: of buildings in order (D93) the dwelling with the largest building area, else the largest
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
