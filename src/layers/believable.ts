import type { Guards } from './source.ts';

export interface OriginQuestion {
  readonly signal: AbortSignal;
  readonly holder?: string | undefined;
  /** When the copy was verified; null: unknown, or no copy. */
  readonly sourceRows: number | null;
}

export interface TotalBounds {
  /** At least 1: an exact total of 0 means an emptied table. */
  readonly leastRows: number;
  readonly mostRows: number | null;
}

/**
 * Within the guards' limits on loss and gain, without their floor for few rows: a larger change is
 * not believed until a sync publishes it.
 */
export function believableTotal(
  { minRows, maxDropShare, maxGrowthShare }: Guards,
  sourceRows: number | null,
): TotalBounds {
  const leastRows = Math.max(1, minRows);
  if (sourceRows === null || sourceRows === 0) return { leastRows, mostRows: null };
  return {
    leastRows: Math.max(leastRows, Math.ceil(sourceRows * (1 - maxDropShare) - ROUNDING)),
    mostRows: Math.floor(sourceRows * (1 + maxGrowthShare) + ROUNDING),
  };
}

/** Shares are binary fractions: 10 rows less 0.1 of them are 9. */
const ROUNDING = 1e-6;
