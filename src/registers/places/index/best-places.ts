/** The best few places of many spellings, each place once, without sorting them all. */

/** So many more than wanted are gathered before the worst are dropped. */
const SLACK = 1_024;

export class BestPlaces {
  readonly #limit: number;
  readonly #placeByOrder: Uint32Array;
  /** Rank and place in the order of equals as one number: the lower the better. */
  #keys: number[] = [];
  /** What is no better can no longer be among the best. */
  #worst = Infinity;

  /** `placeByOrder`: whose spelling stands at each place in the order of equals. */
  constructor(limit: number, placeByOrder: Uint32Array) {
    this.#limit = limit;
    this.#placeByOrder = placeByOrder;
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  /** Whether a spelling of the rank, and of that place in the order, may still be among the best. */
  wants(rank: number, order: number): boolean {
    return this.#keyOf(rank, order) < this.#worst;
  }

  add(rank: number, order: number): void {
    this.#keys.push(this.#keyOf(rank, order));
    if (this.#keys.length >= this.#limit * 2 + SLACK) this.#drop();
  }

  /** Best first. */
  places(): readonly number[] {
    this.#drop();
    return this.#keys.map((key) => this.#placeOf(key));
  }

  /** Keeps the best of each place, and of the places the best. */
  #drop(): void {
    const seen = new Set<number>();
    this.#keys = this.#keys
      .sort((a, b) => a - b)
      .filter((key) => {
        const place = this.#placeOf(key);
        if (seen.size === this.#limit || seen.has(place)) return false;
        seen.add(place);
        return true;
      });
    if (seen.size === this.#limit) this.#worst = this.#keys.at(-1)!;
  }

  #keyOf(rank: number, order: number): number {
    return rank * this.#placeByOrder.length + order;
  }

  #placeOf(key: number): number {
    return this.#placeByOrder[key % this.#placeByOrder.length]!;
  }
}
