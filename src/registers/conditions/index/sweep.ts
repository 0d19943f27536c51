/**
 * Areas shared in a window. Between two heights where nothing begins, ends or crosses, edges are
 * straight and keep one order, so widths at mid-height are exact. No topology is built: nearly
 * coinciding borders in the wrong order cost what lies between them.
 */
import { growingBytes, growingFloats, growingWords } from '../../../geo/growing.ts';

/** Edges whose boxes meet the window: ax, ay, bx, by, metres in EPSG:25832. */
export interface SweptWindow {
  readonly west: number;
  readonly south: number;
  readonly width: number;
  readonly height: number;
  readonly edges: Float64Array;
  /** The polygon of each edge. */
  readonly owners: Uint32Array;
  /** By polygon: holds the south-west corner. */
  readonly holdsCorner: Uint8Array;
}

export interface Swept {
  /** Of the question, and shared with it by any other area. */
  readonly askedM2: number;
  readonly sharedM2: number;
}

export class Sweep {
  /** By the number of `addArea`. */
  readonly sharedM2 = growingFloats(16);
  #asked = 0;
  #width = 0;
  #height = 0;
  #west = 0;
  #south = 0;
  /** By area, those of the question first: holds the west side at the current height. */
  readonly #holds = growingBytes(64);
  /** By edge, within the window: x at height 0, its change per metre up, lower and upper height. */
  readonly #x = growingFloats(256);
  readonly #slope = growingFloats(256);
  readonly #low = growingFloats(256);
  readonly #high = growingFloats(256);
  readonly #owner = growingWords(256);
  /** Where edges cross the west side. */
  readonly #turnY = growingFloats(16);
  readonly #turnOwner = growingWords(16);
  readonly #heights = growingFloats(512);

  begin({ west, south, width, height, edges, owners, holdsCorner }: SweptWindow): void {
    this.#west = west;
    this.#south = south;
    this.#width = width;
    this.#height = height;
    this.#asked = holdsCorner.length;
    this.#holds.length = 0;
    for (const list of [this.#x, this.#slope, this.#low, this.#high]) list.length = 0;
    for (const list of [this.#owner, this.#turnY, this.#turnOwner, this.sharedM2]) list.length = 0;
    for (const holds of holdsCorner) this.#holds.push(holds);
    for (let edge = 0; edge < owners.length; edge++) this.#addEdge(owners[edge]!, edges, 4 * edge);
  }

  addArea(holdsCorner: boolean): number {
    this.#holds.push(holdsCorner ? 1 : 0);
    this.sharedM2.push(0);
    return this.sharedM2.length - 1;
  }

  addEdge(area: number, xy: Float64Array, at: number): void {
    this.#addEdge(this.#asked + area, xy, at);
  }

  run(): Swept {
    const order = this.#order();
    this.#collectHeights(order);
    const heights = this.#heights.view().sort();
    return this.#addSlabs(order, heights);
  }

  /** Whether the question's areas hold a place, metres from the window's corner. */
  holdsPlace(x: number, y: number): boolean {
    const inside = this.#holds.items.slice(0, this.#asked);
    for (let n = 0; n < this.#turnY.length; n++) {
      if (this.#turnY.items[n]! < y) inside[this.#turnOwner.items[n]!]! ^= 1;
    }
    for (let edge = 0; edge < this.#owner.length; edge++) {
      if (this.#low.items[edge]! > y || this.#high.items[edge]! <= y) continue;
      if (this.#xAt(edge, y) < x) inside[this.#owner.items[edge]!]! ^= 1;
    }
    return inside.includes(1);
  }

  /** Always upwards, so that a common edge of two areas has the same numbers. */
  #addEdge(owner: number, xy: Float64Array, at: number): void {
    const isUp = xy[at + 1]! <= xy[at + 3]!;
    const ax = xy[isUp ? at : at + 2]! - this.#west;
    const ay = xy[isUp ? at + 1 : at + 3]! - this.#south;
    const bx = xy[isUp ? at + 2 : at]! - this.#west;
    const by = xy[isUp ? at + 3 : at + 1]! - this.#south;
    let [low, high] = [ay, by];
    if (ax < 0 !== bx < 0) {
      const y = ay + (-ax * (by - ay)) / (bx - ax);
      if (y > 0 && y < this.#height) {
        this.#turnY.push(y);
        this.#turnOwner.push(owner);
      }
      if (ax < 0) low = Math.max(low, y);
      else high = Math.min(high, y);
    } else if (ax < 0) return;
    if (ay === by) return;
    const slope = (bx - ax) / (by - ay);
    const leaves = (this.#width - ax) / slope + ay;
    if (ax > this.#width && bx > this.#width) return;
    if (ax > this.#width) low = Math.max(low, leaves);
    if (bx > this.#width) high = Math.min(high, leaves);
    low = Math.max(low, 0);
    high = Math.min(high, this.#height);
    if (low >= high) return;
    this.#x.push(ax - ay * slope);
    this.#slope.push(slope);
    this.#low.push(low);
    this.#high.push(high);
    this.#owner.push(owner);
  }

  #xAt(edge: number, y: number): number {
    return this.#x.items[edge]! + y * this.#slope.items[edge]!;
  }

  #order(): Uint32Array {
    const low = this.#low.items;
    const order = Uint32Array.from({ length: this.#owner.length }, (_, edge) => edge);
    return order.sort((a, b) => low[a]! - low[b]!);
  }

  #collectHeights(order: Uint32Array): void {
    const heights = this.#heights;
    heights.length = 0;
    heights.push(0);
    heights.push(this.#height);
    heights.append(this.#turnY.view());
    heights.append(this.#low.view());
    heights.append(this.#high.view());
    const [low, high, owner] = [this.#low.items, this.#high.items, this.#owner.items];
    for (let n = 0; n < order.length; n++) {
      const one = order[n]!;
      for (let m = n + 1; m < order.length && low[order[m]!]! < high[one]!; m++) {
        const other = order[m]!;
        if (owner[one] === owner[other]) continue;
        const from = low[other]!;
        const to = Math.min(high[one]!, high[other]!);
        const before = this.#xAt(one, from) - this.#xAt(other, from);
        const after = this.#xAt(one, to) - this.#xAt(other, to);
        if (before * after >= 0) continue;
        heights.push(from + ((to - from) * before) / (before - after));
      }
    }
  }

  #addSlabs(order: Uint32Array, heights: Float64Array): Swept {
    const [low, high] = [this.#low.items, this.#high.items];
    const active: number[] = [];
    const turns = Array.from(this.#turnY.view(), (_, n) => n);
    turns.sort((a, b) => this.#turnY.items[a]! - this.#turnY.items[b]!);
    const sums = { askedM2: 0, sharedM2: 0 };
    let [next, turn] = [0, 0];
    for (let n = 0; n + 1 < heights.length; n++) {
      const [from, to] = [heights[n]!, heights[n + 1]!];
      if (from === to) continue;
      for (; turn < turns.length && this.#turnY.items[turns[turn]!]! <= from; turn++) {
        this.#holds.items[this.#turnOwner.items[turns[turn]!]!]! ^= 1;
      }
      for (; next < order.length && low[order[next]!]! <= from; next++) active.push(order[next]!);
      let kept = 0;
      for (const edge of active) if (high[edge]! >= to) active[kept++] = edge;
      active.length = kept;
      this.#sortAt(active, (from + to) / 2);
      this.#addSlab(active, to - from, sums);
    }
    return sums;
  }

  #at = new Float64Array(256);

  /** West to east; nearly in order already. */
  #sortAt(active: number[], y: number): void {
    if (this.#at.length < active.length) this.#at = new Float64Array(2 * active.length);
    const at = this.#at;
    for (let n = 0; n < active.length; n++) {
      const edge = active[n]!;
      const x = this.#xAt(edge, y);
      let m = n;
      for (; m > 0 && at[m - 1]! > x; m--) {
        at[m] = at[m - 1]!;
        active[m] = active[m - 1]!;
      }
      at[m] = x;
      active[m] = edge;
    }
  }

  #inside = new Uint8Array(64);
  readonly #within: number[] = [];

  #addSlab(active: readonly number[], height: number, sums: { askedM2: number; sharedM2: number }) {
    let asked = this.#enterSlab();
    let x = 0;
    const [inside, within, shared] = [this.#inside, this.#within, this.sharedM2.items];
    for (let n = 0; n <= active.length; n++) {
      const to = n === active.length ? this.#width : Math.max(x, this.#at[n]!);
      if (asked > 0 && to > x) {
        const m2 = (to - x) * height;
        sums.askedM2 += m2;
        if (within.length > 0) sums.sharedM2 += m2;
        for (const area of within) shared[area]! += m2;
      }
      if (n === active.length) return;
      x = to;
      const owner = this.#owner.items[active[n]!]!;
      const isIn = (inside[owner]! ^= 1);
      if (owner < this.#asked) asked += isIn === 1 ? 1 : -1;
      else if (isIn === 1) within.push(owner - this.#asked);
      else within.splice(within.indexOf(owner - this.#asked), 1);
    }
  }

  /** At the west side. Returns how many of the question's areas hold it. */
  #enterSlab(): number {
    if (this.#inside.length < this.#holds.length)
      this.#inside = new Uint8Array(2 * this.#holds.length);
    this.#within.length = 0;
    let asked = 0;
    for (let area = 0; area < this.#holds.length; area++) {
      const holds = (this.#inside[area] = this.#holds.items[area]!);
      if (area < this.#asked) asked += holds;
      else if (holds === 1) this.#within.push(area - this.#asked);
    }
    return asked;
  }
}
