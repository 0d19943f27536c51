export const SLOTS_IN_SET = 16;
/** Slots for each holder that `LIMITER_SIZES` names. */
export const SLOTS_PER_HOLDER = 2;
/** Their numbers have a byte in a key, and a bit each beside the number of an outage. */
export const THREADS_MOST = 24;
/** Moments that a window can hold. */
export const MOMENTS = 64;
/** Holders whose hash a thread remembers, of each counter. */
export const HASHES_KEPT = 4_096;
/** Changes of the share between two reads of one. */
export const SHARES_KEPT = 64;
