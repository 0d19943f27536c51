/** Kills the process past the shared deadline: PGlite may block its thread for ever. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { DB_LIMITS } from './limits.ts';
import { OVERDUE } from './embedded-files.ts';

const STDERR = 2;
const deadline = workerData as BigInt64Array;

setInterval(() => {
  const at = Atomics.load(deadline, 0);
  if (at === 0n || process.hrtime.bigint() < at) return;
  // The thread's own stderr goes through the blocked thread.
  writeSync(STDERR, `${OVERDUE}\n`);
  process.kill(process.pid, 'SIGKILL');
}, DB_LIMITS.embeddedWatchMs);
