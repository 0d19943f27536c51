/** An endpoint that is away for a day: what its lists found comes when it is back, each find once (D236). */
import { afterAll, expect, test } from 'vitest';
import { emitChange } from '../../src/watch/list-store.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { sharedStore } from '../support/store.ts';
import { opened } from '../support/opened.ts';
import { until } from '../support/until.ts';
import { makeAuthority } from '../webhooks/certificates.ts';
import { startDns } from '../webhooks/dns-server.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { webhookBench } from '../webhooks/webhook-bench.ts';

let answer = 200;
/** Transactions that were taken, in the order they came. */
const taken: number[] = [];
const store = await sharedStore();
const authority = makeAuthority();
const dns = await opened(startDns({ 'hooks.example': ['127.0.0.1'] }));
const receiver = await opened(startReceiver(authority.issue('DNS:hooks.example')));
receiver.answer = (response, { body }) => {
  const { data } = JSON.parse(body) as { data: { transaktion?: number } };
  if (answer < 300 && data.transaktion !== undefined) taken.push(data.transaktion);
  response.writeHead(answer).end();
};
const bench = webhookBench(store, { resolve: createResolver(dns.servers), ca: authority.ca });
afterAll(() => bench.close());
bench.start();

const HOUR = 3_600_000;
const register = async (account: string) =>
  await bench.register(account, `https://hooks.example:${receiver.port}/`, ['watch.changed']);
const missed = async (): Promise<number> =>
  (await store.pool.query<{ n: number }>('select count(*)::integer as n from watch_missed'))
    .rows[0]!.n;
const emit = async (account: string, transaktion: number) => {
  await emitChange(store.db, account, { liste: 'watch_x', transaktion }, bench.clock.nowMs());
  bench.dispatcher?.nudge();
};
const pass = async (ms: number) => {
  for (let passed = 0; passed < ms; passed += HOUR / 2) {
    bench.clock.turn(HOUR / 2);
    bench.dispatcher?.nudge();
    await bench.idle();
  }
};

test('a day of finds comes once each when the endpoint is back, and none to one that was removed', async () => {
  const account = await bench.accounts.account();
  const gone = await bench.accounts.account();
  await register(account);
  const removed = await register(gone);
  await emit(account, 1);
  await bench.idle();
  expect(taken).toEqual([1]);
  answer = 503;
  await emit(gone, 99);
  for (let n = 2; n <= 13; n++) {
    await emit(account, n);
    await pass(2 * HOUR);
  }
  // The first have had five attempts each, and failed.
  await until(async () => (await missed()) > 3);
  expect(taken).toEqual([1]);
  await bench.webhooks.remove(gone, removed.id);
  answer = 200;
  await until(
    async () => {
      await pass(HOUR);
      return new Set(taken).size === 13;
    },
    { everyMs: 50, seen: () => taken.join() },
  );
  await pass(12 * HOUR);
  expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 13 }, (_, n) => n + 1));
  const { rows } = await store.pool.query(
    `select count(*)::integer as n from webhook_delivery where status = 'pending'`,
  );
  expect(rows).toEqual([{ n: 0 }]);
});

test('what is older than thirty days is given up', async () => {
  const account = await bench.accounts.account();
  const { id } = await register(account);
  answer = 503;
  await emit(account, 77);
  await pass(5 * HOUR);
  await until(async () => (await missed()) > 0);
  await store.pool.query(`update webhook_endpoint set enabled = false where id = $1`, [id]);
  bench.clock.turn(31 * 24 * HOUR);
  await store.pool.query(`update webhook_endpoint set enabled = true where id = $1`, [id]);
  answer = 200;
  await pass(HOUR);
  expect(taken).not.toContain(77);
});
