/**
 * The first start on an empty PostgreSQL, as an operator sees it: nothing is asked of tables that are
 * not there yet, and the one command that the service prints makes an account and a key that works.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { METERING_LIMITS } from '../../src/metering/limits.ts';
import { bareEnvironment } from '../support/compile-cache.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { HANG_MS, isHeavy } from '../support/run-settings.ts';
import { until } from '../support/until.ts';
import { end } from '../support/crash-kit.ts';

const ROOT = join(import.meta.dirname, '../..');
const here = process.env['TEST_STORE'] === 'postgres' && findPostgres() !== null;

let cluster: Cluster;
let dir: string;
let service: ChildProcessByStdio<null, Readable, Readable>;
let env: NodeJS.ProcessEnv;
let said: Output = { stdout: '', stderr: '' };

interface Output {
  stdout: string;
  stderr: string;
}

function start(settings: NodeJS.ProcessEnv, program: 'main' | 'work' = 'main') {
  const output: Output = { stdout: '', stderr: '' };
  const child = spawn(process.execPath, [join(ROOT, `src/start/${program}.ts`)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: settings,
  });
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  }
  return { child, output };
}

const lines = (): Record<string, unknown>[] =>
  said.stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const greeting = () => lines().find(({ msg }) => String(msg).startsWith('Geoopslag listens on'));

/** A busy machine may tell of a slow store; of what is not in it there is nothing to tell. */
const missing = () => lines().filter((line) => /does not exist|aborted/.test(JSON.stringify(line)));

const come = (holds: () => Promise<boolean> | boolean) =>
  until(holds, { everyMs: 100, by: service, seen: () => JSON.stringify(said) });

async function connect(database: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: cluster.url(database) });
  await client.connect();
  return client;
}

describe.skipIf(!here)('the first start on an empty PostgreSQL', () => {
  beforeAll(async () => {
    cluster = await startCluster();
    dir = mkdtempSync(join(tmpdir(), 'geoopslag-first-'));
    const server = await connect('postgres');
    await server.query('create database first_start');
    await server.query('create database first_work');
    await server.end();
    env = {
      ...bareEnvironment(),
      DATABASE_URL: cluster.url('first_start'),
      DATA_DIR: dir,
      PORT: '0',
      SAMPLE_PORT: '0',
      THREADS: '1',
    };
  });

  afterAll(async () => {
    await end(service);
    await cluster.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  test('asks nothing of tables that are not there yet, however long they take', async () => {
    // The migrations take as long as this holds them up.
    const slow = await connect('first_start');
    await slow.query(
      `create table schema_migration (number integer primary key, name text not null,
         applied_at timestamptz not null default now());
       begin; lock table schema_migration in access exclusive mode`,
    );
    ({ child: service, output: said } = start(env));
    // It listens by then, and what is done again and again has had its first turn.
    await come(() => greeting() !== undefined);
    await sleep(1.2 * METERING_LIMITS.meterBeatMs);
    await slow.query('commit');
    const files = readdirSync(join(ROOT, 'sql/migrations')).filter((name) => name.endsWith('.sql'));
    await come(async () => {
      const { rows } = await slow.query('select from schema_migration');
      return rows.length === files.length;
    });
    await slow.end();
    await sleep(1.2 * METERING_LIMITS.meterBeatMs);
    expect(missing()).toEqual([]);
    expect(said.stderr).toBe('');
  });

  test('prints one command that makes the first account and a key, and the key is answered', async () => {
    const command = String(greeting()?.['keys']);
    expect(command).toMatch(/^npm run admin -- /);
    const admin = `'${process.execPath}' '${join(ROOT, 'src/cli/admin/cli.ts')}' `;
    const out = execFileSync('sh', ['-c', command.replace('npm run admin -- ', admin)], {
      env,
      encoding: 'utf8',
    });
    const key = /svc_test_[0-9A-Za-z]+/.exec(out)?.[0] ?? '';
    const asked = /'(http:\S+)'$/.exec(String(greeting()?.['msg']))?.[1] ?? '';
    const ask = async () => {
      const response = await fetch(asked, { headers: { authorization: `Bearer ${key}` } });
      return { status: response.status, body: await response.text() };
    };
    await come(async () => {
      const { status, body } = await ask();
      // That all of it is mirrored soon is seen at night, and on the embedded store by the gate's smoke run.
      return status === 200 && (!isHeavy || body.includes('"utilgaengelige":[]'));
    });
    expect(missing()).toEqual([]);
    await end(service);
  });

  test.concurrent('names the setting of a database that is not there', async () => {
    const elsewhere = mkdtempSync(join(dir, 'elsewhere-'));
    const { child, output } = start({
      ...env,
      DATABASE_URL: cluster.url('no_such'),
      DATA_DIR: elsewhere,
    });
    const told = /"level":"error".*"msg":"DATABASE_URL: .*no_such.*does not exist"/;
    await expect.poll(() => output.stdout, { timeout: 60_000 }).toMatch(told);
    child.kill();
    await once(child, 'exit');
  });

  test.concurrent('waits for what an ordinary role may not make, and is ready once a superuser has made it', async ({
    onTestFinished,
  }) => {
    const server = await connect('postgres');
    await server.query('create role ordinary login');
    await server.query('create database ordinary owner ordinary');
    await server.end();
    const settings = {
      ...env,
      DATABASE_URL: cluster.url('ordinary').replace('postgres@', 'ordinary@'),
      DATA_DIR: mkdtempSync(join(dir, 'ordinary-')),
    };
    const remedy = /create extension if not exists postgis;.*own/;
    const migrate = spawnSync(process.execPath, [join(ROOT, 'src/start/migrate-cli.ts')], {
      env: settings,
      encoding: 'utf8',
    });
    expect(migrate.status).toBe(1);
    expect(migrate.stderr).toMatch(remedy);

    // The last start, at night, finds the files of the first, which never had a store.
    const rounds = isHeavy ? (['refused', 'mended', 'again'] as const) : (['mended'] as const);
    for (const round of rounds) {
      const { child, output } = start(settings);
      onTestFinished(() => end(child));
      const patience = {
        withinMs: 2 * HANG_MS,
        everyMs: 100,
        by: child,
        seen: () => JSON.stringify(output),
      };
      let body = '';
      const answers = (status: number, code: string) => async () => {
        const [, base] = /"url":"([^"]+)"/.exec(output.stdout) ?? [];
        const response = base === undefined ? null : await fetch(`${base}/readyz`);
        body = (await response?.text()) ?? '';
        return response?.status === status && body.includes(code);
      };
      if (round !== 'again') {
        await until(answers(503, 'migration_failed'), patience);
        expect(body).toMatch(remedy);
        expect(output.stdout).toMatch(/"level":"error".*"msg":"DATABASE_URL: .*permission denied/);
      }
      if (round === 'mended') {
        const superuser = await connect('ordinary');
        await superuser.query('create extension postgis');
        await superuser.end();
      }
      if (round !== 'refused') await until(answers(200, 'ok'), patience);
      // Theirs and ours may be made at the same instant; the next try finds it.
      const told = (output.stdout.match(/the store cannot be used yet[^"]*/g) ?? []).filter(
        (text) => !text.includes('duplicate key'),
      );
      expect(told, told.join()).toHaveLength(round === 'again' ? 0 : 1);
      expect(output.stdout).not.toContain('another database');
      await end(child, 'SIGTERM');
    }
  });

  test.concurrent('lets a worker begin where nothing is published: there is nothing to wait for', async () => {
    const dataDir = mkdtempSync(join(dir, 'work-'));
    const settings = { ...env, DATABASE_URL: cluster.url('first_work'), DATA_DIR: dataDir };
    const { child, output } = start(settings, 'work');
    const timeout = JOB_LIMITS.memoryWaitMs / 2;
    await expect.poll(() => output.stdout, { timeout }).toMatch(/"msg":"Working on jobs/);
    child.kill();
    await once(child, 'exit');
  });
});
