/**
 * Whether a building is listed or preserved (interface: Protection), from all its FBB rows (D114).
 */
import type { ProtectionMeanings, ProtectionRow } from '../protection/protection.ts';

export const LISTED = 1;
const VALUES = { best: 1, last: 9 } as const;

export interface ProtectionSurroundings {
  readonly meanings: ProtectionMeanings;
  readonly provedAtMs: number;
}

/**
 * null: no row says anything, or one may list the building: a listed one without a status, or an
 * unknown code (D115). A building with only a value is not listed and has no status.
 */
export function protection(
  rows: readonly Omit<ProtectionRow, 'buildingId'>[],
  { meanings, provedAtMs }: ProtectionSurroundings,
) {
  const statuses = rows.flatMap(({ status }) => status ?? []).sort((a, b) => a - b);
  const isListed = statuses.includes(LISTED);
  const mayBeListed = rows.some(({ status, isOfListed }) =>
    status === null ? isOfListed : (meanings[status] ?? 'fredet') === 'fredet',
  );
  if (mayBeListed && !isListed) return null;
  const status = isListed ? LISTED : (statuses[0] ?? null);
  const values = rows.flatMap(({ value }) =>
    value !== null && value >= VALUES.best && value <= VALUES.last ? [value] : [],
  );
  if (status === null && values.length === 0) return null;
  return {
    fredet: isListed,
    status,
    status_tekst: status === null ? null : (meanings[status] ?? null),
    bevaringsvaerdi: values.length === 0 ? null : Math.min(...values),
    kilde: 'fbb' as const,
    hentet: new Date(provedAtMs).toISOString(),
  };
}
