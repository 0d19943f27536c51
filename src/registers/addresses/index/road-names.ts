/** Road names, and the roads and former names of addresses for each. */
import { NameIndex } from '../../../names/name-index.ts';
import type { Span } from '../../../names/name-index.ts';
import type { OpenAddressIndex } from './address-index.ts';

export class RoadNames extends NameIndex {
  /** Roads by name and by short name; see `roadsOf(name)`. */
  readonly roads: Uint32Array;
  /** Number of addresses on the roads of a name. */
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

  /** The span of a name's roads in `roads`. */
  roadsOf(name: number): Span {
    return { from: this.#roadStarts[name]!, to: this.#roadStarts[name + 1]! };
  }

  /** Former names of addresses with this road name. */
  formerOf(name: number): Span {
    return { from: this.#formerStarts[name]!, to: this.#formerStarts[name + 1]! };
  }
}
