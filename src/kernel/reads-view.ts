export interface ReadsView {
  readonly lagMs: number | null;
  readonly isUsed: boolean;
  readonly reads: Readonly<Record<'replica' | 'primary', number>>;
}
