/** What a mapping is told of its source. */
export interface MappingOptions {
  /** Unique attribute: key of the mirror. */
  readonly keyProperty: string;
  /** DAGI only: the scale to take, null for every scale. */
  readonly dagiScale: string | null;
}
