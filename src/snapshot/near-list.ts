/** A sparse set: each feature once, with its least square and nearest edge. */
import { growingFloats, growingWords } from '../geo/growing.ts';

export class NearList {
  readonly features = growingWords(16);
  readonly squares = growingFloats(16);
  readonly edges = growingWords(16);
  readonly #slots: Uint32Array;

  constructor(featureCount: number) {
    this.#slots = new Uint32Array(featureCount);
  }

  get length(): number {
    return this.features.length;
  }

  clear(): void {
    this.features.length = 0;
    this.squares.length = 0;
    this.edges.length = 0;
  }

  offer(feature: number, square: number, edge: number): void {
    const slot = this.#slots[feature]!;
    if (slot < this.features.length && this.features.items[slot] === feature) {
      if (square >= this.squares.items[slot]!) return;
      this.squares.items[slot] = square;
      this.edges.items[slot] = edge;
      return;
    }
    this.#slots[feature] = this.features.length;
    this.features.push(feature);
    this.squares.push(square);
    this.edges.push(edge);
  }
}
