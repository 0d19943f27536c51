/** Road names, and which roads and former names of addresses bear each. */
import { NameIndex } from '../../../names/name-index.ts';
import type { Span } from '../../../names/name-index.ts';
import type { OpenAddressIndex } from './address-index.ts';

export class RoadNames extends NameIndex {
  /** Roads by name, also by short name: those of a name are `roadsOf(name)`. */
  readonly roads: Uint32Array;
  /** Addresses on the roads of a name. */
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

  /** Where the roads of a name stand in `roads`. */
  roadsOf(name: number): Span {
    return { from: this.#roadStarts[name]!, to: this.#roadStarts[name + 1]! };
  }

  /** Which former names of addresses bear this road name. */
  formerOf(name: number): Span {
    return { from: this.#formerStarts[name]!, to: this.#formerStarts[name + 1]! };
  }
}
