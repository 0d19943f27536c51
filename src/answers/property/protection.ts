/** Whether a building is listed or preserved (interface: Protection), of all rows that FBB has of it (D114). Pure. */
import type { ProtectionMeanings, ProtectionRow } from '../../layers/protection.ts';

/** `fredet` is this status and no other. */
const LISTED = 1;
/** The best and the last of the values; anything else is no value. */
const VALUES = { best: 1, last: 9 } as const;

export interface ProtectionSurroundings {
  readonly meanings: ProtectionMeanings;
  /** When the rows were last proved (D115), milliseconds UTC. */
  readonly provedAtMs: number;
}

/**
 * null: there is no row, or none with a status: that is not the same as "not listed" (D115). A status of the
 * list comes before one outside it, a lower one before a higher one.
 */
export function protection(
  rows: readonly Omit<ProtectionRow, 'buildingId'>[],
  { meanings, provedAtMs }: ProtectionSurroundings,
) {
  const statuses = rows.flatMap(({ status }) => (status === null ? [] : [status]));
  const isUnlisted = (status: number): boolean => !Object.hasOwn(meanings, String(status));
  const [status] = statuses.sort((a, b) => Number(isUnlisted(a)) - Number(isUnlisted(b)) || a - b);
  if (status === undefined) return null;
  const values = rows.flatMap(({ value }) =>
    value !== null && value >= VALUES.best && value <= VALUES.last ? [value] : [],
  );
  return {
    fredet: status === LISTED,
    status,
    status_tekst: isUnlisted(status) ? null : (meanings[String(status)] ?? null),
    bevaringsvaerdi: values.length === 0 ? null : Math.min(...values),
    kilde: 'fbb' as const,
    hentet: new Date(provedAtMs).toISOString(),
  };
}
