import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { postgis } from '@electric-sql/pglite-postgis';
import type { embeddedFiles } from './embedded-files.ts';

export interface Session {
  readonly serverVersion: string;
  readonly run: (batch: Buffer) => Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Recovers from the write-ahead log after a crash. `onTrap`: the session is broken; must not
 * return.
 */
export async function openPglite(
  files: Pick<ReturnType<typeof embeddedFiles>, 'pg' | 'creating'>,
  onTrap: (error: Error) => never,
): Promise<Session> {
  // initdb copies file by file: an interrupted directory is created again.
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
  ___stack_pointer: { value: number };
}

/** PGlite's file system has no fsync. Set before the start, as recovery writes too. */
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
    // The JavaScript stack traps near 500 kB of this measure; this limit gives a statement error
    // instead.
    max_stack_depth: '200kB',
  };
  return [
    // PGlite's -F disables fsync; a commit must survive a power failure.
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/**
 * An SQL error leaves the main loop as a thrown string, without releasing WebAssembly's stack:
 * after some two hundred, every statement fails (54001). PGlite also ignores a trap, after which
 * the session answers wrongly or loops.
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
      if (typeof error !== 'string') onTrap(asError(error));
      throw error;
    }
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`PostGIS threw ${String(thrown)}.`);
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
