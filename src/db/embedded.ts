/**
 * Attaches to the embedded store. Its process is started if needed, and again when the connection
 * that keeps it alive breaks.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { DB_LIMITS } from './limits.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { EXIT, OVERDUE, embeddedFiles, embeddedSocket, ownUid } from './embedded-files.ts';

export interface StoreLog {
  error(message: string): void;
}

export interface Embedded {
  readonly host: string;
  readonly port: number;
  /** Resolves when the process has ended, or at once when others use it. */
  close(): Promise<void>;
}

/** The first start takes some seconds. Throws with the process's log. */
export async function attachEmbedded(dataDir: string, log: StoreLog): Promise<Embedded> {
  const root = resolve(dataDir);
  const socket = embeddedSocket(root);
  prepareDataDirectory(root);
  makePrivate(socket.dir);
  const lease = new Lease(root, log);
  await lease.take();
  return { host: socket.dir, port: socket.port, close: () => lease.giveBack() };
}

function makePrivate(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(dir);
  // Another user may have created it first in a shared temporary directory.
  if (uid !== ownUid()) throw new Error(`${dir} belongs to another user.`);
  chmodSync(dir, 0o700);
}

class Lease {
  readonly #root: string;
  readonly #log: StoreLog;
  #client: pg.Client | null = null;
  #closed = false;

  constructor(root: string, log: StoreLog) {
    this.#root = root;
    this.#log = log;
  }

  async take(): Promise<void> {
    const deadline = performance.now() + DB_LIMITS.embeddedStartMs;
    let child: ChildProcess | null = null;
    let failures = 0;
    while (performance.now() < deadline && !this.#closed) {
      if (await this.#connect()) return;
      if (child === null) child = startProcess(this.#root);
      else if (child.exitCode !== null || child.signalCode !== null) {
        const lost = child.exitCode === EXIT.taken || child.exitCode === EXIT.done;
        if (!lost && ++failures === 3) throw new Error(this.#reason());
        child = null;
      }
      await wait(25);
    }
    if (!this.#closed) throw new Error(this.#reason());
  }

  async giveBack(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  async #connect(): Promise<boolean> {
    const { dir, port } = embeddedSocket(this.#root);
    const client = new pg.Client({
      host: dir,
      port,
      user: 'postgres',
      connectionTimeoutMillis: DB_LIMITS.embeddedStartMs,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      if (error instanceof pg.DatabaseError) throw new Error(error.message, { cause: error });
      return false;
    }
    if (this.#closed) {
      await client.end();
      return true;
    }
    this.#client = client;
    client.on('end', () => {
      if (this.#client === client && !this.#closed) void this.#retake();
    });
    return true;
  }

  async #retake(): Promise<void> {
    this.#client = null;
    const why =
      lastLine(this.#root) === OVERDUE ? ': a statement did not end within its limit' : '';
    this.#log.error(`the embedded store ended unexpectedly and is started again${why}`);
    for (let pauseMs = 100; !this.#closed; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        await this.take();
        return;
      } catch (error) {
        this.#log.error(`the embedded store does not start: ${(error as Error).message}`);
        await wait(pauseMs);
      }
    }
  }

  #reason(): string {
    const log = readFileSync(embeddedFiles(this.#root).log, 'utf8').trim().slice(-2_000);
    return `The embedded store under ${this.#root} did not start. ${log}`;
  }
}

function lastLine(root: string): string {
  return readFileSync(embeddedFiles(root).log, 'utf8').trimEnd().split('\n').at(-1) ?? '';
}

function startProcess(root: string): ChildProcess {
  const log = openSync(embeddedFiles(root).log, 'a');
  const entry = join(import.meta.dirname, 'embedded-process.ts');
  const child = spawn(process.execPath, [entry, root, embeddedSocket(root).path], {
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.on('error', () => undefined);
  child.unref();
  return child;
}
