/**
 * What clients may count on, whichever store: how it is opened and known (issue 53), transactions, errors, values,
 * large rows.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { storeNameOf, storeNamesOf } from '../../src/db/store-name.ts';
import { ownFolder } from '../support/opened.ts';
import { sharedStore } from '../support/store.ts';

const store = await sharedStore();
beforeAll(async () => {
  await store.pool.query('create table note (id integer primary key, body text)');
});

async function withClients<T>(count: number, use: (clients: pg.PoolClient[]) => Promise<T>) {
  const clients = await Promise.all(Array.from({ length: count }, () => store.pool.connect()));
  try {
    return await use(clients);
  } finally {
    for (const client of clients) client.release();
  }
}

test('a store is migrated, starts at generation 0, read as a number, and has PostGIS', async () => {
  const { rows } = await sql<{ m: number }>`
    select generation, st_distance('point(0 0)'::geometry, 'point(3 4)'::geometry) as m
    from store_state`.execute(store.db);
  expect(rows).toEqual([{ generation: 0, m: 5 }]);
});

test('a store keeps its first name at another address, also for a start without it', async () => {
  const dataDir = ownFolder('names');
  const [one, promoted, third] = ['one', 'two', 'three'].map((host) => `postgres://u:p@${host}/d`);
  const names = (url: string | undefined, isAway = false) =>
    storeNamesOf(url!, { store, dataDir, isAway });
  const hashOf = (url: string | undefined) => storeNameOf(url!);
  expect(await names(one, true)).toEqual([hashOf(one)]);
  expect(await names(one)).toEqual([hashOf(one), hashOf(one)]);
  expect(await names(promoted)).toEqual([hashOf(one), hashOf(promoted)]);
  expect(await names(promoted, true)).toEqual([hashOf(one), hashOf(promoted)]);
  // Nothing is known of what is there.
  expect(await names(third, true)).toEqual([hashOf(third)]);
});

test('an error in a statement with parameters leaves its connection usable', async () => {
  await withClients(1, async ([client]) => {
    await expect(client!.query('select $1::int / 0', [1])).rejects.toMatchObject({ code: '22012' });
    await expect(client!.query('selec $1', [1])).rejects.toMatchObject({ code: '42601' });
    await expect(client!.query('select $1::int', ['x'])).rejects.toMatchObject({ code: '22P02' });
    await expect(client!.query('selec 1')).rejects.toMatchObject({ code: '42601' });
    const { rows } = await client!.query('select $1::int as one', [1]);
    expect(rows).toEqual([{ one: 1 }]);
  });
});

test('an error halfway through the rows of a statement is an error, not fewer rows', async () => {
  const sql = 'select 1 / (50000 - n) as x from generate_series(1, 60000) n where n > $1';
  await expect(store.pool.query(sql, [0])).rejects.toMatchObject({ code: '22012' });
  expect((await store.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('clients with statements in flight together each get their own answers', async () => {
  const answers = await Promise.all(
    Array.from({ length: 400 }, async (_, n) => {
      if (n % 7 === 0) {
        const error: unknown = await store.pool
          .query('select $1::int / 0', [n])
          .catch((e: unknown) => e);
        return (error as pg.DatabaseError).code === '22012' ? n : -1;
      }
      const { rows } = await store.pool.query<{ n: number }>('select $1::int as n', [n]);
      return rows[0]?.n;
    }),
  );
  expect(answers).toEqual(Array.from({ length: 400 }, (_, n) => n));
});

test('a transaction is seen by others only when it is committed, and not when rolled back', async () => {
  await withClients(1, async ([writer]) => {
    const count = async () =>
      (await store.pool.query<{ n: number }>('select count(*) as n from note')).rows[0]?.n;
    const before = await count();
    await writer!.query('begin');
    await writer!.query('insert into note values (1, $1)', ['one']);
    // Asked while the transaction is open: on the embedded store the answer waits for its end.
    const meanwhile = count();
    await writer!.query('insert into note values (2, $1)', ['two']);
    await writer!.query('rollback');
    expect(await meanwhile).toBe(before);
    expect(await count()).toBe(before);
    await writer!.query('begin');
    await writer!.query('insert into note values (1, $1)', ['one']);
    await writer!.query('commit');
    expect(await count()).toBe((before ?? 0) + 1);
  });
});

test('an error inside a transaction disturbs no other connection', async () => {
  await withClients(2, async ([one, other]) => {
    await one!.query('begin');
    await expect(one!.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    const others = other!.query('select 2 as two');
    await expect(one!.query('select 1')).rejects.toMatchObject({ code: '25P02' });
    await one!.query('rollback');
    expect((await others).rows).toEqual([{ two: 2 }]);
    expect((await one!.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});

test('transactions of several connections run one after the other or side by side, but whole', async () => {
  await store.pool.query('create table tally (n bigint)');
  await store.pool.query('insert into tally values (0)');
  await Promise.all(
    Array.from({ length: 24 }, () =>
      store.db.transaction().execute(async (trx) => {
        await sql`update tally set n = n + 1`.execute(trx);
        await sql`update tally set n = n + 1`.execute(trx);
      }),
    ),
  );
  expect((await store.pool.query('select n from tally')).rows).toEqual([{ n: 48 }]);
});

test('a connection lost inside a transaction rolls it back and lets the others on', async () => {
  const lost = await store.pool.connect();
  lost.on('error', () => undefined);
  await lost.query('begin');
  await lost.query("insert into note values (99, 'lost')");
  (lost as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  lost.release(true);
  const { rows } = await store.pool.query('select * from note where id = 99');
  expect(rows).toEqual([]);
});

test('a value of 20 MB goes in and comes out whole', async () => {
  const body = 'æ'.repeat(10 * 1024 * 1024);
  await store.pool.query('insert into note values (50, $1)', [body]);
  const { rows } = await store.pool.query<{ body: string }>('select body from note where id = 50');
  expect(rows[0]?.body === body).toBe(true);
});

test('bigint is a number, and one too large for a number is refused', async () => {
  const { rows } = await store.pool.query('select 9007199254740991::bigint as n');
  expect(rows).toEqual([{ n: 9007199254740991 }]);
  await expect(store.pool.query('select 9007199254740993::bigint as n')).rejects.toThrow(
    RangeError,
  );
  expect((await store.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('times, bytes and JSON come as Date, Buffer and values', async () => {
  const { rows } = await store.pool.query(
    `select '2026-01-02T03:04:05Z'::timestamptz as at, '\\x00ff'::bytea as bytes,
       '{"a":[1,null]}'::jsonb as value, array['a', null] as list`,
  );
  expect(rows).toEqual([
    {
      at: new Date('2026-01-02T03:04:05Z'),
      bytes: Buffer.from([0, 255]),
      value: { a: [1, null] },
      list: ['a', null],
    },
  ]);
});
