/** What stands between a program under test and its database. */
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** A door in front of a real server that can be shut, slammed, left unanswered, or slow to open. */
export class Door {
  silent = false;
  /** Everything takes this long, each way. */
  delayMs = 0;
  readonly #target: () => Socket;
  #server: Server | null = null;
  readonly #sockets = new Set<Socket>();
  port = 0;

  constructor(target: () => Socket) {
    this.#target = target;
  }

  async open(): Promise<void> {
    const server = createServer((inner) => {
      const outer = this.#target();
      for (const [from, to] of [
        [inner, outer],
        [outer, inner],
      ] as const) {
        this.#sockets.add(from);
        from.on('data', (chunk: Buffer) => this.#pass(chunk, to));
        from.on('close', () => to.destroy());
        from.on('error', () => to.destroy());
      }
    });
    await new Promise<void>((done) => server.listen(this.port, '127.0.0.1', done));
    this.port = (server.address() as { port: number }).port;
    this.#server = server;
  }

  #pass(chunk: Buffer, to: Socket): void {
    if (this.silent) return;
    if (this.delayMs === 0) to.write(chunk);
    else setTimeout(() => to.destroyed || to.write(chunk), this.delayMs);
  }

  /** What hung on it while it was silent stays lost. */
  async renew(): Promise<void> {
    this.silent = false;
    await this.slam();
    await this.open();
  }

  async slam(): Promise<void> {
    const closed = new Promise((done) => this.#server?.close(done));
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }
}

/** The real server of a database, behind a door: its unix socket, or its port. */
export function serverOf(databaseUrl: string): () => Socket {
  const url = new URL(databaseUrl);
  const dir = url.searchParams.get('host');
  return () =>
    dir === null
      ? connect(Number(url.port || 5432), url.hostname)
      : connect(`${dir}/.s.PGSQL.5432`);
}

export async function doorTo(port: number): Promise<Door> {
  const door = new Door(() => connect(port, '127.0.0.1'));
  await door.open();
  return door;
}

export function urlThrough(door: Door, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${door.port}`;
  return url.href;
}
