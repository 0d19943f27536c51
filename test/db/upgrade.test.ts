/**
 * An upgrade under load and back, without a failed request: the version before beside the new one on one
 * store, with a schema that is newer by marked migrations.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mintFirstKey } from '../../src/account/first-key.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { ownFolder } from '../support/opened.ts';
import type { TestStore } from '../support/store.ts';
import { LOOKUP, generousPlans, startLoad } from '../support/steady-load.ts';
import type { SteadyLoad } from '../support/steady-load.ts';
import { until } from '../support/until.ts';
import { startProgram } from '../support/whole-service.ts';
import { ROOT } from '../support/repository.ts';

const PARTS = [
  ...['src', 'sql', 'sync', 'workers', 'sample', 'docs', 'package.json', 'package-lock.json'],
];
/** Between two steps of the roll, as operators wait. */
const LOADED_MS = 10_000;
const DAY_S = 24 * 3600;

const dir = ownFolder('upgrade');

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 }).trim();

/** Two branches may have taken one number: that program migrates nothing until one of them is renamed. */
function migrates(commit: string): boolean {
  const paths = git('ls-tree', '--name-only', commit, 'sql/migrations/').split('\n');
  return new Set(paths.map((path) => basename(path).slice(0, 4))).size === paths.length;
}

/** The last commit a day before this one that migrates, or what UPGRADE_FROM names; null: the history is not here. */
function previousCommit(): string | null {
  try {
    const given = process.env['UPGRADE_FROM'] ?? '';
    if (given !== '') return git('rev-parse', given);
    const before = Number(git('log', '-1', '--format=%ct')) - DAY_S;
    const commits = git('log', '-100', '--first-parent', '--format=%H', `--before=${before}`);
    return commits.split('\n').find((commit) => commit !== '' && migrates(commit)) ?? null;
  } catch {
    return null;
  }
}

function newerTree(): string {
  const tree = mkdtempSync(join(dir, 'newer-'));
  for (const part of PARTS) cpSync(join(ROOT, part), join(tree, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  const migrations = join(tree, 'sql/migrations');
  const last = Number(readdirSync(migrations).sort().at(-1)?.slice(0, 4));
  const write = (after: number, text: string): void => {
    const name = `${String(last + after).padStart(4, '0')}_seeded.sql`;
    writeFileSync(join(migrations, name), text);
  };
  write(1, '-- expand\nalter table job add column seeded text;');
  write(2, '-- expand, alone\ncreate index concurrently if not exists job_seeded on job (label);');
  return tree;
}

function treeOf(commit: string): string {
  const tree = mkdtempSync(join(dir, 'before-'));
  const archive = execFileSync('git', ['archive', commit, ...PARTS, 'own-node'], {
    cwd: ROOT,
    maxBuffer: 1 << 28,
  });
  execFileSync('tar', ['-x', '-C', tree], { input: archive });
  const packages = (root: string): unknown =>
    (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: unknown })
      .dependencies;
  if (JSON.stringify(packages(tree)) === JSON.stringify(packages(ROOT))) {
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  } else {
    const only = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', only, { cwd: tree, stdio: 'ignore' });
  }
  return tree;
}

/** Four programs migrate at once: `npm run migrate` three times, and the first new front. */
async function upgradeAndBack(old: string, next: string, store: TestStore): Promise<SteadyLoad> {
  const key = (await mintFirstKey(store, systemClock))!;
  const home = mkdtempSync(join(dir, 'run-'));
  const settings = {
    ...{ DATABASE_URL: store.databaseUrl!, SYNC: 'off', PLANS_FILE: generousPlans(home) },
    SNAPSHOT_STORE: join(home, 'shared'),
    LOG_LEVEL: 'warn',
  };
  const bases: string[] = [];
  let started = 0;
  const joinIn = async (root: string) => {
    const data = join(home, `data-${started++}`);
    mkdirSync(data);
    const program = startProgram(
      { ...settings, DATA_DIR: data },
      { main: join(root, 'src/start/main.ts') },
    );
    onTestFinished(() => program.stop());
    const base = await program.base();
    await program.until(async () => {
      const ready = await fetch(`${base}/readyz`);
      const answer = await fetch(base + LOOKUP, { headers: { authorization: `Bearer ${key}` } });
      return ready.ok && answer.ok ? true : undefined;
    });
    bases.push(base);
    return { program, base };
  };
  /** As a balancer does: no new request, then the end. */
  const leave = async (
    { program, base }: (typeof fronts)[number],
    load: SteadyLoad,
  ): Promise<void> => {
    bases.splice(bases.indexOf(base), 1);
    await until(() => load.underWayAt(base) === 0);
    await program.stop();
  };
  const fronts = [await joinIn(old), await joinIn(old)];
  const load = startLoad(bases, key);
  await sleep(LOADED_MS);
  const migrating = [1, 2, 3].map(async () => {
    const child = spawn(process.execPath, [join(next, 'src/start/migrate-cli.ts')], {
      env: { ...process.env, ...settings, DATA_DIR: home },
      stdio: 'ignore',
    });
    return ((await once(child, 'exit')) as [number])[0];
  });
  // And back. In between both versions answer.
  for (const root of [next, next, old, old]) {
    fronts.push(await joinIn(root));
    await sleep(LOADED_MS);
    await leave(fronts.shift()!, load);
    await sleep(LOADED_MS);
  }
  expect(await Promise.all(migrating)).toEqual([0, 0, 0]);
  await load.stop();
  await until(async () => {
    const { rows } = await store.pool.query('select from job where completed_at is null');
    return rows.length === 0;
  });
  // Their last lines are folded as they end.
  await Promise.all(fronts.map(({ program }) => program.stop()));
  return load;
}

async function expectBill(store: TestStore, load: SteadyLoad): Promise<void> {
  const { rows } = await store.pool.query<{ lookups: number; apart: number; undone: number }>(
    `select coalesce(sum(units) filter (where journal !~ '^job_'), 0)::integer as lookups,
       (select sum(used) from usage_month)::integer - sum(units)::integer as apart,
       (select count(*)::integer from job where succeeded + failed <> total_rows
          or status <> 'completed') as undone
     from usage_line`,
  );
  const own = (rows[0]?.lookups ?? 0) - load.answered;
  expect(load.answered).toBeGreaterThan(100);
  expect(rows[0]).toMatchObject({ apart: 0, undone: 0 });
  // What each of the six fronts was asked until it was ready.
  expect(own).toBeGreaterThanOrEqual(6);
  expect(own).toBeLessThan(50);
}

const here = process.env['TEST_STORE'] === 'postgres';
const previous = here ? previousCommit() : null;

describe.skipIf(!here)('an upgrade under load and back', () => {
  test('to a version with migrations of its own', async () => {
    const store = await openMirroredStore('served');
    onTestFinished(() => store.close());
    const load = await upgradeAndBack(ROOT, newerTree(), store);
    expect(load.failures).toEqual([]);
    await expectBill(store, load);
    const { rows } = await store.pool.query(
      `select indisvalid from pg_index where indexrelid = 'job_seeded'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  const name = `from the commit of a day before (${previous ?? 'not in this clone: fetch its history'})`;
  test.skipIf(previous === null)(name, async () => {
    const store = await openMirroredStore('served');
    onTestFinished(() => store.close());
    const load = await upgradeAndBack(treeOf(previous!), ROOT, store);
    expect(load.failures).toEqual([]);
    await expectBill(store, load);
  });
});
