/**
 * A process lives while it listens on a socket next to its journals, also from another container.
 */
import { closeSync, openSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';

/** 107 bytes on Linux, 103 on macOS. */
const SOCKET_PATH_BYTES = 103;
const PROBE_MS = 500;

export interface Liveness {
  close(): Promise<void>;
}

/** Rejects when the directory takes no sockets. */
export async function announceLiveness(directory: string, instance: string): Promise<Liveness> {
  const server: Server = createServer((socket) => socket.destroy());
  const path = socketPath(directory, instance);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path.path, resolve);
  }).finally(() => path.release());
  server.unref();
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        endLiveness(directory, instance);
      }),
  };
}

/** `unknown`: nothing of it may be touched. */
export async function probeLiveness(
  directory: string,
  instance: string,
): Promise<'alive' | 'dead' | 'unknown'> {
  const path = socketPath(directory, instance);
  try {
    return await new Promise((resolve) => {
      const socket = connect(path.path);
      const timer = setTimeout(() => done('unknown'), PROBE_MS);
      const done = (answer: 'alive' | 'dead' | 'unknown') => {
        clearTimeout(timer);
        socket.destroy();
        resolve(answer);
      };
      socket.once('connect', () => done('alive'));
      socket.once('error', ({ code }: NodeJS.ErrnoException) =>
        done(code === 'ECONNREFUSED' || code === 'ENOENT' ? 'dead' : 'unknown'),
      );
    });
  } finally {
    path.release();
  }
}

export function endLiveness(directory: string, instance: string): void {
  rmSync(join(directory, `${instance}.socket`), { force: true });
}

/** Short enough to bind: Linux takes the directory by its descriptor. */
function socketPath(directory: string, instance: string): { path: string; release: () => void } {
  const name = `${instance}.socket`;
  const whole = join(directory, name);
  if (Buffer.byteLength(whole) <= SOCKET_PATH_BYTES)
    return { path: whole, release: () => undefined };
  const fd = openSync(directory, 'r');
  return { path: `/proc/self/fd/${fd}/${name}`, release: () => closeSync(fd) };
}
