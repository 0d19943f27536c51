/**
 * Ends a process whose first thread hangs, as no supervisor but Kubernetes asks whether it lives. Journals keep
 * what was not folded.
 */
import { Worker } from 'node:worker_threads';
import { THREAD_LIMITS } from './limits.ts';

/** In the watchdog's thread. Standard error is written by itself: a thread's own passes through the first one. */
const WATCH = `
const { writeSync } = require('node:fs');
const { beats, everyMs, most } = require('node:worker_threads').workerData;
let [last, still] = [-1, 0];
setInterval(() => {
  const now = Atomics.load(beats, 0);
  still = now === last ? still + 1 : 0;
  last = now;
  if (still < most) return;
  writeSync(2, '{"level":"fatal","msg":"the first thread hangs: the process ends"}\\n');
  process.kill(process.pid, 'SIGKILL');
}, everyMs);`;

/** From now on; returns what ends it. */
export function startWatchdog({ firstMs } = THREAD_LIMITS.hung): () => Promise<unknown> {
  const everyMs = THREAD_LIMITS.reportMs;
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const beating = setInterval(() => Atomics.add(beats, 0, 1), everyMs).unref();
  const worker = new Worker(WATCH, {
    ...{ eval: true, name: 'watchdog', workerData: { beats, everyMs, most: firstMs / everyMs } },
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8 },
  });
  worker.unref();
  // Without it the process goes on as before.
  worker.on('error', () => undefined);
  return () => {
    clearInterval(beating);
    return worker.terminate();
  };
}
