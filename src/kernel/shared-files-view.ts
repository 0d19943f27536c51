/** SNAPSHOT_STORE since the process started. */
export interface SharedFilesView {
  /** null: not asked yet. */
  readonly isAnswering: boolean | null;
  readonly fetched: number;
  readonly published: number;
  /** Objects whose bytes were not those published. */
  readonly refused: number;
  readonly failed: number;
  /** Age of what answers in place of the database; null: the database answers. */
  readonly servedManifestAtMs: number | null;
}
