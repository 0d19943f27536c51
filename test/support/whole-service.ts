/** The program as it is started, over the invented island, with the test key it prints. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintFirstKey } from '../../src/account/first-key.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { openTestStore } from './store.ts';

const MAIN = join(import.meta.dirname, '../../src/start/main.ts');

export interface WholeService {
  readonly base: string;
  readonly key: string;
  readonly operatorToken: string;
  close(): Promise<void>;
}

/** Waits until every layer is mirrored. Open in `beforeAll`, close in `afterAll`. */
export async function startWholeService(): Promise<WholeService> {
  const operatorToken = 'operator-token-of-this-test';
  const store = process.env['TEST_STORE'] === 'postgres' ? await openTestStore() : null;
  const minted = store === null ? null : await mintFirstKey(store, systemClock);
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-whole-'));
  const service = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      SAMPLE_PORT: '0',
      DATA_DIR: dir,
      THREADS: '1',
      OPERATOR_TOKEN: operatorToken,
      ...(store?.databaseUrl && { DATABASE_URL: store.databaseUrl }),
    },
  });
  const said: string[] = [];
  for (const stream of [service.stdout, service.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  }
  const close = async (): Promise<void> => {
    await stop(service);
    await store?.close();
    rmSync(dir, { recursive: true, force: true });
  };
  const find = (pattern: RegExp) => pattern.exec(said.join(''))?.[1];
  try {
    const base = await until(() => find(/listens on (http:\/\/[\d.]+:\d+)/), said);
    const key = minted ?? (await until(() => find(/(svc_test_\w+)/), said));
    await until(() => isMirrored(base, key), said);
    return { base, key, operatorToken, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function isMirrored(base: string, key: string): Promise<true | undefined> {
  const status = await fetch(`${base}/v1/status`).then((answer) => answer.text());
  if (!status.includes('"tilstand"') || status.includes('"mangler"')) return undefined;
  // The address index opens after its tables are mirrored.
  const headers = { authorization: `Bearer ${key}` };
  const { status: code } = await fetch(`${base}/v1/adresser?q=ny`, { headers });
  return code === 200 ? true : undefined;
}

async function until<T>(
  read: () => T | undefined | Promise<T | undefined>,
  said: readonly string[],
): Promise<T> {
  for (let tries = 0; tries < 500; tries++) {
    const found = await read();
    if (found !== undefined) return found;
    await sleep(200);
  }
  throw new Error(`The service did not come up:\n${said.join('')}`);
}

async function stop(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null) return;
  service.kill('SIGTERM');
  await once(service, 'exit');
}
