/** Covered land as edges in shared memory. */
import { crosses } from './covers.ts';
import type { PointUtm32 } from './point.ts';
import { edgeDistance } from './segment.ts';
import type { Unanswered } from './unanswered.ts';

export type LandEdges = Float64Array<SharedArrayBuffer>;

const STRIP_M = 250;

/** Closed rings of x, y, x, y … An edge shared by two is inside and is dropped. */
export function edgesOf(rings: Iterable<ArrayLike<number>>): LandEdges {
  const kept = new Map<string, readonly [number, number, number, number]>();
  for (const ring of rings) {
    for (let n = 0; n + 3 < ring.length; n += 2) {
      const edge = [ring[n]!, ring[n + 1]!, ring[n + 2]!, ring[n + 3]!] as const;
      const key = keyOf(edge);
      if (!kept.delete(key)) kept.set(key, edge);
    }
  }
  const edges = new Float64Array(new SharedArrayBuffer(32 * kept.size));
  let at = 0;
  for (const edge of kept.values()) {
    edges.set(edge, at);
    at += 4;
  }
  return edges;
}

export function ringsOfEdges(edges: LandEdges): Corner[][] {
  const open = new Map<string, Set<number>>();
  const endsOf = (n: number): readonly [Corner, Corner] => [
    [edges[4 * n]!, edges[4 * n + 1]!],
    [edges[4 * n + 2]!, edges[4 * n + 3]!],
  ];
  const count = edges.length / 4;
  for (let n = 0; n < count; n++) {
    for (const end of endsOf(n)) {
      open.set(end.join(), (open.get(end.join()) ?? new Set()).add(n));
    }
  }
  const take = (n: number): void => {
    for (const end of endsOf(n)) open.get(end.join())?.delete(n);
  };
  const rings: Corner[][] = [];
  for (let n = 0; n < count; n++) {
    const [start, second] = endsOf(n);
    if (open.get(start.join())?.has(n) !== true) continue;
    take(n);
    const ring = [start, second];
    for (let end = second; end.join() !== start.join(); ring.push(end)) {
      const [next] = open.get(end.join()) ?? [];
      if (next === undefined) break;
      take(next);
      const [from, to] = endsOf(next);
      end = from.join() === end.join() ? to : from;
    }
    rings.push(ring);
  }
  return rings;
}

/** EPSG:25832. */
export type Corner = readonly [x: number, y: number];

function keyOf([ax, ay, bx, by]: readonly [number, number, number, number]): string {
  return ax < bx || (ax === bx && ay <= by) ? `${ax} ${ay} ${bx} ${by}` : `${bx} ${by} ${ax} ${ay}`;
}

export interface SharedLand {
  readonly name: string;
  readonly key: number;
  readonly edges: LandEdges;
}

let made = 0;

export class Land implements Unanswered {
  readonly kind = 'uncovered';
  readonly shared: SharedLand;
  readonly #strips = new Map<number, number[]>();

  constructor(name: string, edges: LandEdges, key: number = ++made) {
    this.shared = { name, key, edges };
    for (let n = 0; 4 * n < edges.length; n++) {
      const [south, north] = [edges[4 * n + 1]!, edges[4 * n + 3]!].toSorted((a, b) => a - b);
      for (let row = rowOf(south!); row <= rowOf(north!); row++) {
        const there = this.#strips.get(row);
        if (there === undefined) this.#strips.set(row, [n]);
        else there.push(n);
      }
    }
  }

  get name(): string {
    return this.shared.name;
  }

  /** 0 outside and on the border, Infinity beyond `withinM`. */
  distanceM(point: PointUtm32, withinM: number): number {
    if (!this.covers(point)) return 0;
    const at = { px: point.xUtm32, py: point.yUtm32 };
    let nearest = Infinity;
    for (let row = rowOf(at.py - withinM); row <= rowOf(at.py + withinM); row++) {
      for (const n of this.#strips.get(row) ?? NONE) {
        nearest = Math.min(nearest, edgeDistance(this.shared.edges, 2 * n, at));
      }
    }
    return nearest <= withinM ? nearest : Infinity;
  }

  /** The border is not covered. */
  covers({ xUtm32: x, yUtm32: y }: PointUtm32): boolean {
    const { edges } = this.shared;
    const q = new Float64Array(6);
    q[4] = x;
    q[5] = y;
    let inside = false;
    for (const n of this.#strips.get(rowOf(y)) ?? NONE) {
      for (let i = 0; i < 4; i++) q[i] = edges[4 * n + i]!;
      const crossing = crosses(q);
      if (crossing === 'on') return false;
      if (crossing !== 0) inside = !inside;
    }
    return inside;
  }
}

const NONE: readonly number[] = [];

function rowOf(y: number): number {
  return Math.floor(y / STRIP_M);
}
