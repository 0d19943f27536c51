/** `npm run sync` as an operator runs it: a process with arguments, output and an exit code. */
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { layerOf } from '../../src/layers/catalogue.ts';
import { parseCommand } from '../../sync/command.ts';
import { runCommand } from '../../sync/commands.ts';
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

/** What the program does with its arguments, in this process. */
async function run(...argv: string[]): Promise<Said> {
  const parsed = parseCommand(argv);
  if (parsed.kind === 'help' || parsed.kind === 'mistake') throw new Error(parsed.kind);
  return await saidBy(async () => ((await runCommand(parsed)) ? 0 : 1), settings());
}

/** The program. */
const start = (...argv: string[]) => startCommand('cli.ts', argv, settings());

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
    expect(out).toContain('empty: The layer came empty');
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
