/** `npm run freshness` as an operator or a monitor runs it: output and exit code. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MIRROR_IDS } from '../../src/layers/mirror-ids.ts';
import type { ServiceStatus } from '../../src/ops/freshness.ts';
import { parseFreshness, spanOf } from '../../sync/freshness.ts';
import { runFreshness } from '../../sync/freshness-command.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { saidBy, startCommand } from './in-process.ts';
import type { Said } from './in-process.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openSyncBench());

const settings = () => ({
  DATABASE_URL: bench.store.databaseUrl ?? '',
  DATA_DIR: bench.store.dataDir,
});

/** What the program does with its arguments, in this process. */
async function run(argv: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  const parsed = parseFreshness(argv);
  if (parsed.kind !== 'run') throw new Error(parsed.kind);
  return await saidBy(() => runFreshness(parsed.command), { ...settings(), ...env });
}

/** The program. */
const start = (argv: readonly string[], env: Record<string, string> = {}) =>
  startCommand('freshness-cli.ts', argv, { ...settings(), ...env }).ended;

describe('the freshness command', () => {
  test('exits with 3 while a layer was never mirrored', async () => {
    const { code, out, err } = await start([]);
    expect(err).toBe('');
    expect(out).toMatch(
      /^STATE +LAYER +AGE +LIMIT +ROWS +VERSION +SYNCED\nNEVER +region +- +8 d +-/,
    );
    expect(out).toMatch(
      new RegExp(`\\n${MIRROR_IDS.length} never mirrored\\. Generation 0\\.\\n$`),
    );
    expect(code).toBe(3);
  });

  test('exits with 0 when every layer asked for is fresh', async () => {
    await bench.sync('soe');
    await bench.sync('aa');
    const { code, out } = await run(['--layer', 'aa', '--layer', 'soe']);
    expect(out.split('\n')).toHaveLength(6);
    expect(out).toMatch(/\nfresh +soe +\d+ s +2 d +\d+ +1 +20\d\d-[^ ]+Z\nfresh +aa /);
    expect(out).toContain('2 fresh. Generation 2.');
    expect(code).toBe(0);
  });

  test('exits with 1 when one is late, and 2 when the last run of one was refused', async () => {
    await bench.store.pool.query(
      "update layer_state set synced_at = now() - interval '50 hours' where layer = 'aa'",
    );
    const late = await run(['--layer', 'aa', '--layer', 'soe']);
    expect(late.out).toMatch(/\nLATE +aa +2 d 2 h +2 d/);
    expect(late.code).toBe(1);
    bench.upstream.holdings.empty('soe');
    await bench.sync('soe');
    const refused = await run(['--layer', 'aa', '--layer', 'soe']);
    expect(refused.out).toMatch(/\nFAILED +soe /);
    expect(refused.code).toBe(2);
    expect((await run(['--layer', 'aa'])).code).toBe(1);
  });

  test('gives one JSON object with the exit code in it', async () => {
    const { code, out } = await run(['--json']);
    expect(out.trim().split('\n')).toHaveLength(1);
    const status = JSON.parse(out) as ServiceStatus & { exitCode: number };
    expect(status.exitCode).toBe(code);
    expect(code).toBe(3);
    expect(status.layers.map(({ layer }) => layer)).toEqual(MIRROR_IDS);
    expect(status.layers.find(({ layer }) => layer === 'aa')).toMatchObject({ state: 'delayed' });
  });

  test('exits with 4 and one sentence when the store cannot be reached', async () => {
    const { code, out, err } = await start([], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    });
    expect(out).toBe('');
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(4);
  });

  test('exits with 4 and lists the layers when one is unknown', async () => {
    const { code, err } = await start(['--layer', 'sea']);
    expect(err).toMatch(/^Unknown layer: sea\. Layers: region, kommune/);
    expect(code).toBe(4);
  });

  test('makes no store where there is none', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'geoopslag-none-'));
    const { code } = await run([], { DATABASE_URL: '', DATA_DIR: join(empty, 'data') });
    expect(code).toBe(3);
    expect(existsSync(join(empty, 'data'))).toBe(false);
    rmSync(empty, { recursive: true });
  });
});

describe('the values behind it', () => {
  test('every layer in the order of the catalogue, unless some are named', () => {
    expect(parseFreshness([])).toEqual({
      kind: 'run',
      command: { layers: MIRROR_IDS, json: false },
    });
    expect(parseFreshness(['--layer', 'soe', '--layer', 'region', '--json'])).toEqual({
      kind: 'run',
      command: { layers: ['region', 'soe'], json: true },
    });
    expect(parseFreshness(['-h'])).toEqual({ kind: 'help' });
    for (const argv of [['soe'], ['--layer'], ['--layer', ''], ['--more']]) {
      expect(parseFreshness(argv).kind).toBe('mistake');
    }
  });

  test('spans are said in units a person reads', () => {
    const said = [0, 59, 60, 3599, 3600, 3660, 86_399, 86_400, 277_200].map(spanOf);
    expect(said).toEqual([
      ...['0 s', '59 s', '1 min', '59 min', '1 h', '1 h 1 min', '23 h 59 min', '1 d', '3 d 5 h'],
    ]);
  });
});
