/**
 * The first start on an empty PostgreSQL, as an operator sees it: nothing is asked of tables that are
 * not there yet, and the one command that the service prints makes an account and a key that works.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { METERING_LIMITS } from '../../src/metering/limits.ts';
import { bareEnvironment } from '../support/compile-cache.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { ownFolder } from '../support/opened.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { runSql, startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { isHeavy } from '../support/run-settings.ts';
import { startProgram } from '../support/whole-service.ts';
import type { StartedProgram } from '../support/whole-service.ts';
import { ROOT } from '../support/repository.ts';

const here = process.env['TEST_STORE'] === 'postgres' && findPostgres() !== null;

let cluster: Cluster;
let service: StartedProgram;
const dir = ownFolder('first');

/** Where a program of its own keeps its data, and which database it has. */
const settingsOf = (database: string, role = 'postgres') => ({
  DATABASE_URL: cluster.url(database).replace('postgres@', `${role}@`),
  DATA_DIR: mkdtempSync(join(dir, `${database}-`)),
});

test.skipIf(!here)('a front whose migration waits is not ready', async () => {
  const store = await openMirroredStore('served');
  onTestFinished(() => store.close());
  const holder = await store.pool.connect();
  await holder.query('begin; lock table schema_migration');
  const DATA_DIR = mkdtempSync(join(dir, 'before-'));
  const program = startProgram({ DATABASE_URL: store.databaseUrl!, DATA_DIR, SYNC: 'off' });
  onTestFinished(() => program.stop());
  const base = await program.base();
  const ready = await fetch(`${base}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { code: 'starting' }]);
  holder.release(true);
  await program.until(async () => (await fetch(`${base}/readyz`)).ok || undefined);
});

/** Whatever it says is a line of its log. */
const lines = (): Record<string, unknown>[] =>
  service
    .said()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const greeting = () => lines().find(({ msg }) => String(msg).startsWith('Geoopslag listens on'));

/** A busy machine may tell of a slow store; of what is not in it there is nothing to tell. */
const missing = () => lines().filter((line) => /does not exist|aborted/.test(JSON.stringify(line)));

describe.skipIf(!here)('the first start on an empty PostgreSQL', () => {
  let env: Record<string, string>;
  beforeAll(async () => {
    cluster = await startCluster();
    await runSql(cluster.url('postgres'), 'create database first_start');
    env = settingsOf('first_start');
  });
  afterAll(async () => {
    await service.stop();
    await cluster.stop();
  });

  test('asks nothing of tables that are not there yet, however long they take', async () => {
    // The migrations take as long as this holds them up.
    const slow = new pg.Client({ connectionString: cluster.url('first_start') });
    await slow.connect();
    await slow.query(
      `create table schema_migration (number integer primary key, name text not null,
         applied_at timestamptz not null default now());
       begin; lock table schema_migration in access exclusive mode`,
    );
    service = startProgram(env);
    // It listens by then, and what is done again and again has had its first turn.
    await service.base();
    await sleep(1.2 * METERING_LIMITS.meterBeatMs);
    await slow.query('commit');
    const files = readdirSync(join(ROOT, 'sql/migrations')).filter((name) => name.endsWith('.sql'));
    await service.until(async () => {
      const { rows } = await slow.query('select from schema_migration');
      return rows.length === files.length ? true : undefined;
    });
    await slow.end();
    await sleep(1.2 * METERING_LIMITS.meterBeatMs);
    expect(missing()).toEqual([]);
  });

  test('prints one command that makes the first account and a key, and the key is answered', async () => {
    const command = String(greeting()?.['keys']);
    expect(command).toMatch(/^npm run admin -- /);
    const admin = `'${process.execPath}' '${join(ROOT, 'src/cli/admin/cli.ts')}' `;
    const out = execFileSync('sh', ['-c', command.replace('npm run admin -- ', admin)], {
      env: { ...bareEnvironment(), ...env },
      encoding: 'utf8',
    });
    const key = /svc_test_[0-9A-Za-z]+/.exec(out)?.[0] ?? '';
    const asked = /'(http:\S+)'$/.exec(String(greeting()?.['msg']))?.[1] ?? '';
    await service.until(async () => {
      const answer = await fetch(asked, { headers: { authorization: `Bearer ${key}` } });
      const body = await answer.text();
      // That all of it is mirrored soon is seen at night, and on the embedded store by the gate's smoke run.
      const isWhole = !isHeavy || body.includes('"utilgaengelige":[]');
      return answer.status === 200 && isWhole ? true : undefined;
    });
    expect(missing()).toEqual([]);
    await service.stop();
  });

  test('names the setting of a database that is not there, waits for what an ordinary role may not make, and goes on', async ({
    onTestFinished,
  }) => {
    const server = cluster.url('postgres');
    await runSql(server, 'create role ordinary login');
    const settings = { ...settingsOf('ordinary', 'ordinary'), SYNC: 'off' };
    const remedy = /create extension if not exists postgis;.*own/;

    // The last start, at night, finds the files of the first, which never had a store.
    const rounds = isHeavy ? (['refused', 'mended', 'again'] as const) : (['mended'] as const);
    for (const round of rounds) {
      const isFirst = round === rounds[0];
      const program = startProgram(settings);
      onTestFinished(() => program.kill());
      const base = await program.base();
      /** The body, once it is not ready for that reason. */
      const lacks = (code: string) =>
        program.until(async () => {
          const body = await fetch(`${base}/readyz`).then((answer) => answer.text());
          return body.includes(code) ? body : undefined;
        });
      if (isFirst) {
        const told = /"level":"error".*"msg":"DATABASE_URL: .*ordinary.*does not exist"/;
        await program.until((text) => (told.test(text) ? true : undefined));
        await runSql(server, 'create database ordinary owner ordinary');
        const migrate = spawnSync(process.execPath, [join(ROOT, 'src/start/migrate-cli.ts')], {
          env: { ...bareEnvironment(), ...settings },
          encoding: 'utf8',
        });
        expect(migrate.status).toBe(1);
        expect(migrate.stderr).toMatch(remedy);
      }
      if (round !== 'again') {
        await program.until((text) => (text.includes('permission denied') ? true : undefined));
        expect(await lacks('migration_failed')).toMatch(remedy);
        expect(program.said()).toMatch(/"level":"error".*"msg":"DATABASE_URL: .*permission denied/);
      }
      if (round === 'mended') await runSql(cluster.url('ordinary'), 'create extension postgis');
      // Of a store that can be used that is all it lacks here.
      if (round !== 'refused') await lacks('nothing_mirrored');
      // Theirs and ours may be made at the same instant; the next try finds it.
      const told = (program.said().match(/the store cannot be used yet[^"]*/g) ?? []).filter(
        (text) => !text.includes('duplicate key'),
      );
      expect(told, told.join()).toHaveLength(round === 'again' ? 0 : isFirst ? 2 : 1);
      expect(program.said()).not.toContain('another database');
      await program.stop();
    }
  });

  test('lets a worker begin where nothing is published: there is nothing to wait for', async () => {
    const main = join(ROOT, 'src/start/work.ts');
    const program = startProgram(settingsOf('ordinary'), { main });
    await program.until((said) => (said.includes('"msg":"Working on jobs') ? true : undefined));
    await program.kill();
  });
});
