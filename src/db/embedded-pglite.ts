/** PGlite with PostGIS made durable: what the embedded store's process runs. */
import { existsSync, fsyncSync, rmSync, writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { postgis } from '@electric-sql/pglite-postgis';
import type { embeddedFiles } from './embedded-files.ts';
import type { RunBatch } from './wire-server.ts';

export interface Session {
  readonly serverVersion: string;
  readonly run: RunBatch;
  close(): Promise<void>;
}

/**
 * Opens the data directory, making it on first use; recovers from the write-ahead log after a crash.
 * @param onTrap the session is beyond repair; must not return.
 */
export async function openPglite(
  files: Pick<ReturnType<typeof embeddedFiles>, 'pg' | 'creating'>,
  onTrap: (error: Error) => never,
): Promise<Session> {
  // initdb copies file by file: a directory that was interrupted while being made is made anew.
  if (existsSync(files.creating)) rmSync(files.pg, { recursive: true, force: true });
  const fresh = !existsSync(files.pg);
  if (fresh) writeFileSync(files.creating, '');
  const db = await PGlite.create(files.pg, {
    extensions: { postgis },
    startParams: [...startParameters()],
  });
  const module = db.Module as unknown as EmscriptenModule;
  makeDurable(module);
  guardMainLoop(module, onTrap);
  const { rows } = await db.query<{ server_version: string }>('show server_version');
  if (fresh) rmSync(files.creating);
  return {
    serverVersion: rows[0]?.server_version ?? '',
    run: (batch) => run(db, batch),
    close: () => db.close(),
  };
}

interface EmscriptenModule {
  FS: { filesystems: { NODEFS: { stream_ops: { fsync?: (stream: { nfd?: number }) => number } } } };
  _PostgresMainLoopOnce: () => void;
}

function startParameters(): string[] {
  const settings = {
    // fdatasync, the default, is a stub in PGlite's file system: see makeDurable.
    wal_sync_method: 'fsync',
    jit: 'off',
    // The JavaScript stack ends near 500 kB of this measure, and that end is a trap; this one is an
    // error of the statement.
    max_stack_depth: '200kB',
  };
  return [
    // PGlite's -F switches fsync off; a commit must outlive a power cut.
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** PGlite's files on disk have no fsync of their own, so PostgreSQL's calls would do nothing. */
function makeDurable({ FS }: EmscriptenModule): void {
  FS.filesystems.NODEFS.stream_ops.fsync = ({ nfd }) => {
    if (nfd !== undefined) fsyncSync(nfd);
    return 0;
  };
}

/**
 * PGlite swallows whatever its main loop throws and goes on. That is right for SQL errors (a thrown
 * string) and wrong for a trap (an Error: memory out of bounds, stack exhausted), after which the
 * session gives wrong answers or loops for ever. The process must end; the next one recovers.
 */
function guardMainLoop(module: EmscriptenModule, onTrap: (error: Error) => never): void {
  const once = module._PostgresMainLoopOnce.bind(module);
  module._PostgresMainLoopOnce = () => {
    try {
      once();
    } catch (error) {
      if (error instanceof Error) onTrap(error);
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
