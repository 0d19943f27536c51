/** What the Dockerfile puts together, in a plain folder that who runs it cannot write. */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Door, serverOf, urlThrough } from './door.ts';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, '../../deploy/image/assemble-cli.ts');

export interface Assembled {
  /** Of the programs, read-only. */
  readonly app: string;
  readonly node: string;
  /** In no list of users; undefined: only root can be somebody else. */
  readonly uid: number | undefined;
  folder(name: string): string;
  /** The socket of the tests' server is for its own user alone. */
  overTcp(databaseUrl: string): Promise<string>;
  close(): Promise<void>;
}

export async function assemble(): Promise<Assembled> {
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-assembled-'));
  const app = join(dir, 'app');
  const node = join(dir, 'node');
  const uid = process.getuid?.() === 0 ? 10_001 : undefined;
  const doors: Door[] = [];
  chmodSync(dir, 0o755);
  await run(process.execPath, [PROGRAM, app]);
  await run('chmod', ['-R', 'a-w', app]);
  // Another user may not reach the one that runs this.
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  return {
    ...{ app, node, uid },
    folder: (name) => {
      const path = join(dir, name);
      mkdirSync(path);
      if (uid !== undefined) chownSync(path, uid, uid);
      return path;
    },
    overTcp: async (databaseUrl) => {
      const door = new Door(serverOf(databaseUrl));
      doors.push(door);
      await door.open();
      return urlThrough(door, databaseUrl);
    },
    close: async () => {
      for (const door of doors) await door.slam();
      await run('chmod', ['-R', 'u+w', app]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
