/** Limits of the open trial (D152), per visitor (`clientOf`). */
export const TRIAL = {
  /** Per visitor and day. */
  dayUnits: 2_000,
  dayMs: 24 * 3_600_000,
  inFlight: { each: 16, total: 256 },
  /** Of all visitors: more than they can use. */
  monthUnits: 1_000_000_000,
} as const;
