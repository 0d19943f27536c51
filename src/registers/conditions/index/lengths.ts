/**
 * Metres of lines within an area in a window; a border counts as within, as in `ST_Intersection`.
 */
import { Sweep } from './sweep.ts';
import type { Window } from './asked-area.ts';

/** Rounding of the middle of a stretch. */
const ON_BORDER_M = 1e-7;
/** Overlapping stretches are nearer; shorter ones do not count. */
const SAME_M = 1e-6;

interface Stretch {
  readonly line: number;
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

const sweep = new Sweep();

export class InsideLengths {
  readonly #window: Window;
  readonly #stretches: Stretch[] = [];

  constructor(window: Window) {
    this.#window = window;
    sweep.begin(window);
  }

  /**
   * `xy` from `at` on: ax, ay, bx, by. Returns the edge's metres within (`own`), and those not
   * covered by an earlier line (`all`).
   */
  add(line: number, xy: Float64Array, at: number): { readonly own: number; readonly all: number } {
    const { west, south } = this.#window;
    const [ax, ay] = [xy[at]! - west, xy[at + 1]! - south];
    const [dx, dy] = [xy[at + 2]! - west - ax, xy[at + 3]! - south - ay];
    const length = Math.hypot(dx, dy);
    const sums = { own: 0, all: 0 };
    const cuts = length > 0 ? this.#cuts(ax, ay, { dx, dy, length }) : [];
    for (let n = 0; n + 1 < cuts.length; n++) {
      const [from, to] = [cuts[n]!, cuts[n + 1]!];
      if ((to - from) * length < SAME_M) continue;
      const middle = (from + to) / 2;
      if (!this.#holds(ax + middle * dx, ay + middle * dy)) continue;
      const stretch = {
        ...{ line, ax: ax + from * dx, ay: ay + from * dy },
        ...{ bx: ax + to * dx, by: ay + to * dy },
      };
      const others = this.#stretches.filter((other) => other.line === line);
      sums.own += newMetres(stretch, others);
      sums.all += newMetres(stretch, this.#stretches);
      this.#stretches.push(stretch);
    }
    return sums;
  }

  /**
   * Fractions of the edge, ascending, where it enters and leaves the window and meets the area's
   * edges.
   */
  #cuts(ax: number, ay: number, of: { dx: number; dy: number; length: number }): number[] {
    const { dx, dy, length } = of;
    const { west, south, width, height, edges } = this.#window;
    let [from, to] = [0, 1];
    for (const [start, step, side] of [
      [ax, dx, width],
      [ay, dy, height],
    ] as const) {
      if (step === 0 && (start < 0 || start > side)) return [];
      if (step === 0) continue;
      from = Math.max(from, Math.min(-start / step, (side - start) / step));
      to = Math.min(to, Math.max(-start / step, (side - start) / step));
    }
    if (from >= to) return [];
    const cuts = [from, to];
    for (let edge = 0; edge < edges.length; edge += 4) {
      const [px, py] = [edges[edge]! - west - ax, edges[edge + 1]! - south - ay];
      const [qx, qy] = [edges[edge + 2]! - west - ax, edges[edge + 3]! - south - ay];
      const sideP = (px * dy - py * dx) / length;
      const sideQ = (qx * dy - qy * dx) / length;
      const atP = (px * dx + py * dy) / length ** 2;
      const atQ = (qx * dx + qy * dy) / length ** 2;
      if (sideP * sideQ < 0) cuts.push(atP + ((atQ - atP) * sideP) / (sideP - sideQ));
      if (Math.abs(sideP) < ON_BORDER_M) cuts.push(atP);
      if (Math.abs(sideQ) < ON_BORDER_M) cuts.push(atQ);
    }
    return cuts.filter((cut) => cut >= from && cut <= to).toSorted((a, b) => a - b);
  }

  #holds(x: number, y: number): boolean {
    const { west, south, edges } = this.#window;
    for (let edge = 0; edge < edges.length; edge += 4) {
      const [ax, ay] = [edges[edge]! - west, edges[edge + 1]! - south];
      const [bx, by] = [edges[edge + 2]! - west, edges[edge + 3]! - south];
      if (isOn(x, y, { line: 0, ax, ay, bx, by })) return true;
    }
    return sweep.holdsPlace(x, y);
  }
}

function isOn(x: number, y: number, { ax, ay, bx, by }: Stretch): boolean {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  if (square === 0) return false;
  const along = ((x - ax) * dx + (y - ay) * dy) / square;
  if (along < 0 || along > 1) return false;
  return Math.abs((x - ax) * dy - (y - ay) * dx) <= ON_BORDER_M * Math.sqrt(square);
}

function newMetres(stretch: Stretch, others: readonly Stretch[]): number {
  const [dx, dy] = [stretch.bx - stretch.ax, stretch.by - stretch.ay];
  const length = Math.hypot(dx, dy);
  const taken: (readonly [number, number])[] = [];
  for (const { ax, ay, bx, by } of others) {
    const sides = [
      [ax, ay],
      [bx, by],
    ].map(([x = 0, y = 0]) => ((x - stretch.ax) * dy - (y - stretch.ay) * dx) / length);
    if (sides.some((side) => Math.abs(side) > SAME_M)) continue;
    const a = ((ax - stretch.ax) * dx + (ay - stretch.ay) * dy) / length;
    const b = ((bx - stretch.ax) * dx + (by - stretch.ay) * dy) / length;
    const [from, to] = [Math.max(0, Math.min(a, b)), Math.min(length, Math.max(a, b))];
    if (from < to) taken.push([from, to]);
  }
  let [free, at] = [0, 0];
  for (const [from, to] of taken.toSorted(([a], [b]) => a - b)) {
    free += Math.max(0, from - at);
    at = Math.max(at, to);
  }
  return free + length - at;
}
