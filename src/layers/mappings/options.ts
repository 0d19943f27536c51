/** What a mapping knows of its source. */
export interface MappingOptions {
  /** Unique attribute: key of the mirror. */
  readonly keyProperty: string;
  /** DAGI only: the scale to use; null: all. */
  readonly dagiScale: string | null;
  /**
   * DAGI only: rows must be valid at this instant, milliseconds UTC. Absent or null takes every
   * row, for services that only answer with current ones.
   */
  readonly nowMs?: number | null;
}
