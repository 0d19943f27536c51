/** ST_Covers, from the cell's centre and the edges crossed on the way. */
import { growingWords } from '../geo/growing.ts';
import type { CellReader } from './cells.ts';
import type { EdgeKernel } from './edges.ts';
import { FEATURE_OF_UNIFORM, RUN, RUN_WORDS, UNIFORM } from './grid.ts';
import type { LayerSnapshot } from './layer.ts';

const found = growingWords(16);

export class InsideFinder {
  /** In grid order; only the first `found.length` are valid. */
  readonly found = found;
  readonly #lists: Uint32Array;
  readonly #ringStarts: Uint32Array;
  readonly #featureRings: Uint32Array;
  readonly #cells: CellReader;
  readonly #kernel: EdgeKernel;

  constructor(snapshot: LayerSnapshot, cells: CellReader, kernel: EdgeKernel) {
    this.#lists = snapshot.lists;
    this.#ringStarts = snapshot.ringStarts;
    this.#featureRings = snapshot.featureRings;
    this.#cells = cells;
    this.#kernel = kernel;
  }

  find(): void {
    found.length = 0;
    const word = this.#cells.ownWord();
    if (word === 0) return;
    if (word >= UNIFORM) {
      found.push(word & FEATURE_OF_UNIFORM);
      return;
    }
    const covers = this.#lists[word]!;
    for (let i = 0; i < covers; i++) found.push(this.#lists[word + 2 + i]!);
    this.#readRuns(word + 2 + covers, this.#lists[word + 1]!);
  }

  /** A feature's runs are consecutive; the last one decides. */
  #readRuns(from: number, count: number): void {
    const lists = this.#lists;
    const end = from + RUN_WORDS * count;
    let at = from;
    while (at < end) {
      const word = lists[at]!;
      const feature = word & RUN.feature;
      if ((word & RUN.zoneOnly) !== 0) {
        at += RUN_WORDS;
        continue;
      }
      let inside = (word & RUN.centreInside) === 0 ? 0 : 1;
      this.#kernel.forgetEdge();
      while (at < end && (lists[at]! & RUN.feature) === feature && !isZoneOnly(lists[at]!)) {
        if (this.#meetsPath(lists[at + 3]!)) {
          inside ^= this.#kernel.crossings(lists[at + 1]!, lists[at + 2]!, this.#cells.at);
        }
        at += RUN_WORDS;
      }
      const isInside = (word & RUN.ambiguous) === 0 ? inside === 1 : this.holds(feature);
      if (isInside || this.#kernel.onEdge()) found.push(feature);
    }
  }

  /** Otherwise no edge crosses the path. */
  #meetsPath(box: number): boolean {
    const { at, cellM } = this.#cells;
    // In 256ths of the cell from its south-west corner; the centre is at 128.
    const x = 128 + ((at[0]! - at[2]!) * 256) / cellM;
    const y = 128 + ((at[1]! - at[3]!) * 256) / cellM;
    return (
      Math.min(x, 128) <= ((box >>> 16) & 255) + 1 &&
      Math.max(x, 128) >= (box & 255) &&
      Math.min(y, 128) <= (box >>> 24) + 1 &&
      Math.max(y, 128) >= ((box >>> 8) & 255)
    );
  }

  /** By all its edges, for a point whose cell gives no path. Does not allocate. */
  holds(feature: number): boolean {
    let inside = 0;
    for (let r = this.#featureRings[feature]!; r < this.#featureRings[feature + 1]!; r++) {
      inside ^= this.#kernel.ringParity(this.#ringStarts[r]!, this.#ringStarts[r + 1]!);
    }
    return inside === 1 || this.#kernel.onEdge();
  }
}

function isZoneOnly(word: number): boolean {
  return (word & RUN.zoneOnly) !== 0;
}
