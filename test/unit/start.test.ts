/** A service that cannot start: within seconds it says which setting is to blame, and ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment } from '../support/compile-cache.ts';
import { HANG_MS, isHeavy } from '../support/run-settings.ts';
import { ownFolder } from '../support/opened.ts';
import { listening } from '../support/free-port.ts';
import { ROOT } from '../support/repository.ts';

const dir = ownFolder('start');
const taken = createServer();
const port = await listening(taken);
afterAll(() => void taken.close());
writeFileSync(join(dir, 'a-file'), 'not a directory');
writeFileSync(join(dir, 'bad.json'), '{');
writeFileSync(join(dir, 'odd.json'), '{"free":{}}');

/** Far more than a start needs, so that a busy machine fails nothing. */
const TIMEOUT_MS = 2 * HANG_MS;

async function start(program: string, env: Record<string, string>, words = '') {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [join(ROOT, program), ...words.split(' ').filter(Boolean)],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...bareEnvironment(),
        DATA_DIR: join(dir, 'data'),
        PORT: '0',
        SAMPLE_PORT: '0',
        ...env,
      },
      killSignal: 'SIGKILL',
      timeout: TIMEOUT_MS,
    },
  );
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: said.join(''), ms: performance.now() - began };
}

/** Each is most of a second of one core: as many at a time as a small machine has. */
const inTurn = atMost(2);

function atMost(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const ends: Promise<unknown>[] = [];
  return (work) => {
    const before = ends.at(-places) ?? Promise.resolve();
    const result = before.then(work);
    ends.push(result.catch(() => undefined));
    return result;
  };
}

const WRONG = [
  ['PORT', 'src/start/main.ts', () => ({ PORT: String(port) })],
  ['HOST', 'src/start/main.ts', () => ({ HOST: '192.0.2.1' })],
  ['SAMPLE_PORT', 'src/start/main.ts', () => ({ SAMPLE_PORT: String(port) })],
  ['DATA_DIR', 'src/start/work.ts', () => ({ DATA_DIR: join(dir, 'a-file') })],
  ['DATA_DIR', 'src/start/migrate-cli.ts', () => ({ DATA_DIR: '/proc/nope' })],
  ['PLANS_FILE', 'src/cli/admin/cli.ts', () => ({ PLANS_FILE: join(dir, 'odd.json') })],
  ['SOURCES_FILE', 'sync/cli.ts', () => ({ SOURCES_FILE: join(dir, 'bad.json') })],
  ['PORT', 'src/start/main.ts', () => ({ PORT: 'http' })],
  ['HOST', 'src/start/main.ts', () => ({ HOST: 'no such host' })],
  ['DATA_DIR', 'src/start/main.ts', () => ({ DATA_DIR: '/proc/nope' })],
  ['DATA_DIR', 'src/start/main.ts', () => ({ DATA_DIR: join(dir, 'a-file', 'below') })],
  ['DATA_DIR', 'sync/cli.ts', () => ({ DATA_DIR: '/proc/nope' })],
  ['DATA_DIR', 'src/cli/admin/cli.ts', () => ({ DATA_DIR: '/proc/nope' })],
  ['PLANS_FILE', 'src/start/main.ts', () => ({ PLANS_FILE: join(dir, 'nowhere.json') })],
  ['PLANS_FILE', 'src/start/work.ts', () => ({ PLANS_FILE: join(dir, 'bad.json') })],
  ['SOURCES_FILE', 'src/start/main.ts', () => ({ SOURCES_FILE: join(dir, 'nowhere.json') })],
] as const;

/** What each sentence says to do, where the value alone does not say it. */
const HELPS: Readonly<Record<string, string>> = {
  PORT: 'name another, or 0 for a free one',
  'PORT http': 'PORT',
  DATA_DIR: 'Name a folder that may be written in',
  SAMPLE_PORT: 'Name another, or none: a free one is found',
};

/** A start is most of a second: by day each setting once, and each program; so the first ones above. */
const isFirst = (column: 0 | 1, n: number): boolean =>
  WRONG.findIndex((each) => each[column] === WRONG[n]?.[column]) === n;
const TRIED = WRONG.filter((_, n) => isHeavy || isFirst(0, n) || isFirst(1, n));

test.concurrent.each(TRIED)(
  'a wrong %s ends %s with a sentence (%#)',
  async (name, program, settings) => {
    const words: Readonly<Record<string, string>> = {
      'sync/cli.ts': 'all',
      'src/cli/admin/cli.ts': 'account list',
    };
    const { code, said, ms } = await inTurn(() => start(program, settings(), words[program]));
    expect(said).toContain(name);
    expect(said).toContain(HELPS[`${name} ${Object.values(settings())[0]}`] ?? HELPS[name] ?? '');
    expect(code).toBeGreaterThan(0);
    expect(said).not.toContain('    at ');
    expect(said).not.toContain('listens on');
    expect(ms).toBeLessThan(TIMEOUT_MS);
    // Nothing was opened first.
    expect(existsSync(join(dir, 'data', 'pg'))).toBe(false);
  },
);
