/** Being told of changes by PostgreSQL, over a connection that may break. */
import { describe, expect, test } from 'vitest';
import { listen } from '../../src/db/listen.ts';
import { sharedStore } from '../support/store.ts';
import { accountBench } from '../account/accounts-fixture.ts';
import { until } from '../support/until.ts';

const store = await sharedStore();

test('every change of an account or key advances one number, and no use of a key does', async () => {
  const bench = accountBench(store);
  const revision = async () => {
    const { rows } = await store.pool.query<{ revision: number }>(
      'select revision from account_revision',
    );
    return rows[0]?.revision ?? NaN;
  };
  let last = await revision();
  const advances = async (change: () => Promise<unknown>) => {
    await change();
    const now = await revision();
    expect(now).toBeGreaterThan(last);
    last = now;
  };
  let id = '';
  await advances(async () => {
    id = await bench.account();
  });
  await advances(() => bench.accounts.setTier(id, 'free'));
  await advances(() => bench.accounts.setCap(id, 7));
  const { key } = await bench.key(id);
  last = await revision();
  await advances(() => bench.keyAdmin.rotate(id, key.id));
  await advances(() => bench.keyAdmin.revoke(id, key.id));
  const link = await bench.sessions.newLink(id);
  await bench.sessions.signIn(link.token, null);
  await store.pool.query('insert into api_key_use values ($1, now())', [key.id]);
  expect(await revision()).toBe(last);
});

describe('on PostgreSQL', () => {
  test('a listener is told at once, and again after its connection was cut', async ({ skip }) => {
    if (store.kind !== 'postgres') skip('The embedded store cannot tell.');
    let told = 0;
    const listener = listen(store, 'geoopslag_accounts', () => {
      told += 1;
    });
    try {
      await until(() => told === 1);
      const bench = accountBench(store);
      const id = await bench.account();
      await until(() => told === 2);
      await store.pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'",
      );
      await until(() => told === 3);
      await bench.accounts.setTier(id, 'free');
      await until(() => told === 4);
    } finally {
      await listener.stop();
    }
    const { rows } = await store.pool.query(
      "select from pg_stat_activity where query like 'listen%' and datname = current_database()",
    );
    expect(rows).toEqual([]);
  });
});
