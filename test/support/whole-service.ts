/** The program as it is started, over the invented island, with a test key. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mintFirstKey } from '../../src/account/first-key.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import { HANG_MS } from './run-settings.ts';
import type { TestStore } from './store-templates.ts';
import { until } from './until.ts';
import { end } from './crash-kit.ts';

const MAIN = join(import.meta.dirname, '../../src/start/main.ts');

export interface WholeService {
  readonly base: string;
  readonly key: string;
  readonly operatorToken: string;
  /** null: an embedded one, which is the program's alone. */
  readonly store: TestStore | null;
  close(): Promise<void>;
}

/**
 * Over a mirrored store, which it closes; null: over an embedded one, and waits until the program has
 * mirrored every layer.
 */
export async function startWholeService(
  store: TestStore | null,
  settings: Readonly<Record<string, string>>,
): Promise<WholeService> {
  const operatorToken = 'operator-token-of-this-test';
  const minted = store === null ? null : await mintFirstKey(store, systemClock);
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-whole-'));
  const program = startProgram({
    ...{ DATA_DIR: dir, SNAPSHOT_STORE: join(dir, 'shared') },
    OPERATOR_TOKEN: operatorToken,
    ...settings,
    ...(store?.databaseUrl && { DATABASE_URL: store.databaseUrl }),
  });
  const close = async (): Promise<void> => {
    await program.stop();
    await store?.close();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const base = await program.base();
    const key = minted ?? (await program.until((said) => /(svc_test_\w+)/.exec(said)?.[1]));
    await program.until(() => isInMemory(base, operatorToken));
    await program.until(() => isMirrored(base, key));
    return { base, key, operatorToken, store, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface StartedProgram {
  readonly pid: number | undefined;
  said(): string;
  base(): Promise<string>;
  /** Waits for what `read` makes of all it has said. Throws, with that, when it never comes. */
  until<T>(read: (said: string) => T | undefined | Promise<T | undefined>): Promise<T>;
  stop(): Promise<void>;
  /** As a machine that loses power does. */
  kill(): Promise<void>;
}

export interface ProgramPlace {
  readonly node?: string;
  readonly main?: string;
  /** Who runs it; absent: who runs this. */
  readonly uid?: number;
}

/** `npm start` on free ports, with one thread; `env` beside the environment of this process. */
export function startProgram(
  env: Readonly<Record<string, string>>,
  { node = process.execPath, main = MAIN, uid }: ProgramPlace = {},
): StartedProgram {
  const program = spawn(node, [main], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
    env: {
      ...process.env,
      ...{ HOST: '127.0.0.1', PORT: '0', SAMPLE_PORT: '0', THREADS: '1' },
      ...env,
    },
  });
  const said: string[] = [];
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  }
  const seen = () => `The service did not come up:\n${said.join('')}`;
  const waitFor: StartedProgram['until'] = async (read) => {
    let found: Awaited<ReturnType<typeof read>>;
    const isThere = async () => (found = await read(said.join(''))) !== undefined;
    await until(isThere, { withinMs: 3 * HANG_MS, everyMs: 500, by: program, seen });
    return found!;
  };
  return {
    pid: program.pid,
    said: () => said.join(''),
    base: () => waitFor((text) => /listens on (http:\/\/[\d.]+:\d+)/.exec(text)?.[1]),
    until: waitFor,
    stop: () => end(program, 'SIGTERM'),
    kill: () => end(program),
  };
}

/** Maps are drawn from memory alone. */
export async function isInMemory(base: string, operatorToken: string): Promise<true | undefined> {
  const headers = { authorization: `Bearer ${operatorToken}` };
  const answer = await fetch(`${base}/v1/drift/lag`, { headers });
  if (!answer.ok) return undefined;
  const { hukommelse } = (await answer.json()) as { hukommelse: { lag: string[] } | null };
  return LAYER_IDS.every((layer) => hukommelse?.lag.includes(layer)) ? true : undefined;
}

export async function isMirrored(base: string, key: string): Promise<true | undefined> {
  const status = await fetch(`${base}/v1/status`).then((answer) => answer.text());
  if (!status.includes('"tilstand"') || status.includes('"mangler"')) return undefined;
  // The indexes of addresses and of place names open after their tables are mirrored.
  const headers = { authorization: `Bearer ${key}` };
  for (const path of ['/v1/adresser?q=ny', '/v1/stednavne?q=midtby']) {
    const answer = await fetch(base + path, { headers });
    // The names are joined with the municipalities, whichever of the two comes first.
    const text = await answer.text();
    if (!answer.ok || text.includes('"kommuner":null')) return undefined;
  }
  return true;
}
