export const SLOTS_IN_SET = 16;
/** For each holder in `LIMITER_SIZES`. */
export const SLOTS_PER_HOLDER = 2;
/** A thread's number has a byte in a key, and a bit in the word of outages. */
export const THREADS_MOST = 24;
/** Per window. */
export const MOMENTS = 64;
/** Per counter and thread. */
export const HASHES_KEPT = 4_096;
export const SHARES_KEPT = 64;
