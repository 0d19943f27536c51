/** Only Kubernetes asks whether a process lives. Journals keep what was not folded. */
import { Worker } from 'node:worker_threads';
import { THREAD_LIMITS } from './limits.ts';

/**
 * Plain JavaScript for a small heap. Writes standard error itself: a thread's own passes through
 * the first one. Time without a processor does not count (D238).
 */
const WATCH = `
const { readFileSync, writeSync } = require('node:fs');
const { beats, everyMs, mostMs } = require('node:worker_threads').workerData;
const look = () => {
  try {
    const fields = readFileSync('/proc/self/task/' + process.pid + '/stat', 'utf8').split(') ').at(-1).split(' ');
    return { runs: fields[0] === 'R', ms: (Number(fields[11]) + Number(fields[12])) * 10 };
  } catch {
    return { runs: false, ms: 0 };
  }
};
let [last, silentMs, before] = [-1, 0, look()];
setInterval(() => {
  const [beat, now] = [Atomics.load(beats, 0), look()];
  const ranMs = now.runs || before.runs ? Math.min(everyMs, now.ms - before.ms) : everyMs;
  silentMs = beat === last ? silentMs + ranMs : 0;
  [last, before] = [beat, now];
  if (silentMs < mostMs) return;
  try {
    writeSync(2, '{"level":"fatal","msg":"the first thread hangs: the process ends"}\\n');
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}, everyMs);`;

export function startWatchdog(): () => Promise<unknown> {
  const { reportMs: everyMs, hung } = THREAD_LIMITS;
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const beating = setInterval(() => Atomics.add(beats, 0, 1), everyMs).unref();
  const worker = new Worker(WATCH, {
    ...{ eval: true, name: 'watchdog', workerData: { beats, everyMs, mostMs: hung.firstMs } },
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8 },
  });
  worker.unref();
  // Without it the process continues.
  worker.on('error', () => undefined);
  return () => {
    clearInterval(beating);
    return worker.terminate();
  };
}
