import { Land } from '../../geo/land.ts';
import type { SharedLand } from '../../geo/land.ts';
import type { Lands } from '../land/covered-lands.ts';

let kept = new Map<number, Land>();

/** Drops lands that were not requested this time. */
export function openLands(shared: readonly (SharedLand | null)[]): Lands {
  const opened = new Map<number, Land>();
  const lands = shared.map((each) => {
    if (each === null) return null;
    const { name, key, edges } = each;
    const land = opened.get(key) ?? kept.get(key) ?? new Land(name, edges, key);
    opened.set(key, land);
    return land;
  });
  kept = opened;
  return lands;
}
