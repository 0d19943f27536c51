/**
 * docs/backup.md, by its own commands: dumps and a base backup are taken under load and restored elsewhere;
 * keys work, bill and jobs agree, and the mirror completes itself.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintFirstKey } from '../../src/account/first-key.ts';
import { createSessions } from '../../src/account/sessions.ts';
import { openStore } from '../../src/db/connect.ts';
import type { Store } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { bareEnvironment } from '../support/compile-cache.ts';
import { copyMirrored } from '../support/mirrored-store.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { runSql, serverUser, startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { isOnPath } from '../support/programs.ts';
import { runShell, shellBlocks } from '../support/shell-blocks.ts';
import { LOOKUP, generousPlans, startLoad } from '../support/steady-load.ts';
import { until } from '../support/until.ts';
import { startProgram } from '../support/whole-service.ts';
import type { StartedProgram } from '../support/whole-service.ts';
import { makeAuthority } from '../webhooks/certificates.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import type { Receiver } from '../webhooks/receiver.ts';
import { freePort } from '../support/free-port.ts';
import { ROOT } from '../support/repository.ts';

const MIGRATIONS = join(ROOT, 'sql/migrations');
const BLOCKS = shellBlocks(join(ROOT, 'docs/backup.md'));
const bin = findPostgres();
const here = process.env['TEST_STORE'] === 'postgres' && bin !== null && isOnPath('openssl');
const LOADED_MS = 3_000;
const log = { error: (message: string) => console.error(message) };

let dir: string;
let source: Cluster;
let elsewhere: Cluster;
let receiver: Receiver;
let settings: Record<string, string>;
/** What the document's commands are given. */
let env: Record<string, string>;
let key: string;
let webhook: string;
let session: Record<string, string>;
/** Lookups answered over the source, each on its bill. */
let answered = 0;
const used = new Set<string>();

/** Runs the block that has these words, as the service's user or as the server's. */
async function run(
  words: string,
  more: Record<string, string> = {},
  { as = 'service', dump = 'own' } = {},
): Promise<void> {
  const found = BLOCKS.filter((block) => block.includes(words));
  expect(found, words).toHaveLength(1);
  used.add(found[0]!);
  const text = found[0]!.replace('own.dump', `${dump}.dump`);
  const user = as === 'server' ? serverUser() : null;
  await runShell(text, { env: { ...env, ...more }, cwd: dir, ...user });
}

function folder(name: string): string {
  const path = join(dir, name);
  mkdirSync(path);
  const user = serverUser();
  if (user !== null) chownSync(path, user.uid, user.gid);
  return path;
}

async function withStore<T>(databaseUrl: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ databaseUrl, dataDir: dir, log });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const start = (more: Record<string, string>): StartedProgram =>
  startProgram({ ...settings, ...more });

const ask = (base: string, path: string): Promise<Response> =>
  fetch(base + path, { headers: { authorization: `Bearer ${key}` } });

const post = (url: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function registerWebhook(base: string): Promise<void> {
  const link = await withStore(settings['DATABASE_URL']!, async (store) => {
    const { rows } = await store.pool.query<{ id: string }>('select id from account');
    const deps = { store, clock: systemClock, onChange: () => undefined };
    return await createSessions(deps).newLink(rows[0]!.id);
  });
  const signedIn = await post(`${base}/v1/me/session`, { link: link.token });
  const about = (await signedIn.json()) as { session: { csrf_token: string } };
  const [cookie = ''] = String(signedIn.headers.get('set-cookie')).split(';');
  session = { cookie, 'x-csrf-token': about.session.csrf_token };
  const url = `https://127.0.0.1:${receiver.port}/hook`;
  const made = await post(`${base}/v1/me/webhooks`, { url, events: ['job.completed'] }, session);
  webhook = ((await made.json()) as { webhook: { id: string } }).webhook.id;
}

/** What it answers of a forest line, once it does; from which generation. */
async function firstAnswer(program: StartedProgram) {
  const base = await program.base();
  return await program.until(async () => {
    const response = await ask(base, LOOKUP);
    const { skov } = (await response.json()) as { skov?: Record<string, unknown> };
    if (!response.ok || skov?.['status'] !== 'ok') return undefined;
    const { inden_for, afstand_m, antal } = skov;
    const generation = Number(response.headers.get('x-service-generation'));
    return { base, generation, says: { inden_for, afstand_m, antal } };
  });
}

/** Waits until every job has ended and every journal that is left was folded; then nothing disagrees. */
async function expectAgreement(url: string, dataDir: string): Promise<number> {
  let seen = '';
  const isLeft = async () => {
    const files = readdirSync(join(dataDir, 'usage')).filter((name) => name.endsWith('.journal'));
    const [row] = await runSql(
      url,
      `select count(*)::integer as open from job where completed_at is null`,
    );
    seen = JSON.stringify({ files, ...row });
    return files.length > 1 || row?.['open'] !== 0;
  };
  await until(async () => !(await isLeft()), { everyMs: 200, seen: () => seen });
  expect(
    await runSql(
      url,
      `select j.id from job j
       left join lateral (select sum(units)::integer as units from usage_line where journal = j.id) l on true
       left join lateral (
         select sum(rows)::integer as rows, sum(succeeded)::integer as succeeded, bool_and(state = 'done') as done
         from job_chunk where job_id = j.id) c on true
       where j.status <> 'completed' or j.succeeded + j.failed <> j.total_rows
         or j.billed_units is distinct from coalesce(l.units, 0) or j.billed_units <> j.succeeded
         or c.rows <> j.total_rows or c.succeeded <> j.succeeded or not c.done`,
    ),
  ).toEqual([]);
  const [sums] = await runSql(
    url,
    `select (select sum(used) from usage_month)::integer as months,
       (select sum(units) from usage_day)::integer as days, sum(units)::integer as lines,
       (sum(units) filter (where journal !~ '^job_'))::integer as lookups
     from usage_line`,
  );
  expect(sums).toMatchObject({ months: sums?.['lines'], days: sums?.['lines'] });
  return Number(sums?.['lookups']);
}

async function asNewerProgram(url: string): Promise<void> {
  const directory = mkdtempSync(join(dir, 'newer-'));
  const files = readdirSync(MIGRATIONS).sort();
  for (const file of files) copyFileSync(join(MIGRATIONS, file), join(directory, file));
  const number = String(Number(files.at(-1)?.slice(0, 4)) + 1).padStart(4, '0');
  const text = '-- expand\nalter table job add column seeded text;';
  writeFileSync(join(directory, `${number}_seeded.sql`), text);
  expect(await withStore(url, (store) => migrate(store, directory))).toEqual([`${number}_seeded`]);
}

describe.skipIf(!here)('docs/backup.md', () => {
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'geoopslag-backup-'));
    chmodSync(dir, 0o777);
    const authority = makeAuthority();
    writeFileSync(join(dir, 'ca.pem'), authority.ca);
    [source, elsewhere, receiver] = await Promise.all([
      startCluster(),
      startCluster(),
      startReceiver(authority.issue('IP:127.0.0.1')),
    ]);
    await runSql(source.url('postgres'), 'create database geoopslag');
    const databaseUrl = source.url('geoopslag');
    await copyMirrored('served', databaseUrl);
    await withStore(databaseUrl, (store) => mintFirstKey(store, systemClock));
    env = {
      ...{ PATH: `${bin}${delimiter}${process.env['PATH']}`, LC_ALL: 'C' },
      ...{ DATABASE_URL: databaseUrl, ADMIN_URL: source.url('postgres') },
      ...{ DATA_DIR: folder('data'), BACKUP: folder('backup'), WAL: folder('wal') },
      ...{ RESTORED: join(dir, 'restored'), PORT: String(await freePort()) },
    };
    settings = {
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: env['DATA_DIR']!, SYNC: 'off' },
      ...{ PLANS_FILE: generousPlans(dir), WEBHOOK_KEY: Buffer.alloc(32, 7).toString('base64') },
      ...{ WEBHOOK_LOOPBACK: 'on', NODE_EXTRA_CA_CERTS: join(dir, 'ca.pem') },
    };
    const mint = ['key', 'mint', 'proevekonto@localhost', '--live', '--permission', 'jobs'];
    const said = execFileSync(process.execPath, [join(ROOT, 'src/cli/admin/cli.ts'), ...mint], {
      env: { ...bareEnvironment(), ...settings, PUBLIC_URL: 'http://localhost' },
      encoding: 'utf8',
    });
    key = /svc_live_\w+/.exec(said)![0];
  });
  afterAll(async () => {
    await Promise.all([source.stop(), elsewhere.stop(), receiver.close()]);
    rmSync(dir, { recursive: true, force: true });
  });

  test('dumps taken under load, restored elsewhere', async () => {
    const program = start({});
    const before = await firstAnswer(program);
    await registerWebhook(before.base);
    const load = startLoad([before.base], key);
    await sleep(LOADED_MS);
    const least = load.answered;
    await run('all.dump" --exclude');
    await run('own.dump" \\');
    await run('cp -a "$DATA_DIR/usage"');
    await sleep(LOADED_MS / 3);
    await load.stop();
    await program.kill();
    expect(load.failures).toEqual([]);
    answered = load.answered + 1;

    // Another role owns the database, as on a machine that was made anew.
    await runSql(elsewhere.url('postgres'), 'create role geoopslag login');
    for (const [dump, SYNC] of [
      ['own', 'on'],
      ['all', 'off'],
    ] as const) {
      const name = `restored_${dump}`;
      await runSql(elsewhere.url('postgres'), `create database ${name} owner geoopslag`);
      await runSql(elsewhere.url(name), 'create extension postgis');
      const RESTORED_URL = elsewhere.url(name).replace('postgres@', 'geoopslag@');
      const DATA_DIR = folder(`data-${dump}`);
      await run('pg_restore', { RESTORED_URL, DATA_DIR }, { dump });
      if (dump === 'all') await asNewerProgram(RESTORED_URL);

      const again = start({ SYNC, DATA_DIR, DATABASE_URL: RESTORED_URL });
      const { base, generation, says } = await firstAnswer(again);
      expect(says).toEqual(before.says);
      expect(generation).toBeGreaterThanOrEqual(before.generation);
      const lookups = (await expectAgreement(RESTORED_URL, DATA_DIR)) - 1;
      expect(lookups).toBeGreaterThanOrEqual(least);
      expect(lookups).toBeLessThanOrEqual(load.answered + 1);
      const jobs = await runSql(RESTORED_URL, 'select id from job');
      expect(jobs.length).toBeGreaterThan(0);
      const results = await ask(base, `/v1/jobs/${String(jobs[0]?.['id'])}/results?format=ndjson`);
      expect((await results.text()).trim().split('\n').length).toBeGreaterThan(1_000);
      const ping = await post(`${base}/v1/me/webhooks/${webhook}/test`, {}, session);
      expect(await ping.json()).toMatchObject({ delivery: { status: 'success' } });
      if (SYNC === 'on') {
        await again.until(async () => {
          const status = await (await fetch(`${base}/v1/status`)).text();
          return status.includes('"mangler"') ? undefined : true;
        });
      }
      await again.stop();
    }
  });

  test('a base backup and its archive: back to a moment under load', async () => {
    const { ADMIN_URL = '', WAL = '', PORT, RESTORED, DATA_DIR = '' } = env;
    await run('alter system set archive_mode', {}, { as: 'server' });
    // For the server that is restored: the one that runs was told on its command line.
    await runSql(ADMIN_URL, 'alter system set max_connections = 200');
    await runSql(ADMIN_URL, `alter system set unix_socket_directories = '${folder('socket')}'`);
    await source.down();
    await source.up();
    await run('pg_basebackup', {}, { as: 'server' });
    const program = start({});
    const before = await firstAnswer(program);
    const load = startLoad([before.base], key);
    await sleep(LOADED_MS);
    const known = [...load.jobs];
    const [row] = await runSql(ADMIN_URL, 'select now()::text as now');
    await sleep(LOADED_MS);
    await load.stop();
    await program.kill();
    expect(load.failures).toEqual([]);
    answered += load.answered + 1;
    await runSql(source.url('geoopslag'), 'delete from job');
    await runSql(ADMIN_URL, 'select pg_switch_wal()');
    await until(async () => readdirSync(WAL).length > 0 && (await isArchived()));
    await run('recovery_target_time', { WHEN: String(row?.['now']) }, { as: 'server' });
    try {
      const host = encodeURIComponent(join(dir, 'socket'));
      const restored = `postgres://postgres@localhost:${PORT}/geoopslag?host=${host}`;
      await until(async () => {
        const [state] = await runSql(restored, 'select pg_is_in_recovery() as is');
        return state?.['is'] === false;
      });
      const again = start({ DATABASE_URL: restored });
      const { says } = await firstAnswer(again);
      expect(says).toEqual(before.says);
      // The journals were not lost: what was answered after that moment is on the bill as well.
      expect(await expectAgreement(restored, DATA_DIR)).toBe(answered + 1);
      const jobs = await runSql(restored, 'select id from job');
      expect(jobs.map(({ id }) => id)).toEqual(expect.arrayContaining(known));
      await again.stop();
    } finally {
      const stop = `pg_ctl --pgdata="${RESTORED}" --mode=immediate stop`;
      await runShell(stop, { env, cwd: dir, ...serverUser() });
    }
  });

  async function isArchived(): Promise<boolean> {
    const [row] = await runSql(
      env['ADMIN_URL']!,
      `select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 16 * 1024 * 1024) as is
       from pg_stat_archiver`,
    );
    return row?.['is'] === true;
  }

  test('has no command that was not run', () => {
    expect(BLOCKS.filter((block) => !used.has(block))).toEqual([]);
  });
});
