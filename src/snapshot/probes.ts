/**
 * Where two engines are worth comparing: the same canary points of a layer's version every time,
 * points anywhere among its features, and points a little beside its edges, on either side.
 */
import type { PointUtm32 } from '../geo/point.ts';
import type { LayerSnapshot } from './layer.ts';

/** Numbers in [0, 1). */
export type Random = () => number;

/** Around a vertex, metres: farther than the usual search radius, so that its end is probed too. */
const AROUND_M = 700;

/**
 * Beside an edge, metres. Nearer than the first, which side a point is on is the last bit's business,
 * and two PostGIS versions may differ there as well.
 */
const BESIDE_M = { least: 0.001, most: 3 };

/** Repeatable numbers: the same seed, the same points. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Anywhere among the features, as thick as they lie. null: the layer is empty. */
export function pointAmong(snapshot: LayerSnapshot, random: Random): PointUtm32 | null {
  const vertex = vertexOf(snapshot, random);
  if (vertex === null) return null;
  const off = (): number => AROUND_M * (2 * random() - 1);
  return { xUtm32: snapshot.xy[2 * vertex]! + off(), yUtm32: snapshot.xy[2 * vertex + 1]! + off() };
}

/** Beside an edge, crowded towards it. null: the layer is empty. */
export function pointBeside(snapshot: LayerSnapshot, random: Random): PointUtm32 | null {
  const vertex = vertexOf(snapshot, random);
  if (vertex === null) return null;
  const { xy } = snapshot;
  const x = xy[2 * vertex]!;
  const y = xy[2 * vertex + 1]!;
  // The next vertex may begin another ring: then this is a point among the features, no worse.
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

/** Points of one round: of the given snapshots in turn, a third of each kind. */
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

/** Points of a version that come again and again. */
const CANARIES = 60;
