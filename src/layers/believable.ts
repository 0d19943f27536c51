/** What a register must hold in all for its word about one place to be taken. */
import type { Guards } from './source.ts';

/** How a register is asked for one lookup. */
export interface OriginQuestion {
  readonly signal: AbortSignal;
  /** Whom waiting for the register is counted for. */
  readonly holder?: string | undefined;
  /** Features the register held when the copy was proved; null: unknown, or there is no copy. */
  readonly sourceRows: number | null;
}

export interface TotalBounds {
  /** At least 1: an exact total of 0 is that of an emptied table. */
  readonly leastRows: number;
  /** null: nothing is known that it could be held against. */
  readonly mostRows: number | null;
}

/**
 * What the guards let a register lose and gain from one run to the next holds live too, without their
 * floor for few rows: that a sync may yet publish it is no reason to believe a window before it has.
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
