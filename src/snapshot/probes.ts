import type { PointUtm32 } from '../geo/point.ts';
import type { LayerSnapshot } from './layer.ts';

/** In [0, 1). */
export type Random = () => number;

/** Beyond the usual search radius. */
const AROUND_M = 700;

/** Closer, the side depends on the last bit, and PostGIS versions may differ. */
const BESIDE_M = { least: 0.001, most: 3 };

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Distributed like the features; null: the layer is empty. */
export function pointAmong(snapshot: LayerSnapshot, random: Random): PointUtm32 | null {
  const vertex = vertexOf(snapshot, random);
  if (vertex === null) return null;
  const off = (): number => AROUND_M * (2 * random() - 1);
  return { xUtm32: snapshot.xy[2 * vertex]! + off(), yUtm32: snapshot.xy[2 * vertex + 1]! + off() };
}

/** Concentrated near edges; null: the layer is empty. */
export function pointBeside(snapshot: LayerSnapshot, random: Random): PointUtm32 | null {
  const vertex = vertexOf(snapshot, random);
  if (vertex === null) return null;
  const { xy } = snapshot;
  const x = xy[2 * vertex]!;
  const y = xy[2 * vertex + 1]!;
  // The next vertex may be of another ring: then this is a point among the features.
  const dx = (xy[2 * vertex + 2] ?? x) - x;
  const dy = (xy[2 * vertex + 3] ?? y) - y;
  const length = Math.hypot(dx, dy);
  const { least, most } = BESIDE_M;
  const off = (least + (most - least) * random() ** 3) * (random() < 0.5 ? -1 : 1);
  const along = random();
  if (length === 0) return { xUtm32: x + off, yUtm32: y + off };
  return {
    xUtm32: x + along * dx - (off * dy) / length,
    yUtm32: y + along * dy + (off * dx) / length,
  };
}

function vertexOf({ meta }: LayerSnapshot, random: Random): number | null {
  return meta.vertexCount === 0 ? null : Math.floor(random() * meta.vertexCount);
}

export function probesOf(
  snapshots: readonly LayerSnapshot[],
  { count, random }: { readonly count: number; readonly random: Random },
): PointUtm32[] {
  const points: PointUtm32[] = [];
  const filled = snapshots.filter(({ meta }) => meta.vertexCount > 0);
  for (let i = 0; i < count && filled.length > 0; i++) {
    const snapshot = filled[Math.floor(random() * filled.length)]!;
    const canary = randomFrom(snapshot.meta.version * 31 + Math.floor(random() * CANARIES));
    const kind = i % 3;
    const point =
      kind === 0
        ? pointBeside(snapshot, canary)
        : kind === 1
          ? pointBeside(snapshot, random)
          : pointAmong(snapshot, random);
    if (point !== null) points.push(point);
  }
  return points;
}

const CANARIES = 60;
