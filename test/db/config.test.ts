/** `npm run config` on a store that works, and on what does not. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { memoryLimit } from '../../src/kernel/thread-plan.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { runChecks } from '../../src/start/config-checks.ts';
import { bareEnvironment } from '../support/compile-cache.ts';
import { isHeavy } from '../support/run-settings.ts';
import { sharedStore } from '../support/store.ts';
import { ownFolder } from '../support/opened.ts';

const CLI = join(import.meta.dirname, '../../src/start/config-cli.ts');
const NAMES = ['write access', 'disk', 'memory', 'files', 'upstream keys'];
const OF_THE_STORE = ['database', 'PostGIS', 'schema', 'clock'];

const store = await sharedStore();
const dir = ownFolder('config');

const env = (more: Record<string, string> = {}): Record<string, string> => ({
  DATA_DIR: store.dataDir,
  ...(store.databaseUrl !== null && { DATABASE_URL: store.databaseUrl }),
  ...more,
});

async function failures(more: Record<string, string>, clock = systemClock): Promise<string[]> {
  const checks = await runChecks(loadConfig(env(more)), clock);
  return checks.filter(({ isGood }) => !isGood).map(({ name, says }) => `${name}: ${says}`);
}

describe('the checks', () => {
  test('pass where a service would work', async () => {
    const checks = await runChecks(loadConfig(env()), systemClock);
    expect(checks.map(({ name }) => name)).toEqual([
      ...[...NAMES, ...OF_THE_STORE],
      ...(store.databaseUrl === null ? [] : ['connections']),
    ]);
    expect(checks.filter(({ isGood }) => !isGood)).toEqual([]);
  });

  test('change nothing: no folder and no store is made', async () => {
    const DATA_DIR = join(dir, 'not/yet/there');
    const checks = await runChecks(loadConfig({ DATA_DIR }), systemClock);
    expect(checks.map(({ isGood }) => isGood)).not.toContain(false);
    expect(existsSync(join(dir, 'not'))).toBe(false);
  });

  test('name threads beyond the memory and the connections of the database', async () => {
    const [memory = '', ...more] = await failures({ REQUEST_THREADS: '24', THREADS: '24' });
    const isShort = memoryLimit() < 8 * 2 ** 30;
    if (isShort) expect(memory).toMatch(/^memory: \d+ MiB for 24 request threads .* 24 of work/);
    const last = isShort ? more.at(-1) : [memory, ...more].at(-1);
    if (store.databaseUrl !== null) expect(last).toMatch(/^connections: .* up to 256 of \d+ /);
  });

  test('name a clock that is five minutes wrong', async () => {
    const late = { nowMs: () => systemClock.nowMs() - 300_000 };
    expect(await failures({}, late)).toEqual([
      expect.stringMatching(/^clock: .* (300|299)\.\d s apart: set both by NTP/),
    ]);
  });

  test('name a database of a newer program', async () => {
    const { pool } = store;
    await pool.query(`insert into schema_migration (number, name) values (9999, 'later')`);
    expect(await failures({})).toEqual([
      expect.stringMatching(
        /^schema: migration 9999 is applied, this program has \d+: start a newer/,
      ),
    ]);
    await pool.query('delete from schema_migration where number = 9999');
  });

  test('name what is missing for the registers, a folder and a file', async () => {
    const plansFile = join(dir, 'plans.json');
    writeFileSync(plansFile, '{');
    writeFileSync(join(dir, 'file'), '');
    const found = await failures({
      SOURCES: 'live',
      DATA_DIR: join(dir, 'file'),
      PLANS_FILE: plansFile,
      DATABASE_URL: 'postgres://geo:hemmelig@127.0.0.1:1/geo',
    });
    expect(found).toEqual([
      expect.stringMatching(/^write access: .* cannot be written \(ENOTDIR\): give it to/),
      expect.stringMatching(/^files: PLANS_FILE/),
      expect.stringMatching(
        /^upstream keys: DATAFORDELER_API_KEY is not set: .*adresser.* Set it\.$/,
      ),
      expect.stringMatching(/^database: DATABASE_URL: .*ECONNREFUSED.*: is the server up/),
    ]);
    expect(found.join('')).not.toContain('hemmelig');
    const withKey = await failures({ SOURCES: 'live', DATAFORDELER_API_KEY: 'a-key' });
    expect(withKey.filter((text) => text.startsWith('upstream'))).toEqual([]);
  });
});

test.skipIf(process.env['TEST_STORE'] !== 'postgres')(
  'a database without PostGIS is told, with the statement that mends it',
  async () => {
    const plain = new URL(store.databaseUrl ?? '');
    plain.pathname = `/config_plain_${process.pid}`;
    const name = plain.pathname.slice(1);
    await store.pool.query(`create database ${name} encoding 'UTF8' template template0`);
    try {
      expect(await failures({ DATABASE_URL: plain.href })).toEqual([
        'PostGIS: PostGIS is missing: a superuser runs in this database: create extension postgis;',
      ]);
    } finally {
      await store.pool.query(`drop database ${name} with (force)`);
    }
  },
);

describe('npm run config', () => {
  const run = (more: Record<string, string>) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI], {
      env: { ...bareEnvironment(), ...more },
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };

  test('ends with 0 where all is well and shows no secret', () => {
    const token = join(dir, 'token');
    writeFileSync(token, 'operator-token-in-a-file\n');
    const { status, said } = run(env({ OPERATOR_TOKEN_FILE: token, PROT: '1' }));
    expect(said).toMatch(/^OPERATOR_TOKEN +\(hidden\) +file .*token$/m);
    expect(said).toMatch(/^SOURCES +sample +default$/m);
    expect(said).toContain('PROT is not a setting and is not read: is PORT meant?');
    expect(said).not.toContain('operator-token');
    expect(said).not.toContain('FAILED');
    expect(status, said).toBe(0);
  });

  test.runIf(isHeavy)('ends with 1 where a check fails', () => {
    const away = run({ DATA_DIR: dir, DATABASE_URL: 'postgres://geo:hemmelig@127.0.0.1:1/geo' });
    expect(away.said).toMatch(/^FAILED +database +DATABASE_URL: /m);
    expect(away.said).not.toContain('hemmelig');
    expect(away.status).toBe(1);
  });

  test.runIf(isHeavy)('ends with 1 where a setting is wrong', () => {
    const wrong = run({ DATA_DIR: dir, PORT: 'x' });
    expect(wrong).toEqual({ status: 1, said: 'PORT must be a whole number from 0 to 65535.\n' });
  });
});
