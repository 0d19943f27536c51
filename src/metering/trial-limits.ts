/**
 * Limits of the open trial (D152). Each visitor (`clientOf`) has its own.
 */
export const TRIAL = {
  /** Units of one visitor per day, and the length of a day, milliseconds. */
  dayUnits: 2_000,
  dayMs: 24 * 3_600_000,
  inFlight: { each: 16, total: 256 },
  visitors: 50_000,
  /** Units of all visitors per month: more than they can use. */
  monthUnits: 1_000_000_000,
} as const;
