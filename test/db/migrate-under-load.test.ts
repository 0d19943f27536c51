/** Migrations over tables that are used: a lock is waited for shortly and again, and held shortly. */
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DB_LIMITS } from '../../src/db/limits.ts';
import { migrate } from '../../src/db/migrate.ts';
import { testFolder } from '../support/opened.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';

const MIGRATIONS = join(import.meta.dirname, '../../sql/migrations');
const FILES = readdirSync(MIGRATIONS).sort();
const LAST = Number(FILES.at(-1)?.slice(0, 4));
const limits = DB_LIMITS as { -readonly [Name in keyof typeof DB_LIMITS]: unknown };
const kept = { ...DB_LIMITS };

let store: TestStore;
let directory: string;

describe.skipIf(process.env['TEST_STORE'] !== 'postgres')('migrating tables in use', () => {
  beforeAll(async () => {
    store = await openTestStore();
    await store.pool.query('create table busy (id integer primary key, text text)');
    await store.pool.query(
      `insert into busy select n, 'text' from generate_series(1, 100000) as n`,
    );
  });
  afterAll(() => store.close());
  beforeEach(() => {
    directory = testFolder('migrations');
    for (const file of FILES) copyFileSync(join(MIGRATIONS, file), join(directory, file));
    Object.assign(limits, { migrationLockMs: 50, migrationLockRetryMs: 50 });
  });
  afterEach(async () => {
    Object.assign(limits, kept);
    await store.pool.query('delete from schema_migration where number > $1', [LAST]);
  });

  const write = (n: number, sql: string): void => {
    const name = `${String(LAST + n).padStart(4, '0')}_seeded.sql`;
    writeFileSync(join(directory, name), sql);
  };

  async function hold(): Promise<() => Promise<void>> {
    const client = await store.pool.connect();
    await client.query('begin; select from busy limit 1');
    return async () => {
      await client.query('commit');
      client.release();
    };
  }

  test('a table that is held is tried again and again, and reads go on between', async () => {
    write(1, '-- expand\nalter table busy add column first text;');
    const letGo = await hold();
    const migrating = migrate(store, directory);
    // Longer than several tries. The table is held all the time: only a wait that ends lets a read pass.
    for (let n = 0; n < 20; n++) {
      await store.pool.query('select from busy limit 1');
      await sleep(20);
    }
    await letGo();
    expect(await migrating).toHaveLength(1);
  });

  test('one that stays held ends the tries, with words that say why', async () => {
    limits.migrationLockTries = 3;
    write(1, '-- expand\nalter table busy add column second text;');
    const letGo = await hold();
    await expect(migrate(store, directory)).rejects.toThrow(/tried 3 times for 50 ms to lock/);
    await letGo();
    expect(await migrate(store, directory)).toHaveLength(1);
  });

  test('a statement that holds a table for long is undone, and leaves nothing', async () => {
    limits.migrationHoldMs = 100;
    write(1, '-- expand\nalter table busy add column third text;\nselect pg_sleep(5);');
    await expect(migrate(store, directory)).rejects.toThrow(/a statement took more than 100 ms/);
    const { rows } = await store.pool.query(
      `select from pg_attribute where attrelid = 'busy'::regclass and attname = 'third'`,
    );
    expect(rows).toEqual([]);
  });

  test('four programs at once build an index beside writes, once', async () => {
    // As a program that was killed over it leaves it behind.
    await store.pool.query(`create index busy_text on busy (text)`);
    await store.pool.query(
      `update pg_index set indisvalid = false where indexrelid = 'busy_text'::regclass`,
    );
    write(1, '-- expand, alone\ncreate index concurrently if not exists busy_text on busy (text);');
    write(2, '-- expand\nalter table busy add column fourth text;');
    const others = await Promise.all([1, 2, 3].map(() => store.another()));
    const done = new AbortController();
    const writing = (async () => {
      let written = 0;
      for (; !done.signal.aborted; written++) {
        await store.pool.query('update busy set text = $1 where id = 1', [`text ${written}`]);
      }
      return written;
    })();
    const applied = await Promise.all([store, ...others].map((each) => migrate(each, directory)));
    done.abort();
    expect(applied.flat()).toHaveLength(2);
    expect(await writing).toBeGreaterThan(0);
    await Promise.all(others.map((each) => each.close()));
    const { rows } = await store.pool.query(
      `select indisvalid from pg_index where indexrelid = 'busy_text'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test('a program that is gone in its turn keeps nobody waiting', async () => {
    write(1, '-- expand\nalter table busy add column fifth text;');
    const letGo = await hold();
    const url = new URL(store.databaseUrl ?? '');
    url.searchParams.set('application_name', 'doomed');
    const doomed = await store.another({ databaseUrl: url.href });
    const gone = migrate(doomed, directory).catch((error: unknown) => error);
    const its = `select a.pid from pg_stat_activity a where a.application_name = 'doomed'`;
    const inTurn = `${its} and exists (select from pg_locks l
      where l.pid = a.pid and l.locktype = 'advisory' and l.granted)`;
    await expect.poll(async () => (await store.pool.query(inTurn)).rowCount).toBe(1);
    await store.pool.query(`select pg_terminate_backend(pid) from (${its}) doomed`);
    await letGo();
    expect(await gone).toBeInstanceOf(Error);
    expect(await migrate(store, directory)).toHaveLength(1);
    await doomed.close();
  });
});
