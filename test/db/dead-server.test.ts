/** A server that is down, cut off or silent: bounded rejections, no crash, and it heals by itself. */
import { connect } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStore } from '../../src/db/connect.ts';
import type { Store, StoreOptions } from '../../src/db/connect.ts';
import { embeddedSocket } from '../../src/db/embedded-files.ts';
import { Door, serverOf, urlThrough } from '../support/door.ts';
import { DB_LIMITS } from '../../src/db/limits.ts';
import { promptly } from '../../src/db/prompt.ts';
import { NO_OUTAGES } from '../../src/db/store-watch.ts';
import { StoreSilent } from '../../src/kernel/server-unavailable.ts';
import { sharedStore } from '../support/store.ts';

let door: Door;
let store: Store;
const lines: string[] = [];

const real = await sharedStore();

beforeEach(async () => {
  const { databaseUrl, dataDir } = real;
  const server = databaseUrl === null ? null : serverOf(databaseUrl);
  door = new Door(server ?? (() => connect(embeddedSocket(dataDir).path)));
  await door.open();
});
afterEach(async () => {
  door.silent = false;
  await store.close();
  await door.slam();
});

async function openThroughDoor(timeouts: StoreOptions['timeouts'] = {}): Promise<Store> {
  const databaseUrl = urlThrough(
    door,
    real.databaseUrl ?? 'postgres://postgres@localhost/postgres',
  );
  const log = { error: (line: string) => void lines.push(line) };
  return openStore({ databaseUrl, dataDir: real.dataDir, timeouts, log });
}

/** Sooner than the service's own statements are given up. */
async function rejectedInTime(work: Promise<unknown>): Promise<void> {
  const start = performance.now();
  await expect(work).rejects.toThrow();
  expect(performance.now() - start).toBeLessThan(DB_LIMITS.storeStatementMs.lookups);
}

const one = async () => (await store.pool.query<{ one: number }>('select 1 as one')).rows[0]?.one;

test('a store opens while its server is down, rejects at once, and answers when it is up', async () => {
  await door.slam();
  store = await openThroughDoor();
  await rejectedInTime(one());
  await door.open();
  expect(await one()).toBe(1);
});

test('a server that goes away midway rejects what is in flight and is found again', async () => {
  store = await openThroughDoor();
  expect(await one()).toBe(1);
  const idle = await store.pool.connect();
  // Unanswered, so surely in flight when the door slams.
  door.silent = true;
  const rejected = rejectedInTime(one());
  await new Promise((done) => setTimeout(done, 50));
  await door.slam();
  door.silent = false;
  await rejected;
  await expect(idle.query('select 1')).rejects.toThrow();
  idle.release(true);
  await expect(one()).rejects.toThrow();
  await door.open();
  expect(await one()).toBe(1);
});

test('a server that falls silent is given up after the limit, and its connections with it', async () => {
  store = await openThroughDoor({ connectMs: 2_000, statementMs: 1_500, silenceMs: 500 });
  expect(await one()).toBe(1);
  door.silent = true;
  // An open connection, then a new one.
  await rejectedInTime(one());
  await rejectedInTime(one());
  door.silent = false;
  expect(await one()).toBe(1);
  expect(store.pool.totalCount).toBe(1);
});

test('an open connection that the next client takes is no answer of a silent server', async () => {
  store = await openThroughDoor();
  if (store.kind === 'embedded') return;
  const probe = vi.fn(() => store.probe());
  const { pool } = promptly({ ...store, probe }, NO_OUTAGES);
  await Promise.all([pool.query('select pg_sleep(0.1)'), pool.query('select pg_sleep(0.1)')]);
  expect(store.pool.idleCount).toBe(2);
  door.silent = true;
  const first = expect(pool.query('select 1')).rejects.toThrow(StoreSilent);
  await vi.waitFor(() => expect(probe).toHaveBeenCalled());
  const next = expect(pool.query('select 1')).rejects.toThrow(StoreSilent);
  await first;
  expect(probe).toHaveBeenCalledTimes(1);
  await next;
});

test('a statement that takes too long is ended by the server itself', async () => {
  store = await openThroughDoor({ statementMs: 200 });
  if (real.kind === 'embedded') return;
  await expect(store.pool.query('select pg_sleep(20)')).rejects.toMatchObject({ code: '57014' });
  expect(await one()).toBe(1);
});

test('what memory is built from may take longer than a lookup', async () => {
  store = await openThroughDoor({ statementMs: 200 });
  if (real.kind === 'embedded') return;
  await expect(sql`select pg_sleep(0.5)`.execute(store.db)).rejects.toMatchObject({
    code: '57014',
  });
  const { rows } = await sql`select 1 as one from pg_sleep(0.5)`.execute(store.builds);
  expect(rows).toEqual([{ one: 1 }]);
});
