import { NameIndex } from '../../../names/name-index.ts';
import type { Span } from '../../../names/name-index.ts';
import type { OpenAddressIndex } from './address-index.ts';

export class RoadNames extends NameIndex {
  readonly roads: Uint32Array;
  readonly weights: Uint32Array;
  readonly #roadStarts: Uint32Array;
  readonly #formerStarts: Uint32Array;

  constructor({ columns: { index } }: OpenAddressIndex) {
    super(index);
    this.roads = index.roads;
    this.weights = index.weights;
    this.#roadStarts = index.roadStarts;
    this.#formerStarts = index.formerStarts;
  }

  roadsOf(name: number): Span {
    return { from: this.#roadStarts[name]!, to: this.#roadStarts[name + 1]! };
  }

  /** Former names of addresses with this road name. */
  formerOf(name: number): Span {
    return { from: this.#formerStarts[name]!, to: this.#formerStarts[name + 1]! };
  }
}
