/**
 * Units beyond its grants that an account may use in an outage: a small part of its month, at most what was
 * left at the last reading.
 */
import { METERING_LIMITS } from './limits.ts';

export interface OutageUse {
  /** Number of the outage; 0: none yet. */
  readonly outage: number;
  readonly units: number;
}

export const NO_USE: OutageUse = { outage: 0, units: 0 };

export function outageUnitsLeft({
  outage,
  used,
  monthUnits,
  left,
  share,
}: {
  readonly outage: number;
  readonly used: OutageUse;
  readonly monthUnits: number;
  /** Left of the month at the last reading, before this outage. */
  readonly left: number;
  readonly share: number;
}): number {
  const { share: part, least } = METERING_LIMITS.outageUnits;
  const most = Math.max(least, Math.floor(part * monthUnits));
  const already = used.outage === outage ? used.units : 0;
  return Math.max(0, Math.min(most, Math.floor(share * left)) - already);
}
