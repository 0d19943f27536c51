/** PGlite with PostGIS made durable: what the embedded store's process runs. */
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
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
  const db = await PGlite.create({
    fs: new DurableFS(files.pg),
    extensions: { postgis },
    startParams: [...startParameters()],
  });
  guardMainLoop(db.Module as unknown as EmscriptenModule, onTrap);
  const { rows } = await db.query<{ server_version: string }>('show server_version');
  if (fresh) {
    syncTree(files.pg);
    rmSync(files.creating);
  }
  return {
    serverVersion: rows[0]?.server_version ?? '',
    run: (batch) => run(db, batch),
    close: () => db.close(),
  };
}

interface EmscriptenModule {
  FS: { filesystems: { NODEFS: { stream_ops: { fsync?: (stream: { nfd?: number }) => number } } } };
  _PostgresMainLoopOnce: () => void;
  /** A global of WebAssembly; PGlite's types do not name it. */
  ___stack_pointer: { value: number };
}

/**
 * PGlite's files on disk have no fsync of their own, so PostgreSQL's calls would do nothing. Given
 * before the start, because recovery after a crash writes too.
 */
class DurableFS extends NodeFS {
  override async init(...[pg, options]: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(pg, options);
    const durable = (module: unknown) => {
      (module as EmscriptenModule).FS.filesystems.NODEFS.stream_ops.fsync = ({ nfd }) => {
        if (nfd !== undefined) fsyncSync(nfd);
        return 0;
      };
    };
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [durable, ...(emscriptenOpts.preRun ?? [])] },
    };
  }
}

/** initdb's files come without fsync: a directory is not called made before they are on disk. */
function syncTree(root: string): void {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) sync(join(entry.parentPath, entry.name));
  }
  sync(dirname(root));
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

function startParameters(): string[] {
  const settings = {
    // fdatasync, the default, is a stub in PGlite's file system: see DurableFS.
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

/**
 * An SQL error leaves the main loop as a thrown string, past every function on WebAssembly's own stack:
 * none of them takes back what it took of it. Without this some two hundred errors reach
 * `max_stack_depth`, and from then on the store refuses everything (54001).
 *
 * PGlite swallows whatever its main loop throws and goes on. That is right for SQL errors (a thrown
 * string) and wrong for a trap (an Error: memory out of bounds, stack exhausted), after which the
 * session gives wrong answers or loops for ever. The process must end; the next one recovers.
 */
function guardMainLoop(module: EmscriptenModule, onTrap: (error: Error) => never): void {
  const once = module._PostgresMainLoopOnce.bind(module);
  const stack = module.___stack_pointer;
  module._PostgresMainLoopOnce = () => {
    const top = stack.value;
    try {
      once();
    } catch (error) {
      stack.value = top;
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
