export interface MappingOptions {
  readonly keyProperty: string;
  /** DAGI only; null: every scale. */
  readonly dagiScale: string | null;
  /**
   * DAGI only: rows must be valid then. Absent or null: every row, for services of current ones.
   */
  readonly nowMs?: number | null;
  /** When the answer was read: rows that end later are current. Absent: now. */
  readonly readAtMs?: number;
}
