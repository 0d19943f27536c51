/** What a mapping is told of its source. */
export interface MappingOptions {
  /** Unique attribute: key of the mirror. */
  readonly keyProperty: string;
  /** DAGI only: the scale to take, null for every scale. */
  readonly dagiScale: string | null;
  /**
   * DAGI only: the moment the rows must be true at, milliseconds UTC. Absent or null takes every
   * row, for services that only ever answer with the present.
   */
  readonly nowMs?: number | null;
}
