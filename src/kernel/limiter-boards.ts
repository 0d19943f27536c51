/** What the threads of a process say to one another about its limits. */
import { NO_SHARE } from './burst.ts';
import type { Share } from './burst.ts';
import type { LimiterMemory } from './limiter-memory.ts';
import { OwnedLock, releaseLock } from './limiter-table.ts';

/** Written by one thread, read by all. */
export interface ShareBoard {
  read(): Share;
  write(share: Share): void;
}

/** An outage of the store lasts while any thread of the process has it. */
export interface OutageBoard {
  /** `own`: this thread's number of the outage. */
  during(own: number): number;
  over(): void;
}

function wordsOf({ boards, threads }: LimiterMemory) {
  return {
    version: new Int32Array(boards, 0, 1),
    lock: new Int32Array(boards, 8, 1),
    share: new Float64Array(boards, 16, 3),
    number: new Float64Array(boards, 40, 1),
    isIn: new Float64Array(boards, 48, threads),
  };
}

/** A reader that meets a change, or its middle, has the share before. */
export function shareBoard(memory: LimiterMemory): ShareBoard {
  const { version, share } = wordsOf(memory);
  let readAt = 0;
  let last = NO_SHARE;
  return {
    read: () => {
      const now = Atomics.load(version, 0);
      if (now === readAt || now % 2 !== 0) return last;
      const [fraction = 0, before = 0, sinceMs = 0] = share;
      if (Atomics.load(version, 0) !== now) return last;
      readAt = now;
      last = { fraction, before, sinceMs };
      return last;
    },
    write: ({ fraction, before, sinceMs }) => {
      Atomics.add(version, 0, 1);
      share.set([fraction, before, sinceMs]);
      Atomics.add(version, 0, 1);
    },
  };
}

export function outageBoard(memory: LimiterMemory, thread: number): OutageBoard {
  const { lock: word, number, isIn } = wordsOf(memory);
  const lock = new OwnedLock(word, thread, memory.threads);
  let latest: number | null = null;
  let shared = 0;
  const over = (): void => {
    latest = null;
    isIn[thread] = 0;
  };
  return {
    during: (own) => {
      // A thread's new outage is a new one for all, unless others are still in one.
      if (latest !== own) over();
      latest = own;
      if (!lock.enter()) return shared;
      if (!isIn.includes(1)) number[0] = (number[0] ?? 0) + 1;
      isIn[thread] = 1;
      shared = number[0] ?? 0;
      lock.leave();
      return shared;
    },
    over,
  };
}

export function forgetOutage(memory: LimiterMemory, thread: number): void {
  const { lock, isIn } = wordsOf(memory);
  isIn[thread] = 0;
  releaseLock(lock, thread);
}
