/**
 * What an account may use while the store is unavailable, beyond the units it was granted: a small part of its
 * month, so that a paying customer goes on, and no more than was left when the store last told. Pure.
 */
import { METERING_LIMITS } from './limits.ts';

/** What one account has used so in one outage. */
export interface OutageUse {
  /** The number of the outage; 0: none yet. */
  readonly outage: number;
  readonly units: number;
}

export const NO_USE: OutageUse = { outage: 0, units: 0 };

/** Units an account may still use in this outage. */
export function outageUnitsLeft({
  outage,
  used,
  monthUnits,
  left,
  share,
}: {
  /** The number of the outage. */
  readonly outage: number;
  readonly used: OutageUse;
  /** The plan's units a month. */
  readonly monthUnits: number;
  /** Left of the month up to its ceiling when the store last told, before this outage's units. */
  readonly left: number;
  /** The part of what is left that is this process's: others count on the rest. */
  readonly share: number;
}): number {
  const { share: part, least } = METERING_LIMITS.outageUnits;
  const most = Math.max(least, Math.floor(part * monthUnits));
  const already = used.outage === outage ? used.units : 0;
  return Math.max(0, Math.min(most, Math.floor(share * left)) - already);
}
