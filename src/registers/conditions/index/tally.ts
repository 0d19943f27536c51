export interface Share {
  m2: number;
  m: number;
}

const NO_SHARES: ReadonlyMap<number, Share> = new Map();

export class Tally {
  #shares: Map<number, Share> | null = null;
  #reached: Set<number> | null = null;
  /** Squared metres; only features within the radius. */
  nearest = Infinity;
  /** An overlap counts once. */
  m2 = 0;
  m = 0;

  /** Features that share ground with the place, or lie on it. */
  get shares(): ReadonlyMap<number, Share> {
    return this.#shares ?? NO_SHARES;
  }

  get count(): number {
    return this.#reached?.size ?? 0;
  }

  features(): readonly number[] {
    return [...(this.#reached ?? [])];
  }

  has(feature: number): boolean {
    return this.#reached?.has(feature) ?? false;
  }

  /** `square`: in metres, where measured. */
  reach(feature: number, square = Infinity): void {
    this.#reached ??= new Set();
    this.#reached.add(feature);
    this.nearest = Math.min(this.nearest, square);
  }

  share(feature: number, m2: number, m: number): void {
    const share = this.hold(feature);
    share.m2 += m2;
    share.m += m;
    this.reach(feature, 0);
  }

  hold(feature: number): Share {
    this.#shares ??= new Map();
    const share = this.#shares.get(feature) ?? { m2: 0, m: 0 };
    this.#shares.set(feature, share);
    return share;
  }
}
