/** One atomically exchanged word: 36 bits of milliseconds, 28 of a value. */

export const VALUE_MOST = 2 ** 28 - 1;

const word = new BigInt64Array(1);
const halves = new Int32Array(word.buffer);

/** The word read last: bigint arithmetic would be several times slower. */
export const lastRead = { ms: 0, value: 0, isClaimed: false };

export function readWord(given: bigint): void {
  word[0] = given;
  const low = halves[0] ?? 0;
  const high = halves[1] ?? 0;
  lastRead.ms = (high >>> 0) * 16 + (low >>> 28);
  lastRead.value = low & VALUE_MOST;
  lastRead.isClaimed = high === CLAIMED;
}

export function packed(ms: number, value: number): bigint {
  halves[1] = Math.floor(ms / 16);
  halves[0] = ((ms % 16) << 28) | value;
  return word[0] ?? 0n;
}

/** In the upper half instead of milliseconds: a thread is replacing the holder. */
const CLAIMED = -1;

export function packedClaim(thread: number): bigint {
  halves[1] = CLAIMED;
  halves[0] = thread;
  return word[0] ?? 0n;
}
