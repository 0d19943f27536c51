/** How reads of the store are divided between a replica and the primary. */
export interface ReadsView {
  /** null: not known. */
  readonly lagMs: number | null;
  readonly isUsed: boolean;
  readonly reads: Readonly<Record<'replica' | 'primary', number>>;
}
