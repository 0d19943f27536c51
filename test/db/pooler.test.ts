/** Behind PgBouncer with the settings it comes with, in both of its ways to lend a session. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintFirstKey } from '../../src/account/first-key.ts';
import { openStore } from '../../src/db/connect.ts';
import type { Store, StoreOptions } from '../../src/db/connect.ts';
import { listen } from '../../src/db/listen.ts';
import { migrate } from '../../src/db/migrate.ts';
import { StoreWatch } from '../../src/db/store-watch.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import type { Pooler } from '../support/pgbouncer.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { isHeavy } from '../support/run-settings.ts';
import { runSql, startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { LOOKUP } from '../support/steady-load.ts';
import { until } from '../support/until.ts';
import { isMirrored, startProgram } from '../support/whole-service.ts';
import { ownFolder } from '../support/opened.ts';

const here = process.env['TEST_STORE'] === 'postgres' && findPostgres() !== null && hasPgBouncer();
const said: string[] = [];
const log = { error: (line: string) => void said.push(line) };

describe.skipIf(!here)('behind PgBouncer', () => {
  let cluster: Cluster;
  const dir = ownFolder('pooled');
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
    await cluster.stop();
  });

  async function through(settings?: Parameters<typeof startPgBouncer>[1]): Promise<Pooler> {
    const pooler = await startPgBouncer(cluster.url('postgres'), settings);
    closing.push(() => pooler.stop());
    return pooler;
  }

  async function open(pooler: Pooler, more: Partial<StoreOptions> = {}): Promise<Store> {
    const databaseUrl = pooler.url('postgres');
    const store = await openStore({ databaseUrl, dataDir: dir, log, ...more });
    closing.push(() => store.close());
    return store;
  }

  test.each(['transaction', 'session'])('limits are kept, and left to no one: %s', async (mode) => {
    const pooler = await through({ pool_mode: mode });
    const timeouts = { statementMs: 300, silenceMs: 30_000 };
    const store = await open(pooler, { timeouts });
    const long = store.pool.query('select pg_sleep(60), 1 as mark');
    await expect(long).rejects.toMatchObject({ code: '57014' });
    await expect(
      store.db.transaction().execute(() => store.pool.query('select pg_sleep(60)')),
    ).rejects.toMatchObject({ code: '57014' });
    const asked = { name: 'again', text: 'select $1::integer + 1 as n', values: [1] };
    const all = Array.from({ length: 40 }, () => store.pool.query(asked));
    for (const { rows } of await Promise.all(all)) expect(rows).toEqual([{ n: 2 }]);
    const rows = await runSql(
      pooler.url('postgres'),
      `select current_setting('statement_timeout') as now, (select count(*)::integer
         from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()
           and state = 'active') as running`,
    );
    expect(rows).toEqual([{ now: '0', running: 0 }]);
    // No one is told anything there; who asks for it goes on by asking periodically.
    await listen(store, 'anything', () => undefined).stop();
  });

  test('programs that start together apply each migration once', async () => {
    const pooler = await through();
    const stores = await Promise.all([open(pooler), open(pooler), open(pooler)]);
    const applied = await Promise.all(stores.map((store) => migrate(store)));
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
    const { rows } = await stores[0].pool.query(
      `select from pg_locks where locktype = 'advisory' and database = (
         select oid from pg_database where datname = current_database())`,
    );
    expect(rows).toEqual([]);
  });

  test('a server that refuses new connections does not answer again', async () => {
    const pooler = await through({ pool_mode: 'transaction', max_client_conn: 2 });
    const store = await open(pooler);
    const told: string[] = [];
    const tell = (line: string) => void told.push(line);
    const watch = new StoreWatch({ store, log: { error: tell, warn: tell } });
    await watch.look();
    const other = new pg.Client({ connectionString: pooler.url('postgres') });
    await other.connect();
    watch.failed(await store.pool.query('select 1').catch((error: unknown) => error));
    for (let n = 0; n < 4; n += 1) await watch.look();
    expect(told).toEqual([expect.stringContaining('no more connections allowed')]);
    await other.end();
    await until(async () => {
      await watch.look();
      return !watch.isUnavailable;
    });
    expect(told).toEqual([told[0], expect.stringContaining('answers again')]);
  });

  test.runIf(isHeavy)(
    'the program starts on an empty database, mirrors everything and answers',
    async () => {
      await runSql(cluster.url('postgres'), 'create database whole');
      const pooler = await through();
      const program = startProgram({ DATABASE_URL: pooler.url('whole'), DATA_DIR: dir });
      closing.push(() => program.stop());
      const base = await program.base();
      const store = await openStore({ databaseUrl: pooler.url('whole'), dataDir: dir, log });
      closing.push(() => store.close());
      await program.until(async () => {
        const ready = await fetch(`${base}/readyz`);
        return ready.ok ? true : undefined;
      });
      const key = (await mintFirstKey(store, systemClock))!;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answered = async (path: string, body?: object) => {
        const asked = body && { method: 'POST', body: JSON.stringify(body) };
        const answer = await fetch(base + path, { headers, ...asked });
        return answer.ok ? ((await answer.json()) as Record<string, unknown>) : undefined;
      };
      await program.until(() => isMirrored(base, key));
      expect(await answered(LOOKUP)).toBeDefined();
      const rows = [{ x: 647650, y: 6314000 }];
      const made = (await answered('/v1/jobs', { kind: 'dagi', srid: 25832, rows })) as {
        job: { id: string };
      };
      await program.until(async () => {
        const { job } = (await answered(`/v1/jobs/${made.job.id}`)) as { job: { status: string } };
        return job.status === 'completed' ? true : undefined;
      });
      await program.until((text) => {
        expect(text).not.toContain('does not answer');
        return true;
      });
    },
  );
});
