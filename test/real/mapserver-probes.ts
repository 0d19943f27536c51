/**
 * Where the mirror is held against the oracle: points chosen by a seed, so that a mismatch can be
 * looked at again. Two fifths lie within 5 m of an edge, crowded towards it; two fifths up to 700 m
 * from a corner, where the search radius ends; a fifth anywhere in and around the layer.
 */
import type { Box } from '../../src/geo/box.ts';
import type { Probe, Segment } from '../support/oracle.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

const EDGE_M = 5;
const NEAR_M = 700;

export interface ProbePlan {
  /** Kinds of edges to stay close to, taken in turn. None may be empty. */
  readonly edges: readonly (readonly Segment[])[];
  readonly total: number;
  readonly seed: number;
}

/** `total` points in EPSG:25832; the same plan gives the same points. */
export function probesOf({ edges, total, seed }: ProbePlan): Probe[] {
  const random = randomFrom(seed);
  const along = edges.map((segments) => pickerOf(segments));
  const box = boxOf(edges.flat());
  return Array.from({ length: total }, (_, index): Probe => {
    const pick = along[Math.floor(index / 5) % along.length]!;
    if (index % 5 < 2) return beside(pick(random()), random);
    if (index % 5 < 4) return aroundCorner(pick(random()), random);
    return {
      kind: 'wide',
      x: box.minX - NEAR_M + random() * (box.maxX - box.minX + 2 * NEAR_M),
      y: box.minY - NEAR_M + random() * (box.maxY - box.minY + 2 * NEAR_M),
    };
  });
}

/**
 * Windows over and beside corners of a layer's features, sides from ten metres to ten kilometres, as
 * many of each magnitude: some hold a corner of one feature, some a hundred, some nothing.
 */
export function windowsAround(edges: readonly Segment[], seed: number, count = 5): Box[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => {
    const { x1, y1 } = edges[Math.floor(random() * edges.length)]!;
    const [width, height] = [10 * 1000 ** random(), 10 * 1000 ** random()];
    const [minX, minY] = [x1 - 1.2 * width * random(), y1 - 1.2 * height * random()];
    return { minX, minY, maxX: minX + width, maxY: minY + height };
  });
}

/** Off the middle of a segment at a right angle; the cube crowds the points towards the edge. */
function beside({ x1, y1, x2, y2 }: Segment, random: () => number): Probe {
  const share = random();
  const offset = EDGE_M * (2 * random() - 1) ** 3;
  const length = Math.hypot(x2 - x1, y2 - y1);
  return {
    kind: 'edge',
    x: x1 + share * (x2 - x1) - (offset * (y2 - y1)) / length,
    y: y1 + share * (y2 - y1) + (offset * (x2 - x1)) / length,
  };
}

function aroundCorner({ x1, y1 }: Segment, random: () => number): Probe {
  const distance = NEAR_M ** random();
  const angle = 2 * Math.PI * random();
  return { kind: 'near', x: x1 + distance * Math.cos(angle), y: y1 + distance * Math.sin(angle) };
}

/** Maps 0 to 1 onto the segments by their length. */
function pickerOf(segments: readonly Segment[]): (share: number) => Segment {
  const ends: number[] = [];
  let length = 0;
  for (const { x1, y1, x2, y2 } of segments) {
    length += Math.hypot(x2 - x1, y2 - y1);
    ends.push(length);
  }
  return (share) => {
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < share * length) low = middle + 1;
      else high = middle;
    }
    return segments[low]!;
  };
}

function boxOf(segments: readonly Segment[]) {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const { x1, y1 } of segments) {
    box.minX = Math.min(box.minX, x1);
    box.minY = Math.min(box.minY, y1);
    box.maxX = Math.max(box.maxX, x1);
    box.maxY = Math.max(box.maxY, y1);
  }
  return box;
}
