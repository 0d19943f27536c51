/** What the generated registers serve, and what is known of it. */

/** BBR and the cadastre, as large as the scale says; with a day's deltas after the totals, or not yet. */
export interface UpstreamContent {
  readonly dir: string;
  readonly scale: number;
  readonly hasDeltas: boolean;
}

export interface Served {
  readonly url: string;
  readonly rows: number;
  /** Uncompressed. */
  readonly bytes: number;
  /** Properties that a day changes. */
  readonly changed: number;
  /** One table once more, not zipped, for the database to read by itself. */
  readonly plain: {
    readonly path: string;
    readonly rows: number;
    readonly columns: number;
  };
}
