/** Ends the embedded store's process when what it works on outlasts its limit: PGlite blocks its thread. */
import { Worker } from 'node:worker_threads';

export interface Watchdog {
  /** As `work`, which ends the process when it takes longer than `mostMs`. */
  within<T>(mostMs: number, work: () => Promise<T>): Promise<T>;
}

export function startWatchdog(): Watchdog {
  const deadline = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  new Worker(new URL('./embedded-watchdog.thread.ts', import.meta.url), {
    workerData: deadline,
  }).unref();
  let running = 0;
  return {
    within: async (mostMs, work) => {
      running += 1;
      Atomics.store(deadline, 0, process.hrtime.bigint() + BigInt(mostMs) * 1_000_000n);
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) Atomics.store(deadline, 0, 0n);
      }
    },
  };
}
