import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const EXIT = { done: 0, usage: 2, taken: 3, broken: 70 } as const;

export const OVERDUE = 'A statement did not end within its limit.';

/** 107 on Linux, 103 on macOS. */
const SOCKET_PATH_BYTES = 103;
const PORT = 5432;

export function embeddedFiles(dataDir: string) {
  return {
    pg: join(dataDir, 'pg'),
    creating: join(dataDir, 'pg.creating'),
    lock: join(dataDir, 'embedded.lock'),
    /** { pid, socket } of the living process, for people. */
    owner: join(dataDir, 'embedded.json'),
    log: join(dataDir, 'embedded.log'),
  };
}

/** Containers run as users without a passwd entry. */
export function ownUid(): number {
  return process.getuid?.() ?? -1;
}

/** In libpq's form. Access to the directory is access to the store. */
export function embeddedSocket(dataDir: string): { dir: string; port: number; path: string } {
  const name = `.s.PGSQL.${PORT}`;
  const own = join(dataDir, 'socket');
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const short = join(tmpdir(), `geoopslag-${ownUid()}-${hash}`);
  const dir = Buffer.byteLength(join(own, name)) <= SOCKET_PATH_BYTES ? own : short;
  return { dir, port: PORT, path: join(dir, name) };
}
