/** Two servers behind one address, and reads on the one that replays: a primary and its streaming replica. */
import { tmpdir } from 'node:os';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/db/connect.ts';
import type { Store } from '../../src/db/connect.ts';
import { Reads } from '../../src/db/reads.ts';
import { NO_OUTAGES } from '../../src/db/store-watch.ts';
import { isServerUnavailable } from '../../src/kernel/server-unavailable.ts';
import { freePort } from '../support/free-port.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { until } from '../support/until.ts';

const LIMIT_MS = 2_000;
const here = process.env['TEST_STORE'] === 'postgres' && findPostgres() !== null;
const said: string[] = [];
const log = { error: (line: string) => void said.push(line) };

let primary: Cluster;
let standby: Cluster;
let store: Store;
let reads: Reads;
let generation = 0;

async function isStandby(of: Store): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select pg_is_in_recovery() as "is"`.execute(of.db);
  return rows[0]!.is;
}

const publish = () =>
  sql`update store_state set generation = generation + 1`.execute(store.db).then(() => undefined);
const generationAt = async (of: Store): Promise<number> => {
  const { rows } = await sql<{ generation: number }>`select generation from store_state`.execute(
    of.db,
  );
  return rows[0]!.generation;
};
const onReplica = (text: string) =>
  openStore({ databaseUrl: standby.url('postgres'), dataDir: tmpdir(), log }).then(async (own) => {
    await own.pool.query(text);
    await own.close();
  });

describe.skipIf(!here)('a primary and its replica', () => {
  beforeAll(async () => {
    primary = await startCluster({ port: await freePort() });
    standby = await startCluster({ port: await freePort(), standbyOf: primary.url('postgres') });
    const [p, s] = [primary, standby].map((each) => new URL(each.url('postgres')).port);
    // The one that takes no writes stands first.
    const databaseUrl = `postgres://postgres@127.0.0.1:${s},127.0.0.1:${p}/postgres?target_session_attrs=read-write`;
    store = await openStore({ databaseUrl, dataDir: tmpdir(), log });
    await store.pool.query('create table store_state (generation bigint)');
    await store.pool.query('insert into store_state values (0)');
    const url = standby.url('postgres');
    reads = new Reads({
      ...{ url, limitMs: LIMIT_MS, store, log, outages: NO_OUTAGES },
      generation: () => generation,
    });
  });
  afterAll(async () => {
    await reads.close();
    await store.close();
    await standby.stop();
    await primary.stop();
  });

  test('the primary is found whichever stands first, and reads go to the replica', async () => {
    expect(await isStandby(store)).toBe(false);
    await until(() => reads.isUsed());
    expect(await isStandby(reads.store)).toBe(true);
    const text = 'select pg_is_in_recovery() as "is"';
    const planned = await reads.store.pool.query({ name: 'standby', text, values: [] });
    expect(planned.rows).toEqual([{ is: true }]);
    expect(reads.view().lagMs).toBeLessThan(LIMIT_MS);
  });

  test('a generation that this process answers from already is never read of the past', async () => {
    generation = 1;
    expect(reads.isUsed()).toBe(false);
    expect(await isStandby(reads.store)).toBe(false);
    await publish();
    await until(() => reads.isUsed());
    expect(await generationAt(reads.store)).toBe(1);
  });

  test('what a migration made, and the replica has not replayed, is read of the primary', async () => {
    await until(() => reads.isUsed());
    await onReplica('select pg_wal_replay_pause()');
    await store.pool.query('create table made_now as select 7 as n');
    const before = reads.view().reads.primary;
    const { rows } = await reads.store.pool.query<{ n: number }>('select n from made_now');
    expect([rows, reads.view().reads.primary - before]).toEqual([[{ n: 7 }], 1]);
    await expect(reads.store.pool.query('select n from made_never')).rejects.toThrow('made_never');
    await onReplica('select pg_wal_replay_resume()');
    await until(() => reads.isUsed());
  });

  test('a statement that fails on the replica, for whatever reason, is asked of the primary', async () => {
    await store.pool
      .query(`create function fails_there(code text) returns integer language plpgsql as $$ begin
      if pg_is_in_recovery() then raise exception using errcode = code; end if; return 7; end $$`);
    // A held table, a type of a migration, a full disk and one that does not read.
    for (const code of ['57014', '42704', '53100', 'XX001']) {
      await until(() => reads.isUsed());
      const text = `select fails_there('${code}') as n`;
      expect((await reads.store.pool.query<{ n: number }>(text)).rows).toEqual([{ n: 7 }]);
    }
  });

  test('a replica beyond its limit is not read, until it has caught up', async () => {
    await onReplica('select pg_wal_replay_pause()');
    await store.pool.query('create table written (n integer)');
    await until(() => !reads.isUsed());
    expect(reads.view().lagMs).toBeGreaterThan(LIMIT_MS);
    expect(await isStandby(reads.store)).toBe(false);
    await until(() => said.some((line) => /to the primary, not the replica: it is \d+/.test(line)));
    await onReplica('select pg_wal_replay_resume()');
    await until(() => reads.isUsed());
  });

  test('no read fails while the replica goes away and comes back', async () => {
    const stop = new AbortController();
    let asked = 0;
    const asking = (async () => {
      while (!stop.signal.aborted) {
        expect(await generationAt(reads.store)).toBe(1);
        asked += 1;
      }
    })();
    await standby.down();
    await until(() => !reads.isUsed());
    const before = asked;
    await until(() => asked > before + 10);
    await standby.up();
    await until(() => reads.isUsed());
    stop.abort();
    await asking;
    expect(asked).toBeGreaterThan(10);
  });

  test('with the primary lost reads go on, and writes as soon as the replica is promoted', async () => {
    primary.kill();
    const failed = await publish().then(
      () => null,
      (error: unknown) => error,
    );
    expect(isServerUnavailable(failed)).toBe(true);
    const { reads: before } = reads.view();
    expect(await generationAt(reads.store)).toBe(1);
    expect(reads.view().reads.replica).toBeGreaterThan(before.replica);
    await standby.promote();
    await until(() =>
      publish().then(
        () => true,
        () => false,
      ),
    );
    expect(await generationAt(store)).toBe(2);
    expect(await isStandby(store)).toBe(false);
  });
});
