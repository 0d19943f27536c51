/**
 * Whether a building is listed or preserved (interface: Protection), from all its FBB rows (D114).
 */
import type { ProtectionMeanings, ProtectionRow } from '../protection/protection.ts';

export const LISTED = 1;
const VALUES = { best: 1, last: 9 } as const;

export interface ProtectionSurroundings {
  readonly meanings: ProtectionMeanings;
  /** When the rows were last verified (D115), milliseconds UTC. */
  readonly provedAtMs: number;
}

/**
 * null: no row says anything, or the layer of listed buildings has one without a status, which is not "not
 * listed" (D115). A building with only a value is not listed and has no status. Listed statuses come first,
 * then lower before higher.
 */
export function protection(
  rows: readonly Omit<ProtectionRow, 'buildingId'>[],
  { meanings, provedAtMs }: ProtectionSurroundings,
) {
  const statuses = rows.flatMap(({ status }) => (status === null ? [] : [status]));
  const isUnlisted = (status: number): boolean => !Object.hasOwn(meanings, String(status));
  const [status = null] = statuses.sort(
    (a, b) => Number(isUnlisted(a)) - Number(isUnlisted(b)) || a - b,
  );
  const isListedAsWhat = rows.some((row) => row.isOfListed && row.status === null);
  if (isListedAsWhat && status !== LISTED) return null;
  const values = rows.flatMap(({ value }) =>
    value !== null && value >= VALUES.best && value <= VALUES.last ? [value] : [],
  );
  if (status === null && values.length === 0) return null;
  return {
    fredet: status === LISTED,
    status,
    status_tekst: status === null || isUnlisted(status) ? null : (meanings[status] ?? null),
    bevaringsvaerdi: values.length === 0 ? null : Math.min(...values),
    kilde: 'fbb' as const,
    hentet: new Date(provedAtMs).toISOString(),
  };
}
