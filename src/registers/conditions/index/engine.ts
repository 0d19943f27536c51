/** Objects of a layer at a point or in a window of an area; results equal ../store.ts. */
import { growingFloats, growingWords } from '../../../geo/growing.ts';
import type { PointUtm32 } from '../../../geo/point.ts';
import { isConditionId } from '../../../layers/conditions/index.ts';
import { CellReader, foundCells } from '../../../snapshot/cells.ts';
import { EdgeKernel } from '../../../snapshot/edges.ts';
import { FEATURE, RUN, RUN_WORDS } from '../../../snapshot/grid.ts';
import { InsideFinder } from '../../../snapshot/inside.ts';
import type { LayerSnapshot } from '../../../snapshot/layer.ts';
import type { Window } from './asked-area.ts';
import { leastSquareBetween } from './between.ts';
import { InsideLengths } from './lengths.ts';
import { Sweep } from './sweep.ts';
import type { Tally } from './tally.ts';

/** Rounding tolerance for skipping a box. */
const TOLERANCE_M = 1e-5;
/** Packs feature and edge into one sortable number. */
const EDGES = 2 ** 31;

const sweep = new Sweep();
const corner: { xUtm32: number; yUtm32: number } = { xUtm32: 0, yUtm32: 0 };
/** Runs near the place: where in the lists, and the squared least distance of their boxes. */
const near = { at: growingWords(256), least: growingFloats(256), most: growingFloats(256) };
const meeting = growingFloats(256);

/** Metres: half the sides, and a point from the centre. */
interface Extent {
  readonly halfX: number;
  readonly halfY: number;
  readonly x: number;
  readonly y: number;
}

const POINT: Extent = { halfX: 0, halfY: 0, x: 0, y: 0 };

export class ObjectEngine {
  readonly snapshot: LayerSnapshot;
  readonly isArea: boolean;
  readonly #lists: Uint32Array;
  readonly #cells: CellReader;
  readonly #kernel: EdgeKernel;
  readonly #inside: InsideFinder;
  readonly #boxStepM: number;
  /** By feature: not in force on `#day`. */
  readonly #out: Uint8Array;
  #day = '';
  /** From the kernel's point to the farthest place of the window. */
  #spanM = 0;
  #window: Window | null = null;

  constructor(snapshot: LayerSnapshot) {
    this.snapshot = snapshot;
    this.isArea = snapshot.meta.geometry === 'area';
    this.#lists = snapshot.lists;
    this.#cells = new CellReader(snapshot);
    this.#kernel = new EdgeKernel(snapshot, 'distance');
    this.#inside = new InsideFinder(snapshot, this.#cells, this.#kernel);
    this.#boxStepM = this.#cells.cellM / 256;
    this.#out = new Uint8Array(snapshot.meta.featureCount);
  }

  /** Sets the day (ISO 8601) that decides what is in force. */
  turnTo(day: string): this {
    if (day === this.#day) return this;
    this.#day = day;
    const { featureFlags, columns, meta } = this.snapshot;
    for (let f = 0; f < featureFlags.length; f++) {
      this.#out[f] = (featureFlags[f]! & FEATURE.repealed) === 0 ? 0 : 1;
    }
    const fromDay = (text: string) => text !== '' && text !== 'null' && JSON.parse(text) > day;
    const isOver = (text: string) => text !== '' && text !== 'null' && JSON.parse(text) <= day;
    for (const { name, values, codes } of isConditionId(meta.layer) ? columns : []) {
      const isOut = name === 'validFrom' ? fromDay : name === 'validTo' ? isOver : null;
      if (isOut === null) continue;
      const out = Array.from({ length: values.count }, (_, code) => isOut(values.at(code)));
      for (let f = 0; f < featureFlags.length; f++) if (out[codes[f]!] === true) this.#out[f] = 1;
    }
    return this;
  }

  /** A line within `onLineM` of the point holds it. */
  at(point: PointUtm32, tally: Tally, { radiusM, onLineM }: { radiusM: number; onLineM: number }) {
    this.#window = null;
    this.#cells.moveTo(point);
    this.#kernel.moveTo(point.xUtm32, point.yUtm32);
    if (this.isArea) for (const feature of this.#holders()) tally.share(feature, 0, 0);
    this.#findNear(POINT, radiusM);
    this.#measureNear(tally, radiusM, this.isArea ? -1 : onLineM);
  }

  /** Adds what the layer shares with the window's area, and what is within the radius of its border. */
  in(window: Window, tally: Tally, radiusM: number): void {
    this.#window = window;
    const { west, south, width, height, edges } = window;
    corner.xUtm32 = west;
    corner.yUtm32 = south;
    this.#cells.moveTo(corner);
    this.#kernel.moveTo(west, south);
    const holders = this.isArea ? this.#holders() : [];
    const [halfX, halfY] = [width / 2, height / 2];
    corner.xUtm32 = west + halfX;
    corner.yUtm32 = south + halfY;
    this.#cells.moveTo(corner);
    const [x, y] =
      edges.length === 0 ? [0, 0] : [edges[0]! - corner.xUtm32, edges[1]! - corner.yUtm32];
    const reachM = edges.length === 0 ? 0 : radiusM;
    this.#findNear({ halfX, halfY, x, y }, reachM);
    this.#findMeeting(window);
    if (this.isArea) this.#addAreas(window, holders, tally);
    else this.#addLines(window, tally);
    if (edges.length === 0) return;
    this.#kernel.moveTo(edges[0]!, edges[1]!);
    this.#spanM = Math.hypot(halfX + Math.abs(x), halfY + Math.abs(y));
    this.#measureNear(tally, radiusM);
  }

  #holders(): number[] {
    this.#inside.find();
    const { found } = this.#inside;
    const holders: number[] = [];
    for (let n = 0; n < found.length; n++) {
      if (this.#out[found.items[n]!] === 0) holders.push(found.items[n]!);
    }
    return holders;
  }

  /** Runs in force with boxes within reach of a place around the point. */
  #findNear(extent: Extent, reachM: number): void {
    const { halfX, halfY } = extent;
    const reach = reachM + TOLERANCE_M;
    const found = this.#cells.readNear(Math.hypot(halfX, halfY) + reach);
    const lists = this.#lists;
    const step = this.#boxStepM;
    const { lists: cellLists, corners } = foundCells;
    for (const list of [near.at, near.least, near.most]) list.length = 0;
    for (let cell = 0; cell < found; cell++) {
      const list = cellLists[cell]!;
      const cellWest = corners[2 * cell]!;
      const cellSouth = corners[2 * cell + 1]!;
      const from = list + 2 + lists[list]!;
      const end = from + RUN_WORDS * lists[list + 1]!;
      for (let at = from; at < end; at += RUN_WORDS) {
        const word = lists[at]!;
        const box = lists[at + 3]!;
        const west = cellWest + (box & 255) * step;
        const south = cellSouth + ((box >>> 8) & 255) * step;
        const east = cellWest + (((box >>> 16) & 255) + 1) * step;
        const north = cellSouth + ((box >>> 24) + 1) * step;
        const dx = Math.max(0, west - halfX, -halfX - east);
        const dy = Math.max(0, south - halfY, -halfY - north);
        const least = dx * dx + dy * dy;
        if (least > reach * reach) continue;
        if ((word & RUN.zoneOnly) !== 0 || this.#out[word & RUN.feature] === 1) continue;
        const farX = Math.max(extent.x - west, east - extent.x);
        const farY = Math.max(extent.y - south, north - extent.y);
        near.at.push(at);
        near.least.push(least);
        near.most.push(farX * farX + farY * farY);
      }
    }
  }

  /** Measures the nearest box first. */
  #measureNear(tally: Tally, radiusM: number, onLineM = -1): void {
    const { at, least, most } = near;
    let [first, bound] = [0, tally.nearest];
    for (let n = 0; n < at.length; n++) {
      if (least.items[n]! < least.items[first]!) first = n;
      if (most.items[n]! < bound) bound = most.items[n]!;
    }
    for (let n = 0; n < at.length; n++) {
      const run = n === 0 ? first : n === first ? 0 : n;
      const feature = this.#lists[at.items[run]!]! & RUN.feature;
      const mayBeNearest = bound > 0 && least.items[run]! <= bound;
      const isWanted = mayBeNearest || Math.sqrt(least.items[run]!) <= onLineM;
      if (!isWanted && tally.has(feature)) continue;
      if (!isWanted && most.items[run]! < (radiusM - TOLERANCE_M) ** 2) {
        tally.reach(feature);
        continue;
      }
      const distanceM = this.#distance(at.items[run]!, bound, radiusM);
      if (distanceM > radiusM) continue;
      const square = distanceM * distanceM;
      tally.reach(feature, square);
      if (distanceM <= onLineM) tally.hold(feature);
      bound = Math.min(bound, square);
    }
  }

  /** Metres to a run; may be too large where it is neither the nearest nor within reach. */
  #distance(at: number, bound: number, radiusM: number): number {
    const [start, count] = [this.#lists[at + 1]!, this.#lists[at + 2]!];
    const square = this.#kernel.leastSquare(start, count, Infinity);
    if (this.#window === null) return this.#kernel.distanceTo(this.#kernel.nearestEdge);
    const fromPoint = Math.sqrt(square);
    const atLeast = Math.max(0, fromPoint - this.#spanM);
    if (atLeast > radiusM || (fromPoint <= radiusM && atLeast * atLeast >= bound)) return fromPoint;
    const limit = fromPoint <= radiusM ? Math.min(bound, square) : (radiusM + TOLERANCE_M) ** 2;
    const { edges } = this.#window;
    const run = { xy: this.snapshot.xy, start, count };
    const least = leastSquareBetween(this.#kernel, run, edges, limit);
    this.#kernel.moveTo(edges[0]!, edges[1]!);
    return Math.sqrt(least);
  }

  #findMeeting({ west, south, width, height }: Window): void {
    const { xy } = this.snapshot;
    const [east, north] = [west + width, south + height];
    meeting.length = 0;
    for (let n = 0; n < near.at.length; n++) {
      if (near.least.items[n]! > 0) continue;
      const at = near.at.items[n]!;
      const feature = this.#lists[at]! & RUN.feature;
      const start = this.#lists[at + 1]!;
      for (let edge = start; edge < start + this.#lists[at + 2]!; edge++) {
        const ax = xy[2 * edge]!;
        const bx = xy[2 * edge + 2]!;
        if ((ax < west && bx < west) || (ax > east && bx > east)) continue;
        const ay = xy[2 * edge + 1]!;
        const by = xy[2 * edge + 3]!;
        if ((ay < south && by < south) || (ay > north && by > north)) continue;
        meeting.push(feature * EDGES + edge);
      }
    }
    meeting.view().sort();
  }

  #addAreas(window: Window, holders: readonly number[], tally: Tally): void {
    const held = new Set(holders);
    if (meeting.length > 0) this.#sweep(window, held, tally);
    if (window.areaM2 === 0) return;
    // Those without an edge here hold all of it.
    for (const feature of held) tally.share(feature, window.areaM2, 0);
    if (held.size > 0) tally.m2 += window.areaM2;
  }

  #sweep(window: Window, held: Set<number>, tally: Tally): void {
    const features: number[] = [];
    sweep.begin(window);
    let last = -1;
    this.#eachMeeting((feature, edge) => {
      if (feature !== features.at(-1)) {
        features.push(feature);
        last = sweep.addArea(held.delete(feature));
      }
      sweep.addEdge(last, this.snapshot.xy, 2 * edge);
    });
    const { sharedM2 } = sweep.run();
    for (const [n, feature] of features.entries()) {
      const m2 = sweep.sharedM2.items[n]!;
      if (m2 > 0) tally.share(feature, m2, 0);
    }
    if (held.size === 0) tally.m2 += sharedM2;
  }

  #addLines(window: Window, tally: Tally): void {
    if (meeting.length === 0) return;
    const lengths = new InsideLengths(window);
    this.#eachMeeting((feature, edge) => {
      const { own, all } = lengths.add(feature, this.snapshot.xy, 2 * edge);
      if (own > 0) tally.share(feature, 0, own);
      tally.m += all;
    });
  }

  #eachMeeting(visit: (feature: number, edge: number) => void): void {
    let last = -1;
    for (const each of meeting.view()) {
      if (each === last) continue;
      last = each;
      const feature = Math.floor(each / EDGES);
      visit(feature, each - feature * EDGES);
    }
  }
}
