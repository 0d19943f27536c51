/** Everything an answer shows; distances to 1 mm, before rounding. */
import type { CoveringAreas, LineMeasure, LinesQuestion, LinesRead } from './layer-reads.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import type { LayerId } from '../../layers/keys.ts';
import { THEMES } from '../../layers/keys.ts';

export const DISTANCE_TOLERANCE_M = 0.001;

export interface EngineDifference {
  readonly layer: LayerId;
  readonly point: PointUtm32;
  readonly memory: unknown;
  readonly store: unknown;
}

export interface Comparison {
  readonly compared: number;
  readonly differences: readonly EngineDifference[];
}

/** Lines with different versions are left out. */
export function compareLines(
  { points, lines }: Pick<LinesQuestion, 'points' | 'lines'>,
  memory: LinesRead,
  store: LinesRead,
): Comparison {
  const differences: EngineDifference[] = [];
  let compared = 0;
  for (const [m, { id }] of lines.entries()) {
    const version = memory.copies.get(id)?.version;
    if (version === undefined || version !== store.copies.get(id)?.version) continue;
    for (const [n, point] of points.entries()) {
      const ours = memory.measures[n]?.[m];
      const theirs = store.measures[n]?.[m];
      if (!ours || !theirs) throw new Error('An answer is missing.');
      compared += 1;
      if (isSameMeasure(ours, theirs)) continue;
      differences.push({ layer: id, point, memory: ours, store: theirs });
    }
  }
  return { compared, differences };
}

/** Themes with different versions are left out. */
export function compareAreas(
  points: readonly PointUtm32[],
  memory: CoveringAreas,
  store: CoveringAreas,
): Comparison {
  const differences: EngineDifference[] = [];
  let compared = 0;
  for (const theme of THEMES) {
    const version = memory.states.get(theme)?.version;
    if (version === undefined || version !== store.states.get(theme)?.version) continue;
    const shown = (areas: CoveringAreas['byPoint'][number] = []): string[] =>
      areas.filter((area) => area.theme === theme).map(({ code, name }) => `${code} ${name}`);
    for (const [n, point] of points.entries()) {
      const ours = shown(memory.byPoint[n]);
      const theirs = shown(store.byPoint[n]);
      compared += 1;
      if (ours.join('\n') === theirs.join('\n')) continue;
      differences.push({ layer: theme, point, memory: ours, store: theirs });
    }
  }
  return { compared, differences };
}

function isSameMeasure(ours: LineMeasure, theirs: LineMeasure): boolean {
  return (
    ours.within === theirs.within &&
    ours.uncertain === theirs.uncertain &&
    ours.count === theirs.count &&
    isSameDistance(ours.distanceM, theirs.distanceM) &&
    isSameFeature(ours.hit, theirs.hit) &&
    ours.repealed.length === theirs.repealed.length &&
    ours.repealed.every((feature, i) => {
      const other = theirs.repealed[i];
      return (
        other !== undefined &&
        isSameFeature(feature, other) &&
        isSameDistance(feature.distanceM, other.distanceM)
      );
    })
  );
}

function isSameDistance(ours: number | null, theirs: number | null): boolean {
  if (ours === null || theirs === null) return ours === theirs;
  return Math.abs(ours - theirs) <= DISTANCE_TOLERANCE_M;
}

function isSameFeature(ours: LineMeasure['hit'], theirs: LineMeasure['hit']): boolean {
  if (ours === null || theirs === null) return ours === theirs;
  if (ours.objectId !== theirs.objectId || ours.areaM2 !== theirs.areaM2) return false;
  const keys = Object.keys(theirs.attributes) as (keyof typeof theirs.attributes)[];
  return keys.every((key) => ours.attributes[key] === theirs.attributes[key]);
}
