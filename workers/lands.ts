/** A thread's own view of covered land, made once for the same land. */
import { Land } from '../src/geo/land.ts';
import type { SharedLand } from '../src/geo/land.ts';
import type { Lands } from '../src/memory/covered-lands.ts';

let kept = new Map<number, Land>();

/** Those that were not asked for this time are let go. */
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
