/**
 * Units beyond its grants that an account may use in an outage: a small part of its month, at most what was
 * left at the last reading.
 */
import { METERING_LIMITS } from './limits.ts';

export function outageUnits({
  monthUnits,
  left,
  share,
}: {
  readonly monthUnits: number;
  /** Left of the month at the last reading, before this outage. */
  readonly left: number;
  readonly share: number;
}): number {
  const { share: part, least } = METERING_LIMITS.outageUnits;
  const most = Math.max(least, Math.floor(part * monthUnits));
  return Math.max(0, Math.min(most, Math.floor(share * left)));
}
