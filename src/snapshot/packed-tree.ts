/** FlatGeobuf's Hilbert R-tree: root first, 40 bytes per node. */
import { HILBERT_SIDE, hilbertPosition } from '../geo/hilbert.ts';
import type { Bounds } from '../geo/bounds.ts';

export const NODE_SIZE = 16;
const NODE_BYTES = 40;

/** 0 without features: the file then has no tree. */
export function treeBytes(items: number): number {
  return items === 0 ? 0 : levelSizes(items).reduce((sum, size) => sum + size, 0) * NODE_BYTES;
}

/**
 * `boxes`: minX, minY, maxX, maxY per feature in file order, which is Hilbert order. `offsets`:
 * bytes after the tree.
 */
export function buildTree(boxes: Float64Array, offsets: Float64Array): Uint8Array {
  const items = offsets.length;
  const bytes = new Uint8Array(treeBytes(items));
  if (items === 0) return bytes;
  const view = new DataView(bytes.buffer);
  const sizes = levelSizes(items);
  let start = bytes.length / NODE_BYTES - items;
  for (let i = 0; i < items; i++) {
    writeNode(view, start + i, boxes.subarray(4 * i, 4 * i + 4), offsets[i]!);
  }
  for (let level = 1; level < sizes.length; level++) {
    const below = { start, end: start + sizes[level - 1]! };
    start -= sizes[level]!;
    for (let i = 0; i < sizes[level]!; i++) {
      const first = below.start + i * NODE_SIZE;
      const last = Math.min(below.end, first + NODE_SIZE);
      writeNode(view, start + i, boxAround(view, first, last), first);
    }
  }
  return bytes;
}

/** Along a Hilbert curve; offsets are items. `at`: start of an item's box; Infinity there: none. */
export function treeOf(
  boxes: Float64Array,
  count: number,
  at: (item: number) => number,
): { readonly tree: Uint8Array; readonly items: number } {
  const items = new Uint32Array(count).map((_, n) => n).filter((n) => boxes[at(n)]! < Infinity);
  const gridOf = (axis: 0 | 1) => {
    const middle = (item: number) => (boxes[at(item) + axis]! + boxes[at(item) + 2 + axis]!) / 2;
    let [least, most] = [Infinity, -Infinity];
    for (const item of items) {
      least = Math.min(least, middle(item));
      most = Math.max(most, middle(item));
    }
    const scale = (HILBERT_SIDE - 1) / Math.max(most - least, 1);
    return (item: number) => Math.floor((middle(item) - least) * scale);
  };
  const [columnOf, rowOf] = [gridOf(0), gridOf(1)];
  const along = new Float64Array(count);
  for (const item of items) along[item] = hilbertPosition(columnOf(item), rowOf(item));
  items.sort((a, b) => along[a]! - along[b]! || a - b);
  const sorted = new Float64Array(4 * items.length);
  for (const [n, item] of items.entries()) {
    sorted.set(boxes.subarray(at(item), at(item) + 4), 4 * n);
  }
  return { tree: buildTree(sorted, Float64Array.from(items)), items: items.length };
}

/** For offsets below 2^32. */
export class PackedTree {
  readonly #sides: Float64Array;
  readonly #words: Uint32Array;
  readonly #ends: readonly number[];
  readonly #leaves: number;

  /** `bytes` begin at a multiple of eight. */
  constructor({ buffer, byteOffset, length }: Uint8Array, items: number) {
    this.#sides = new Float64Array(buffer, byteOffset, length / 8);
    this.#words = new Uint32Array(buffer, byteOffset, length / 4);
    this.#ends = levelEnds(items);
    this.#leaves = length / NODE_BYTES - items;
  }

  at(x: number, y: number): number[] {
    return this.meeting([x, y, x, y]);
  }

  /** Offsets of the features whose boxes meet this one, edges included, unordered. */
  meeting(box: Bounds): number[] {
    const found: number[] = [];
    if (this.#sides.length > 0) this.#search(0, 1, { box, level: 0, found });
    return found;
  }

  #search(
    first: number,
    end: number,
    { box, level, found }: { box: Bounds; level: number; found: number[] },
  ): void {
    const [west, south, east, north] = box;
    const sides = this.#sides;
    for (let node = first; node < end; node++) {
      const i = 5 * node;
      if (sides[i]! > east || sides[i + 1]! > north) continue;
      if (sides[i + 2]! < west || sides[i + 3]! < south) continue;
      const offset = this.#words[2 * i + 8]!;
      if (node >= this.#leaves) found.push(offset);
      else {
        const next = Math.min(offset + NODE_SIZE, this.#ends[level + 1]!);
        this.#search(offset, next, { box, level: level + 1, found });
      }
    }
  }
}

/** Ends of the levels, the root's first. */
function levelEnds(items: number): number[] {
  let end = 0;
  return levelSizes(items)
    .toReversed()
    .map((size) => (end += size));
}

/** Leaves first. A single feature has a root too. */
function levelSizes(items: number): number[] {
  const sizes = [items];
  do sizes.push(Math.ceil(sizes.at(-1)! / NODE_SIZE));
  while (sizes.at(-1)! > 1);
  return sizes;
}

function writeNode(view: DataView, node: number, box: ArrayLike<number>, offset: number): void {
  for (let i = 0; i < 4; i++) view.setFloat64(node * NODE_BYTES + 8 * i, box[i]!, true);
  view.setBigUint64(node * NODE_BYTES + 32, BigInt(offset), true);
}

function boxAround(view: DataView, first: number, last: number): number[] {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let node = first; node < last; node++) {
    for (let i = 0; i < 4; i++) {
      const value = view.getFloat64(node * NODE_BYTES + 8 * i, true);
      box[i] = i < 2 ? Math.min(box[i]!, value) : Math.max(box[i]!, value);
    }
  }
  return box;
}
