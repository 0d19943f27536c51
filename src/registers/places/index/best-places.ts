/** Entries gathered beyond the limit before the worst are dropped. */
const SLACK = 1_024;

export class BestPlaces {
  readonly #limit: number;
  readonly #placeByOrder: Uint32Array;
  /** Rank and tie order as one number; lower is better. */
  #keys: number[] = [];
  /** Keys from here on cannot be among the best. */
  #worst = Infinity;

  /** `placeByOrder`: the place of the spelling at each tie order. */
  constructor(limit: number, placeByOrder: Uint32Array) {
    this.#limit = limit;
    this.#placeByOrder = placeByOrder;
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  wants(rank: number, order: number): boolean {
    return this.#keyOf(rank, order) < this.#worst;
  }

  add(rank: number, order: number): void {
    this.#keys.push(this.#keyOf(rank, order));
    if (this.#keys.length >= this.#limit * 2 + SLACK) this.#drop();
  }

  places(): readonly number[] {
    this.#drop();
    return this.#keys.map((key) => this.#placeOf(key));
  }

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
