/** Keys known by heart: known at once, revoked at once, and never a burden to the store. */
import { afterEach, describe, expect, test } from 'vitest';
import { newSecret } from '../../src/account/key-format.ts';
import { StoredKeyRing } from '../../src/account/key-ring.ts';
import { readKeys, readRevision, readWorkingKeys, recordUse } from '../../src/account/key-store.ts';
import type { KeyRingDeps } from '../../src/account/key-ring.ts';
import type { Store } from '../../src/db/connect.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { ACCOUNT_LIMITS } from '../../src/account/limits.ts';
import { amountOf } from '../support/run-settings.ts';
import { sharedStore } from '../support/store.ts';
import { accountBench, turnedClock } from './accounts-fixture.ts';

const ending: (() => Promise<unknown>)[] = [];

const store = await sharedStore();
const bench = accountBench(store);
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});

function ringWith(change: Partial<KeyRingDeps> = {}): StoredKeyRing {
  return new StoredKeyRing({
    readWorkingKeys: (most) => readWorkingKeys(store, { nowMs: bench.clock.nowMs(), most }),
    readKeys: (digests) => readKeys(store, digests),
    readRevision: () => readRevision(store),
    recordUse: (uses) => recordUse(store, uses),
    clock: bench.clock,
    pollMs: 50,
    ...change,
  });
}

function countedRing() {
  let asked = 0;
  const ring = ringWith({
    readKeys: (digests) => {
      asked += 1;
      return readKeys(store, digests);
    },
  });
  return { ring, asked: () => asked };
}

const random = () => newSecret({ kind: 'secret', environment: 'live' });

describe('a key', () => {
  test('is a principal, asked of the store once and known at once from then on', async () => {
    const accountId = await bench.account('business');
    const { key, secret } = await bench.key(accountId, {
      environment: 'live',
      permission: 'restricted:dagi,natur',
    });
    const { ring, asked } = countedRing();
    const first = ring.find(secret);
    expect(first).toBeInstanceOf(Promise);
    expect(ring.find(secret)).toBeInstanceOf(Promise);
    const principal = await first;
    expect(principal).toEqual({
      keyId: key.id,
      accountId,
      tier: 'business',
      environment: 'live',
      kind: 'secret',
      areas: new Set(['dagi', 'natur']),
      origins: [],
      capUnits: null,
    });
    expect(ring.find(secret)).toBe(principal);
    expect(asked()).toBe(1);
    expect(JSON.stringify(principal)).not.toContain(secret.slice(-20));
  });

  test('of the public kind carries its origins', async () => {
    const { secret } = await bench.key(await bench.account(), {
      kind: 'public',
      origins: ['Example.dk', '*.kort.dk', 'example.dk'],
    });
    expect(await bench.find(secret)).toMatchObject({
      kind: 'public',
      areas: new Set(['adresser']),
      origins: ['example.dk', '*.kort.dk'],
    });
  });

  test('that nobody has is none, and is not asked for again', async () => {
    const { ring, asked } = countedRing();
    const secret = random();
    expect(await ring.find(secret)).toBeNull();
    expect(ring.find(secret)).toBeNull();
    expect(asked()).toBe(1);
  });

  test.each(['', 'svc_live_', 'x'.repeat(48), 'æ'.repeat(48), 'x'.repeat(1_000_000)])(
    'is none without a question when it cannot be one: %#',
    (text) => {
      const ring = ringWith({ readKeys: () => Promise.reject(new Error('asked')) });
      expect(ring.find(text)).toBeNull();
      expect(ring.find(random().slice(0, -1) + '_')).toBeNull();
    },
  );
});

describe('a revoked key', () => {
  test('is not brought back by an answer that was on its way', async () => {
    const accountId = await bench.account();
    const { key, secret } = await bench.key(accountId);
    const gate = Promise.withResolvers<undefined>();
    const read = Promise.withResolvers<undefined>();
    const ring = ringWith({
      readKeys: async (digests) => {
        const answer = await readKeys(store, digests);
        read.resolve(undefined);
        await gate.promise;
        return answer;
      },
    });
    const asked = ring.find(secret);
    await read.promise;
    await bench.keyAdmin.revoke(accountId, key.id);
    ring.changed(await readRevision(store), () => true);
    gate.resolve(undefined);
    expect(await asked).toBeNull();
    expect(await ring.find(secret)).toBeNull();
  });

  test('is not kept when it was read before a change that all else was read after', async () => {
    const accountId = await bench.account();
    const { key, secret } = await bench.key(accountId);
    let hold: Promise<unknown> | null = null;
    const ring = ringWith({
      readKeys: async (digests) => {
        const answer = await readKeys(store, digests);
        if (digests.length > 0) await hold;
        return answer;
      },
    });
    const gate = Promise.withResolvers<undefined>();
    hold = gate.promise;
    const asked = ring.find(secret);
    await new Promise((resolve) => setTimeout(resolve, 100));
    // Another process revokes it; this one relearns the nothing it knows while the answer is held.
    await bench.keyAdmin.revoke(accountId, key.id);
    await ring.refresh();
    gate.resolve(undefined);
    expect(await asked).toBeNull();
  });
});

describe('while the store is away', () => {
  function awayRing(): { ring: StoredKeyRing; setAway: (value: boolean) => void } {
    let away = false;
    const unless = async <T>(ask: () => Promise<T>): Promise<T> => {
      if (away) throw new Error('connect ECONNREFUSED');
      return await ask();
    };
    const ring = ringWith({
      readKeys: (digests) => unless(() => readKeys(store, digests)),
      readWorkingKeys: (most) =>
        unless(() => readWorkingKeys(store, { nowMs: bench.clock.nowMs(), most })),
      readRevision: () => unless(() => readRevision(store)),
    });
    return {
      ring,
      setAway: (value) => {
        away = value;
      },
    };
  }

  test('a key that nobody has shown yet is known as well: working keys are read at the start', async () => {
    const accountId = await bench.account();
    const [kept, revoked] = [await bench.key(accountId), await bench.key(accountId)];
    await bench.keyAdmin.revoke(accountId, revoked.key.id);
    const { ring, setAway } = awayRing();
    setAway(true);
    ring.start();
    ending.push(() => ring.stop());
    await expect(Promise.resolve(ring.find(kept.secret))).rejects.toMatchObject({
      code: 'store_unreachable',
    });
    // It is tried again until the store answers.
    setAway(false);
    await ring.filled;
    setAway(true);
    expect(ring.find(kept.secret)).toMatchObject({ keyId: kept.key.id, accountId });
    await expect(Promise.resolve(ring.find(revoked.secret))).rejects.toMatchObject({ status: 503 });
  });

  test('the keys used last are read, as many as are kept', async () => {
    const accountId = await bench.account();
    const [old, late] = [await bench.key(accountId), await bench.key(accountId)];
    const usedAtMs = bench.clock.nowMs() + 1_000;
    await recordUse(store, [{ keyId: old.key.id, usedAtMs }]);
    const { keys } = await readWorkingKeys(store, { nowMs: bench.clock.nowMs(), most: 1 });
    expect(keys.map(({ principal }) => principal.keyId)).toEqual([old.key.id]);
    const all = await readWorkingKeys(store, { nowMs: bench.clock.nowMs(), most: 1_000 });
    expect(all.keys.map(({ principal }) => principal.keyId)).toContain(late.key.id);
  });

  test('a store that hangs keeps nobody waiting longer than said', async () => {
    const ring = ringWith({ readKeys: () => new Promise(() => undefined) });
    await expect(Promise.resolve(ring.find(random()))).rejects.toMatchObject({
      type: 'overloaded',
    });
    expect(ring.sizes.asked).toBe(0);
  });

  test('a store put back from an old copy is believed', async () => {
    let revision = 100;
    const ring = ringWith({
      readKeys: () => Promise.resolve({ revision, keys: [] }),
      readRevision: () => Promise.resolve(revision),
    });
    await ring.refresh();
    ring.changed(101, () => true);
    revision = 7;
    expect(await ring.find(random())).toBeNull();
    await ring.refresh();
    expect(await ring.find(random())).toBeNull();
  });
});

describe('any number of random keys', () => {
  test('grow nothing beyond its bound and ask the store in few statements', async () => {
    let statements = 0;
    let most = 0;
    let running = 0;
    let together = 0;
    const ring = ringWith({
      readKeys: async (digests) => {
        statements += 1;
        running += 1;
        together = Math.max(together, running);
        most = Math.max(most, digests.length);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
        return { revision: 1, keys: [] };
      },
    });
    let overloaded = 0;
    let refused = 0;
    const total = amountOf({ gate: 150_000, night: 900_000 });
    // A real key costs more to make than to refuse: of twelve one has its shape, the rest is garbage.
    const shaped = Array.from({ length: total / 12 }, random);
    const pending: Promise<unknown>[] = [];
    for (let index = 0; index < total; index += 1) {
      const secret =
        index % 12 === 0
          ? (shaped[index / 12] ?? '')
          : `svc_live_${index.toString(36).padStart(38, 'x')}`;
      const answer = ring.find(secret, `client ${index % 9}`);
      if (answer === null) refused += 1;
      else if (answer instanceof Promise) {
        pending.push(
          answer.catch((error: unknown) => {
            if (error instanceof Failure && error.type === 'overloaded') overloaded += 1;
            else throw error;
          }),
        );
      }
      if (index % 5_000 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await Promise.all(pending);
    expect(refused).toBe(total - total / 12);
    expect(together).toBe(1);
    expect(most).toBeLessThanOrEqual(ACCOUNT_LIMITS.keysAsked.total);
    expect(statements).toBeLessThan(500);
    expect(overloaded).toBeLessThan(shaped.length);
    expect(ring.sizes.refused).toBeLessThanOrEqual(ACCOUNT_LIMITS.keysRefused);
    expect(ring.sizes).toMatchObject({ known: 0, asked: 0 });
    // Who is known is not pushed out by who is not.
    const { secret } = await bench.key(await bench.account());
    const real = ringWith();
    expect(await real.find(secret)).not.toBeNull();
    await Promise.all(
      shaped.slice(0, 400).map((each) => Promise.resolve(real.find(each)).catch(() => null)),
    );
    expect(real.find(secret)).not.toBeInstanceOf(Promise);
  });
});

describe('the last use', () => {
  const lastUse = async (handle: Store, keyId: string): Promise<number | null> => {
    const { rows } = await handle.pool.query<{ at: Date }>(
      'select last_used_at as at from api_key_use where key_id = $1',
      [keyId],
    );
    return rows[0]?.at.getTime() ?? null;
  };

  test('is written down in one statement for all keys, later than the request', async () => {
    const accountId = await bench.account();
    const keys = await Promise.all([1, 2, 3].map(() => bench.key(accountId)));
    const written: number[] = [];
    const clock = turnedClock();
    const ring = ringWith({
      clock,
      recordUse: (uses) => {
        written.push(uses.length);
        return recordUse(store, uses);
      },
    });
    for (const { secret } of keys) await ring.find(secret);
    expect(written).toEqual([]);
    clock.turn(5000);
    for (const { secret } of keys.slice(0, 2)) await ring.find(secret);
    const before = await readRevision(store);
    await ring.recordUse();
    expect(written).toEqual([3]);
    await ring.recordUse();
    expect(written).toEqual([3]);
    const times = await Promise.all(keys.map(({ key }) => lastUse(store, key.id)));
    const nowMs = clock.nowMs();
    expect(times).toEqual([nowMs, nowMs, nowMs - 5000]);
    // Being used is no change: nobody has to learn keys anew for it.
    expect(await readRevision(store)).toBe(before);
    const [listed] = (await bench.keyAdmin.list(accountId)).filter(
      ({ id }) => id === keys[0]?.key.id,
    );
    expect(listed?.lastUsedAtMs).toBe(nowMs);
    // An older word from another process changes nothing.
    await recordUse(store, [{ keyId: keys[0]?.key.id ?? '', usedAtMs: nowMs - 99_000 }]);
    expect(await lastUse(store, keys[0]?.key.id ?? '')).toBe(nowMs);
  });

  test('is kept over a store that does not answer, and written when stopping', async () => {
    const { key, secret } = await bench.key(await bench.account());
    let away = true;
    const ring = ringWith({
      recordUse: (uses) => (away ? Promise.reject(new Error('away')) : recordUse(store, uses)),
    });
    await ring.find(secret);
    await expect(ring.recordUse()).rejects.toThrow('away');
    away = false;
    await ring.stop();
    expect(await lastUse(store, key.id)).toBe(bench.clock.nowMs());
  });
});
