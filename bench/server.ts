/** Servers under test: started, asked what they used, stopped. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServerOrder, ServerReport } from './http-server.ts';

/** A server under test in a process of its own. */
export interface Server {
  readonly port: number;
  readonly readyMs: number;
  readonly key: string | null;
  /** Of another account. */
  readonly otherKey: string | null;
  usage(): Promise<Extract<ServerReport, { kind: 'usage' }>>;
  stop(): Promise<void>;
}

/** Starts one and notes it among those to be stopped. */
export async function start(servers: Server[], order: ServerOrder): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'http-server.ts'), { stdio: 'inherit' });
  const up = await ask(child, order);
  if (up.kind !== 'up') throw new Error('The server did not come up.');
  const server = {
    port: up.port,
    readyMs: up.readyMs,
    key: up.key,
    otherKey: up.otherKey,
    usage: async () => {
      const usage = await ask(child, { kind: 'usage' });
      if (usage.kind !== 'usage') throw new Error('The server did not tell its usage.');
      return usage;
    },
    stop: async () => {
      if (child.exitCode !== null || !child.connected) return;
      const gone = once(child, 'exit');
      child.send({ kind: 'stop' } satisfies ServerOrder);
      await gone;
    },
  };
  servers.push(server);
  return server;
}

async function ask(child: ChildProcess, order: ServerOrder): Promise<ServerReport> {
  const ended = new AbortController();
  const { signal } = ended;
  const exit = once(child, 'exit', { signal }).then(() => {
    throw new Error('A server under test ended.');
  });
  exit.catch(() => undefined);
  const answer = once(child, 'message', { signal }).then(([report]) => report as ServerReport);
  child.send(order);
  try {
    return await Promise.race([answer, exit]);
  } finally {
    ended.abort();
  }
}
