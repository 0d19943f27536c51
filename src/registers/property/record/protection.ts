/** Whether a building is listed or preserved (interface: Protection), of all rows that FBB has of it (D114). Pure. */
import type { ProtectionMeanings, ProtectionRow } from '../protection/protection.ts';

/** `fredet` is this status and no other. */
export const LISTED = 1;
/** The best and the last of the values; anything else is no value. */
const VALUES = { best: 1, last: 9 } as const;

export interface ProtectionSurroundings {
  readonly meanings: ProtectionMeanings;
  /** When the rows were last proved (D115), milliseconds UTC. */
  readonly provedAtMs: number;
}

/**
 * null: there is no row that says anything, or the layer of listed buildings has one without a status: that is
 * not the same as "not listed" (D115). A building with a value alone is not among the listed ones, and has no
 * status. A status of the list comes before one outside it, a lower one before a higher one.
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
