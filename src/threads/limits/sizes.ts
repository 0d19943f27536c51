export const SLOTS_IN_SET = 16;
export const SLOTS_PER_HOLDER = 2;
/** A thread's number has a byte in a key, and a bit in the word of outages. */
export const THREADS_MOST = 24;
/** Moments that a window remembers. */
export const MOMENTS = 64;
/** Hashes that a thread caches per counter. */
export const HASHES_KEPT = 4_096;
export const SHARES_KEPT = 64;
