/** What a layer has at one place, counted window by window. */
export interface Share {
  m2: number;
  m: number;
}

export class Tally {
  /** Features that share ground with the place, or lie on it. */
  readonly shares = new Map<number, Share>();
  /** Features within the radius. */
  readonly reached = new Set<number>();
  /** To the nearest of them, square metres. */
  nearest = Infinity;
  /** Of all of them together, each place once. */
  m2 = 0;
  m = 0;

  share(feature: number, m2: number, m: number): void {
    const known = this.shares.get(feature);
    if (known === undefined) this.shares.set(feature, { m2, m });
    else {
      known.m2 += m2;
      known.m += m;
    }
    this.reached.add(feature);
    this.nearest = 0;
  }
}
