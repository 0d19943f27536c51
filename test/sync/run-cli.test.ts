/** `npm run sync` and `npm run freshness` as an operator runs them: processes with arguments, output and an exit code. */
import { existsSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { layerOf } from '../../src/layers/catalogue.ts';
import { MIRROR_IDS } from '../../src/layers/mirror-ids.ts';
import type { ServiceStatus } from '../../src/ops/freshness.ts';
import { parseCommand } from '../../sync/command.ts';
import { runCommand } from '../../sync/commands.ts';
import { parseFreshness, spanOf } from '../../sync/freshness.ts';
import { runFreshness } from '../../sync/freshness-command.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { saidBy, startCommand } from './in-process.ts';
import type { Said } from './in-process.ts';
import { opened, ownFolder } from '../support/opened.ts';

const bench = await opened(openSyncBench());
const dir = ownFolder('cli');
// Some layers from the upstream this test can break; the others from the program's own sample.
const overrides = Object.fromEntries(
  (['soe', 'aa', 'kirke'] as const).map((id) => [
    id,
    { source: { url: layerOf(bench.deps.catalogue, id).source.url, tries: 1 } },
  ]),
);
writeFileSync(join(dir, 'sources.json'), JSON.stringify(overrides));
beforeEach(() => {
  bench.upstream.faults.clear();
  bench.upstream.holdings.restore();
});

const settings = () => ({
  SOURCES: 'sample',
  SOURCES_FILE: join(dir, 'sources.json'),
  DATABASE_URL: bench.store.databaseUrl ?? '',
  DATA_DIR: bench.store.dataDir,
});

async function run(...argv: string[]): Promise<Said> {
  const parsed = parseCommand(argv);
  if (parsed.kind === 'help' || parsed.kind === 'mistake') throw new Error(parsed.kind);
  return await saidBy(async () => ((await runCommand(parsed)) ? 0 : 1), settings());
}

const start = (...argv: string[]) => startCommand('sync/cli.ts', argv, settings());

async function fresh(argv: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  const parsed = parseFreshness(argv);
  if (parsed.kind !== 'run') throw new Error(parsed.kind);
  return await saidBy(() => runFreshness(parsed.command), { ...settings(), ...env });
}
const startFreshness = (argv: readonly string[], env: Record<string, string> = {}) =>
  startCommand('sync/freshness-cli.ts', argv, { ...settings(), ...env }).ended;

test('the freshness command exits with 3 while a layer was never mirrored', async () => {
  const { code, out, err } = await startFreshness([]);
  expect(err).toBe('');
  expect(out).toMatch(/^STATE +LAYER +AGE +LIMIT +ROWS +VERSION +SYNCED\nNEVER +region +- +8 d +-/);
  expect(out).toMatch(new RegExp(`\\n${MIRROR_IDS.length} never mirrored\\. Generation 0\\.\\n$`));
  expect(code).toBe(3);
});

describe('the sync command', () => {
  test('mirrors what is named, in plain lines, and exits with 0', async () => {
    const { code, out, err } = await start('soe', 'klitfredning').ended;
    expect(err).toBe('');
    expect(out).toMatch(/^klitfredning: fetching\nklitfredning +published version 1/);
    expect(out).toMatch(/soe +published version 1, generation 2: \d+ rows/);
    expect(code).toBe(0);
  });

  test('gives one JSON object a layer, and 0 when nothing had changed', async () => {
    const { code, out } = await run('soe', '--json');
    expect(out.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({ layer: 'soe', state: 'unchanged' });
    expect(code).toBe(0);
  });

  test('exits with 1 when one is refused, after it has done the others', async () => {
    bench.upstream.holdings.empty('soe');
    bench.upstream.holdings.empty('kirke');
    const { code, out } = await start('soe', 'kirke', 'aa').ended;
    expect(out).toMatch(/soe +refused, the old copy stays/);
    expect(out).toMatch(/empty: The layer came empty.* \{"rows":0/);
    expect(out).toMatch(/kirke +refused, there is no copy yet/);
    expect(out.match(/old copy/g)).toHaveLength(1);
    expect(out).toMatch(/aa +published version 1/);
    expect(code).toBe(1);
  });

  test('publishes over a guard that is lifted by name', async () => {
    bench.upstream.holdings.empty('soe');
    const { code, out } = await run('soe', '--lift', 'empty');
    expect(out).toMatch(/soe +published version 2, generation \d+: 0 rows/);
    expect(code).toBe(0);
  });

  test('reverts a layer, says that it is held, and exits with 1 when there is no way back', async () => {
    const without = await run('revert', 'klitfredning');
    expect(without.out).toContain('not reverted: no earlier version is kept');
    expect(without.code).toBe(1);
    const { code, out } = await run('revert', 'soe', '--by', 'Ida');
    expect(out).toMatch(/soe +published version 3, .*\n +Held as it is/);
    expect(code).toBe(0);
  });

  test('has left an act of each deed, with who did it and what was before, and none of a dry run', async () => {
    await run('soe', '--dry-run');
    await run('replay', '1', '--publish', '--by', 'Ida');
    const { rows } = await bench.store.pool.query<Record<string, unknown>>(
      `select act, who, target, via, before, wanted from operator_act order by id`,
    );
    const who = userInfo().username;
    const own = { via: 'command', who, target: 'soe' };
    const before = { version: 1 };
    expect(rows.filter(({ target }) => target === 'soe')).toEqual([
      { ...own, act: 'sync', before: null, wanted: { guards: [] } },
      { ...own, act: 'sync', before, wanted: { guards: [] } },
      { ...own, act: 'sync', before, wanted: { guards: [] } },
      { ...own, act: 'release', before, wanted: { guards: ['empty'] } },
      { ...own, act: 'revert', before: { version: 2 }, wanted: {}, who: 'Ida' },
    ]);
    expect(rows.at(-1)).toMatchObject({ act: 'replay', who: 'Ida', wanted: { run: '1' } });
  });

  test('exits with 1 and says phase and reason when the upstream is down', async () => {
    bench.upstream.faults.set([{ fault: 'down', layer: 'aa' }]);
    const { code, out } = await run('aa');
    expect(out).toMatch(/aa +failed in fetch: dai:aa_bes_linjer: /);
    expect(code).toBe(1);
  });

  test('exits with 2 and lists the layers when one is unknown, and opens nothing', async () => {
    const { code, out, err } = await start('sea').ended;
    expect(err).toMatch(/^Unknown layer: sea\. Layers: region, kommune/);
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  test('puts its end on record when it is told to stop', async () => {
    bench.upstream.faults.set([{ fault: 'hang', layer: 'aa' }]);
    const { child, ended } = start('aa');
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 1 });
    const { rows } = await bench.store.pool.query(
      'select state, error from sync_run order by id desc limit 1',
    );
    expect(rows).toEqual([{ state: 'failed', error: 'Stopped by SIGTERM.' }]);
  });
});

describe('the freshness command', () => {
  test('exits with 0 when every layer asked for is fresh', async () => {
    await bench.sync('natur');
    await bench.sync('dige');
    const { code, out } = await fresh(['--layer', 'dige', '--layer', 'natur']);
    expect(out.split('\n')).toHaveLength(6);
    expect(out).toMatch(/\nfresh +dige +\d+ s +2 d +\d+ +1 +20\d\d-[^ ]+Z\nfresh +natur /);
    expect(out).toMatch(/2 fresh\. Generation \d+\./);
    expect(code).toBe(0);
  });

  test('exits with 1 when one is late, and 2 when the last run of one was refused', async () => {
    await bench.store.pool.query(
      "update layer_state set synced_at = now() - interval '50 hours' where layer = 'dige'",
    );
    const late = await fresh(['--layer', 'dige', '--layer', 'natur']);
    expect(late.out).toMatch(/\nLATE +dige +2 d 2 h +2 d/);
    expect(late.code).toBe(1);
    bench.upstream.holdings.empty('natur');
    await bench.sync('natur');
    const refused = await fresh(['--layer', 'dige', '--layer', 'natur']);
    expect(refused.out).toMatch(/\nFAILED +natur /);
    expect(refused.code).toBe(2);
    expect((await fresh(['--layer', 'dige'])).code).toBe(1);
  });

  test('gives one JSON object with the exit code in it', async () => {
    const { code, out } = await fresh(['--json']);
    expect(out.trim().split('\n')).toHaveLength(1);
    const status = JSON.parse(out) as ServiceStatus & { exitCode: number };
    expect(status.exitCode).toBe(code);
    expect(code).toBe(3);
    expect(status.layers.map(({ layer }) => layer)).toEqual(MIRROR_IDS);
    expect(status.layers.find(({ layer }) => layer === 'dige')).toMatchObject({ state: 'delayed' });
  });

  test('exits with 4 and one sentence when the store cannot be reached', async () => {
    const { code, out, err } = await startFreshness([], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    });
    expect(out).toBe('');
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(4);
  });

  test('exits with 4 and lists the layers when one is unknown', async () => {
    const { code, err } = await startFreshness(['--layer', 'sea']);
    expect(err).toMatch(/^Unknown layer: sea\. Layers: region, kommune/);
    expect(code).toBe(4);
  });

  test('makes no store where there is none', async () => {
    const none = join(dir, 'none');
    expect((await fresh([], { DATABASE_URL: '', DATA_DIR: none })).code).toBe(3);
    expect(existsSync(none)).toBe(false);
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
