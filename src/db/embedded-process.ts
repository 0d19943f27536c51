/**
 * Entry point of the embedded store's own process: PGlite with PostGIS behind a unix socket. It is
 * not bound to who started it: it ends when the last connection is gone, however that happened, so
 * no `kill -9` leaves it behind and the service and a `npm run sync` may come and go in any order.
 * Usage: node embedded-process.ts <data directory> <socket>
 */
import { chmodSync, existsSync, fsyncSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { postgis } from '@electric-sql/pglite-postgis';
import { LIMITS } from '../kernel/limits.ts';
import { EXIT, embeddedFiles } from './embedded-files.ts';
import { createWireServer } from './wire-server.ts';

const [dataDir, socket] = process.argv.slice(2);
if (dataDir === undefined || socket === undefined) process.exit(EXIT.usage);
const files = embeddedFiles(dataDir);

// A terminal's ctrl-C and a supervisor's SIGTERM go to every process of the group; the service
// needs its store until it has drained.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const lock = await takeLock();
truncateSync(files.log);
rmSync(socket, { force: true });

const opened = openPglite();
let closing = false;
let idleTimer = setTimeout(() => void end(EXIT.done), LIMITS.storeConnectMs);

const server = createWireServer({
  ready: opened.then(({ version }) => version),
  run: async (batch) => (await opened).run(batch),
  onIdle: (orderly) => {
    clearTimeout(idleTimer);
    if (orderly) void end(EXIT.done);
    else idleTimer = setTimeout(() => void end(EXIT.done), LIMITS.embeddedLingerMs);
  },
  onBroken: (error) => fail(error),
});
server.on('connection', () => clearTimeout(idleTimer));
server.listen(socket, () => {
  chmodSync(socket, 0o600);
  writeFileSync(files.owner, `${JSON.stringify({ pid: process.pid, socket })}\n`);
});
opened.catch(async (error: unknown) => {
  // Clients that already wait are told why before the process ends.
  await wait(LIMITS.embeddedLingerMs);
  fail(error);
});

/**
 * One process per data directory. SQLite's exclusive lock is the operating system's own: it goes
 * with the process, so there is no stale lock to judge.
 */
async function takeLock(): Promise<DatabaseSync> {
  const deadline = performance.now() + LIMITS.embeddedStartMs;
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

/** Whether another process listens: it may hold the lock while it closes and answers no more. */
function answers(): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket ?? '');
    probe.on('connect', () => resolve(true));
    probe.on('error', () => resolve(false));
    probe.on('close', () => probe.destroy());
    probe.on('connect', () => probe.destroy());
  });
}

async function openPglite() {
  // initdb copies file by file: a directory that was interrupted while being made is made anew.
  if (existsSync(files.creating)) rmSync(files.pg, { recursive: true, force: true });
  const fresh = !existsSync(files.pg);
  if (fresh) writeFileSync(files.creating, '');
  const db = await PGlite.create(files.pg, {
    extensions: { postgis },
    // PGlite switches fsync off; a commit must outlive a power cut. fdatasync is a stub there.
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...['-c', 'wal_sync_method=fsync', '-c', 'jit=off'],
    ],
  });
  const { FS } = db.Module as unknown as EmscriptenModule;
  FS.filesystems.NODEFS.stream_ops.fsync = ({ nfd }) => {
    if (nfd !== undefined) fsyncSync(nfd);
    return 0;
  };
  guardMainLoop(db.Module);
  const { rows } = await db.query<{ server_version: string }>('show server_version');
  if (fresh) rmSync(files.creating);
  return { db, version: rows[0]?.server_version ?? '', run: (batch: Buffer) => run(db, batch) };
}

interface EmscriptenModule {
  FS: { filesystems: { NODEFS: { stream_ops: { fsync?: (stream: { nfd?: number }) => number } } } };
  _PostgresMainLoopOnce: () => void;
}

/**
 * PGlite swallows every exception of its main loop and goes on, which is right for SQL errors and
 * an endless loop for a trap (out of memory, unreachable code). A trapped session cannot go on: the
 * process ends, and the next one recovers from the write-ahead log.
 */
function guardMainLoop(module: EmscriptenModule): void {
  const once = module._PostgresMainLoopOnce.bind(module);
  module._PostgresMainLoopOnce = () => {
    try {
      once();
    } catch (error) {
      if (error instanceof Error && error.name === 'RuntimeError') fail(error);
      throw error;
    }
  };
}

async function run(db: PGlite, batch: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await db.execProtocolRawStream(batch, {
    syncToFs: false,
    // The bytes are a view of PGlite's memory: copy.
    onRawData: (bytes) => void chunks.push(Buffer.from(bytes)),
  });
  return Buffer.concat(chunks);
}

async function end(code: number): Promise<never> {
  if (!closing) {
    closing = true;
    server.close();
    const { db } = await opened;
    await db.close();
    rmSync(files.owner, { force: true });
    lock.close();
    process.exit(code);
  }
  return new Promise(() => undefined);
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
  process.exit(EXIT.broken);
}
