/** Processes that a test kills with -9, and a database server that goes away under them. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/db/connect.ts';
import type { StoreOptions } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Cluster } from './postgres-cluster.ts';
import type { TestStore } from './store.ts';

const SETTINGS = 'VICTIM_SETTINGS';

/** Read by the process that is started; null: it was not started by this kit. */
export function victimSettings(): unknown {
  return JSON.parse(process.env[SETTINGS] ?? 'null');
}

export interface Victim<M> {
  readonly process: ChildProcess;
  readonly first: M;
  kill(): Promise<void>;
}

export async function startVictim<M>(path: string, settings: unknown): Promise<Victim<M>> {
  const child = forkVictim(path, settings);
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`The process ended with ${String(code)} before it said anything.`);
  });
  const [first] = (await Promise.race([once(child, 'message'), gone])) as [M];
  gone.catch(() => undefined);
  return { process: child, first, kill: () => end(child) };
}

/** Starts a program, kills it so long after it said what is waited for, and returns all it said. */
export async function killAt(
  path: string,
  settings: unknown,
  { isTime, afterMs = 0 }: { isTime: (message: string) => boolean; readonly afterMs?: number },
): Promise<readonly string[]> {
  const child = forkVictim(path, settings);
  const said: string[] = [];
  const exited = once(child, 'exit');
  const heard = new Promise<void>((resolve) => {
    child.on('message', (message: string) => {
      said.push(message);
      if (isTime(message)) resolve();
    });
  });
  await Promise.race([heard, exited]);
  await sleep(afterMs);
  child.kill('SIGKILL');
  await exited;
  return said;
}

function forkVictim(path: string, settings: unknown): ChildProcess {
  return fork(path, {
    env: { ...process.env, [SETTINGS]: JSON.stringify(settings) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Ends a process, -9 where nothing else is said, and waits until it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

export async function restart(cluster: Cluster, awayMs: number): Promise<void> {
  await cluster.down();
  await sleep(awayMs);
  await cluster.up();
}

/** A migrated store on a server of the test's own. */
export async function openStoreOn(
  cluster: Cluster,
  options: Pick<StoreOptions, 'purpose'> = {},
): Promise<TestStore> {
  const dataDir = mkdtempSync(join(tmpdir(), 'geoopslag-crash-'));
  const databaseUrl = cluster.url('postgres');
  const another = (more: Partial<StoreOptions> = {}) =>
    openStore({ databaseUrl, dataDir, log: { error: () => undefined }, ...options, ...more });
  const store = await another();
  await migrate(store);
  const close = async (): Promise<void> => {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  return { ...store, databaseUrl, dataDir, another, close };
}
