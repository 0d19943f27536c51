/** The life of accounts and keys, the events it leaves, and how others are told of it. */
import { describe, expect, test } from 'vitest';
import { formOf } from '../../src/account/key-format.ts';
import { mintFirstKey } from '../../src/account/first-key.ts';
import { ACCOUNT_LIMITS } from '../../src/account/limits.ts';
import { listen } from '../../src/db/listen.ts';
import { sharedStore } from '../support/store.ts';
import { accountBench } from '../account/accounts-fixture.ts';
import { until } from '../support/until.ts';

const store = await sharedStore();
const bench = accountBench(store);
// Before there is any account: three programs start at once.
const firstSecrets = await Promise.all([1, 2, 3].map(() => mintFirstKey(store, bench.clock)));

const HOUR_MS = 3_600_000;

test('the first key is made once, by one of several programs, for one account on the plan pro', async () => {
  const [secret, ...more] = firstSecrets.filter((each) => each !== null);
  expect(more).toEqual([]);
  expect(formOf(secret ?? '')).toEqual({ kind: 'secret', environment: 'test' });
  const [account, ...others] = await bench.accounts.list();
  expect(others).toEqual([]);
  expect(account).toMatchObject({ name: 'Prøvekonto', tier: 'pro', isOperator: false });
  expect(await bench.find(secret ?? '')).toMatchObject({ accountId: account?.id, tier: 'pro' });
  expect(await bench.events(account?.id ?? '')).toHaveLength(1);
  expect(await mintFirstKey(store, bench.clock)).toBeNull();
});

describe('an account', () => {
  test('is found by its id, and by its address in any case', async () => {
    const email = 'Anna.Opdigtet@Example.dk';
    const made = await bench.accounts.create({ name: ' Anna ', email, tier: 'free' });
    expect(made).toEqual({
      id: expect.stringMatching(/^account_[a-z2-7]{20}$/) as string,
      name: 'Anna',
      email,
      tier: 'free',
      capUnits: null,
      isOperator: false,
      createdAtMs: bench.clock.nowMs(),
      closedAtMs: null,
    });
    expect(await bench.accounts.find(made.id)).toEqual(made);
    expect(await bench.accounts.find('anna.opdigtet@example.DK')).toEqual(made);
    expect(await bench.accounts.find('nobody@example.dk')).toBeNull();
  });

  test('has an address of its own, until it is closed', async () => {
    const wanted = { name: 'Bo', email: 'bo@example.dk', tier: 'free' } as const;
    const made = await Promise.allSettled(
      [1, 2, 3, 4].map((n) =>
        bench.accounts.create({ ...wanted, email: n % 2 === 0 ? wanted.email : 'BO@EXAMPLE.DK' }),
      ),
    );
    const created = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(created).toHaveLength(1);
    for (const each of made) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ type: 'conflict' });
    }
    await bench.accounts.close(created[0]?.id ?? '');
    expect(await bench.accounts.find(wanted.email)).toBeNull();
    await bench.accounts.create(wanted);
  });

  test.each([
    ['', 'a@b'],
    ['  ', 'a@b'],
    ['x'.repeat(121), 'a@b'],
    ['Bo', ''],
    ['Bo', 'bo'],
    ['Bo', 'b o@c'],
    ['Bo', 'bo@c@d'],
    ['Bo', '@'],
    ['Bo', `${'a'.repeat(253)}@b`],
    ['Bo', 'bo\u0000@c.dk'],
  ])('has a name and an address: %j %j', async (name, email) => {
    await expect(bench.accounts.create({ name, email, tier: 'free' })).rejects.toMatchObject({
      type: 'invalid_request',
    });
  });

  test('tells of a new plan once, and of nothing when nothing is new', async () => {
    const id = await bench.account('free');
    expect(await bench.accounts.setTier(id, 'business')).toMatchObject({ tier: 'business' });
    await bench.accounts.setTier(id, 'business');
    await bench.accounts.setCap(id, 5_000_000);
    await bench.accounts.setOperator(id, true);
    expect(await bench.accounts.find(id)).toMatchObject({
      tier: 'business',
      capUnits: 5_000_000,
      isOperator: true,
    });
    expect(await bench.events(id)).toEqual([
      { event: 'subscription.updated', data: { tier: 'business' } },
    ]);
  });

  test.each([-1, 1.5, NaN, Infinity])('has no cap of %s', async (cap) => {
    const id = await bench.account();
    await expect(bench.accounts.setCap(id, cap)).rejects.toMatchObject({ type: 'invalid_request' });
  });

  test('takes its keys with it when it is closed, and stays closed', async () => {
    const id = await bench.account();
    const keys = [await bench.key(id), await bench.key(id)];
    for (const { secret } of keys) expect(await bench.find(secret)).not.toBeNull();
    const closed = await bench.accounts.close(id);
    expect(closed.closedAtMs).toBe(bench.clock.nowMs());
    for (const { secret } of keys) expect(await bench.find(secret)).toBeNull();
    const events = await bench.events(id);
    expect(events.filter(({ event }) => event === 'key.revoked')).toHaveLength(2);
    for (const change of [
      () => bench.accounts.close(id),
      () => bench.accounts.setTier(id, 'free'),
      () => bench.key(id),
    ]) {
      await expect(change()).rejects.toMatchObject({ type: 'conflict' });
    }
  });

  test('that is none is not found', async () => {
    const id = 'account_aaaaaaaaaaaaaaaaaaaa';
    for (const change of [
      () => bench.accounts.close(id),
      () => bench.accounts.setTier(id, 'free'),
      () => bench.key(id),
      () => bench.sessions.newLink(id),
    ]) {
      await expect(change()).rejects.toMatchObject({ type: 'not_found' });
    }
  });
});

describe('a key', () => {
  test('is told once: the store has its digest and its first characters alone', async () => {
    const id = await bench.account();
    const { key, secret } = await bench.key(id, { permission: 'restricted:natur,bbr' });
    expect(key).toMatchObject({
      accountId: id,
      permission: 'restricted:bbr,natur',
      prefix: secret.slice(0, 'svc_test_'.length + 6),
      lastUsedAtMs: null,
    });
    expect(await bench.events(id)).toEqual([
      {
        event: 'key.created',
        data: {
          key_id: key.id,
          name: 'Opdigtet nøgle',
          permission: 'restricted:bbr,natur',
          prefix: key.prefix,
        },
      },
    ]);
    const { rows } = await store.pool.query<{ all: string }>(
      `select (select string_agg(k::text, ' ') from api_key k)
        || (select string_agg(e::text, ' ') from account_event e) as all`,
    );
    expect(rows[0]?.all).toContain(key.prefix);
    expect(rows[0]?.all).not.toContain(secret.slice(0, 'svc_test_'.length + 8));
    expect(JSON.stringify(await bench.keyAdmin.list(id))).not.toContain(secret.slice(-12));
  });

  test.each([
    [{ permission: 'restricted:' }],
    [{ permission: 'restricted:alt' }],
    [{ kind: 'public' as const, origins: [] }],
    [{ kind: 'public' as const, origins: Array.from({ length: 21 }, (_, n) => `a${n}.dk`) }],
    [{ kind: 'public' as const, origins: ['example.dk'], permission: 'read' }],
  ])('is not made of nonsense: %j', async (change) => {
    const id = await bench.account();
    await expect(bench.key(id, change)).rejects.toMatchObject({ type: 'invalid_request' });
    expect(await bench.keyAdmin.list(id)).toEqual([]);
  });

  test('is revoked once, however often it is said', async () => {
    const id = await bench.account();
    const { key } = await bench.key(id);
    const first = await bench.keyAdmin.revoke(id, key.id);
    bench.clock.turn(1000);
    expect(await bench.keyAdmin.revoke(id, key.id)).toEqual(first);
    const revoked = (await bench.events(id)).filter(({ event }) => event === 'key.revoked');
    expect(revoked).toEqual([{ event: 'key.revoked', data: { key_id: key.id } }]);
  });

  test('makes way for another: both work for the overlap, then one', async () => {
    const id = await bench.account();
    const { key, secret } = await bench.key(id, { kind: 'public', origins: ['example.dk'] });
    const { old, minted } = await bench.keyAdmin.rotate(id, key.id);
    const overlapMs = ACCOUNT_LIMITS.keyOverlapHours.default * HOUR_MS;
    expect(old).toMatchObject({
      expiresAtMs: bench.clock.nowMs() + overlapMs,
      replacedBy: minted.key.id,
    });
    expect(minted.key).toMatchObject({
      kind: 'public',
      origins: ['example.dk'],
      expiresAtMs: null,
    });
    for (const each of [secret, minted.secret]) expect(await bench.find(each)).not.toBeNull();
    await expect(bench.keyAdmin.rotate(id, key.id)).rejects.toMatchObject({ type: 'conflict' });
    bench.clock.turn(overlapMs);
    expect(await bench.find(secret)).toBeNull();
    expect(await bench.find(minted.secret)).not.toBeNull();
    await expect(bench.keyAdmin.rotate(id, key.id)).rejects.toMatchObject({ type: 'conflict' });
  });

  test('makes way at once with no overlap, and is then revoked', async () => {
    const id = await bench.account();
    const { key, secret } = await bench.key(id);
    expect(await bench.find(secret)).not.toBeNull();
    const { old, minted } = await bench.keyAdmin.rotate(id, key.id, 0);
    expect(old.revokedAtMs).toBe(bench.clock.nowMs());
    expect(await bench.find(secret)).toBeNull();
    expect(await bench.find(minted.secret)).not.toBeNull();
    expect((await bench.events(id)).map(({ event }) => event)).toEqual([
      'key.created',
      'key.created',
      'key.revoked',
    ]);
  });

  test.each([-1, 169, 1.5, NaN])('overlaps by no %s hours', async (hours) => {
    const id = await bench.account();
    const { key } = await bench.key(id);
    await expect(bench.keyAdmin.rotate(id, key.id, hours)).rejects.toMatchObject({
      type: 'invalid_request',
    });
  });

  test('is one of a bounded number, under any concurrency', async () => {
    const id = await bench.account();
    const tries = ACCOUNT_LIMITS.keysPerAccount + 12;
    const others = await Promise.all([store.another(), store.another()]);
    const benches = [bench, ...others.map((other) => accountBench(other, bench.clock))];
    const made = await Promise.allSettled(
      Array.from({ length: tries }, async (_, n) => benches[n % 3]!.key(id)),
    );
    await Promise.all(others.map((other) => other.close()));
    const refused = made.flatMap((each) =>
      each.status === 'rejected' ? [each.reason as unknown] : [],
    );
    expect(refused).toHaveLength(tries - ACCOUNT_LIMITS.keysPerAccount);
    for (const reason of refused) expect(reason).toMatchObject({ type: 'conflict' });
    const keys = await bench.keyAdmin.list(id);
    expect(keys).toHaveLength(ACCOUNT_LIMITS.keysPerAccount);
    // One that is revoked makes room, until the day's keys are made.
    await bench.keyAdmin.revoke(id, keys[0]!.id);
    await bench.key(id);
  });

  test('is listed with the working ones first and a bounded number of ended ones', async () => {
    const id = await bench.account();
    const first = await bench.key(id);
    await bench.keyAdmin.revoke(id, first.key.id);
    bench.clock.turn(1000);
    const second = await bench.key(id);
    const list = await bench.keyAdmin.list(id);
    expect(list.map((key) => key.id)).toEqual([second.key.id, first.key.id]);
  });
});

test('every change of an account or key advances one number, and no use of a key does', async () => {
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

test('a listener is told at once, and again after its connection was cut', async ({ skip }) => {
  if (store.kind !== 'postgres') skip('The embedded store cannot tell.');
  let told = 0;
  const listener = listen(store, 'geoopslag_accounts', () => {
    told += 1;
  });
  try {
    await until(() => told === 1);
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
