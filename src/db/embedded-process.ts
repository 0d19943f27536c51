/**
 * Ends with its last connection, so a killed user leaves no process running. Usage: node
 * embedded-process.ts <data directory> <socket>
 */
import { chmodSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { DB_LIMITS } from './limits.ts';
import { EXIT, embeddedFiles } from './embedded-files.ts';
import { openPglite } from './embedded-pglite.ts';
import { createWireServer } from './wire-server.ts';
import { Worker } from 'node:worker_threads';

const [dataDir, socket] = process.argv.slice(2);
if (dataDir === undefined || socket === undefined) process.exit(EXIT.usage);
const files = embeddedFiles(dataDir);

// Signals reach the whole process group, but the service needs its store until it has drained.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const lock = await takeLock();
truncateSync(files.log);
rmSync(socket, { force: true });

const watchdog = startWatchdog();
const opened = watchdog.within(DB_LIMITS.embeddedStartMs, () => openPglite(files, fail));
let closing = false;
let idle: symbol | null = null;
endUnlessUsed(DB_LIMITS.storeConnectMs);

const server = createWireServer({
  ready: opened.then(({ serverVersion }) => serverVersion),
  run: async (batch, mostMs) => {
    const session = await opened;
    return watchdog.within(mostMs, () => session.run(batch));
  },
  onIdle: (orderly) => {
    if (orderly) void end();
    else endUnlessUsed(DB_LIMITS.embeddedLingerMs);
  },
  onBroken: fail,
});
server.on('connection', () => {
  idle = null;
});
server.listen(socket, () => {
  chmodSync(socket, 0o600);
  writeFileSync(files.owner, `${JSON.stringify({ pid: process.pid, socket })}\n`);
});
opened.catch(async (error: unknown) => {
  // Waiting clients get the reason before the process ends.
  await wait(DB_LIMITS.embeddedLingerMs);
  fail(error);
});

/** SQLite's exclusive lock ends with the process. */
async function takeLock(): Promise<DatabaseSync> {
  const deadline = performance.now() + DB_LIMITS.embeddedStartMs;
  while (performance.now() < deadline) {
    const database = new DatabaseSync(files.lock);
    try {
      database.exec('pragma locking_mode = exclusive; begin exclusive');
      return database;
    } catch {
      database.close();
    }
    if (await answers()) process.exit(EXIT.taken);
    await wait(50);
  }
  process.exit(EXIT.taken);
}

/** A closing process may still hold the lock. */
function answers(): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket ?? '');
    probe.on('error', () => resolve(false));
    probe.on('connect', () => {
      probe.destroy();
      resolve(true);
    });
  });
}

function endUnlessUsed(afterMs: number): void {
  const mine = Symbol('idle');
  idle = mine;
  setTimeout(() => {
    // PGlite blocks the loop for seconds, and due timers run before waiting connections.
    setImmediate(() => {
      if (idle === mine) void end();
    });
  }, afterMs);
}

async function end(): Promise<void> {
  if (closing) return;
  closing = true;
  server.close();
  const session = await opened;
  await watchdog.within(DB_LIMITS.embeddedStartMs, () => session.close());
  rmSync(files.owner, { force: true });
  lock.close();
  process.exit(EXIT.done);
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
  process.exit(EXIT.broken);
}

export interface Watchdog {
  within<T>(mostMs: number, work: () => Promise<T>): Promise<T>;
}

/** PGlite blocks its thread, so another thread ends the process. */
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
