/** What the pull log answers where it cannot, and what many readers cost: on a server of its own, which freezes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHANGE_LIMITS } from '../../src/changes/limits.ts';
import { openStore } from '../../src/db/connect.ts';
import type { Store } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { keptAccess } from '../edge/access.ts';
import type { KeySpec } from '../edge/access.ts';
import { expectError, memoryApp } from '../edge/edge.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { until } from '../support/until.ts';

const READERS = 100;
const { account: PLACES } = CHANGE_LIMITS.waiting;
const keyOf = (n: number) => `svc_test_${String(n).padStart(32, '0')}`;
const LONGEST = CHANGE_LIMITS.waiting as { longestS: number };
const { longestS: LONGEST_S } = LONGEST;

let cluster: Cluster;
let store: Store;
let app: FastifyInstance;
let asked = 0;

describe.skipIf(process.env['TEST_STORE'] === 'embedded' || findPostgres() === null)(
  'the pull log',
  () => {
    beforeAll(async () => {
      cluster = await startCluster();
      const timeouts = { connectMs: 1_000, statementMs: 1_000, silenceMs: 500 };
      const databaseUrl = cluster.url('postgres');
      const log = { error: () => undefined };
      store = await openStore({ databaseUrl, dataDir: '', log, timeouts });
      await migrateAt(databaseUrl);
      store.pool.on('acquire', () => (asked += 1));
      const keys: Record<string, KeySpec> = {};
      for (let n = 0; n < READERS / PLACES; n += 1) {
        keys[keyOf(n)] = { keyId: `key_${n}`, accountId: `acc_${n}` };
      }
      const access = keptAccess(keys);
      const longAnswers = { open: () => Promise.reject(new Error('There is no thread.')) };
      const source = { db: store.db, schemas: new Map(), naming: 'told' as const };
      app = await memoryApp({ access, changes: { source, sourceName: 'Prøve', longAnswers } });
    });
    afterEach(() => {
      LONGEST.longestS = LONGEST_S;
    });
    afterAll(async () => {
      await app.close();
      await store.close();
      await cluster.stop();
    });

    const get = (url: string, n = 0) =>
      app.inject({ url, headers: { authorization: `Bearer ${keyOf(n)}` } });

    test.each(['x', '-1', '1.5', '2147483648', '9007199254740992', ''])(
      'efter=%s is refused with its field',
      async (efter) => {
        for (const url of [
          `/v1/aendringer?efter=${efter}`,
          `/v1/udtraek/soe?transaktion=${efter}`,
        ]) {
          const answer = await get(url);
          expectError(answer, 'invalid_request');
          expect(answer.body).toMatch(/efter|transaktion/);
        }
      },
    );

    test('a hundred readers who wait cost the store a look a second', async () => {
      const before = asked;
      const waiting = Array.from({ length: READERS }, (_, n) =>
        get('/v1/aendringer?efter=0&vent=4', Math.floor(n / PLACES)),
      );
      await until(() => asked - before >= 3 * READERS);
      const begun = asked;
      const answers = await Promise.all(waiting);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
      // Each thread looks once a second for all of them; without that it is 100 times 3 a second.
      expect(asked - begun).toBeLessThan(READERS);
    });

    test('more of an account than it has places are refused', async () => {
      const waiting = Array.from({ length: PLACES + 1 }, () =>
        get('/v1/aendringer?efter=0&vent=2'),
      );
      const codes = (await Promise.all(waiting)).map(({ statusCode }) => statusCode);
      expect(codes.toSorted((a, b) => a - b)).toEqual([...Array<number>(PLACES).fill(200), 429]);
    });

    test('an answer that takes longer than its limit is ended, and its place is free', async () => {
      LONGEST.longestS = 1;
      const ended = Array.from({ length: PLACES }, () => get('/v1/aendringer?efter=0&vent=30'));
      const outcomes = await Promise.allSettled(ended);
      expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
      expect((await get('/v1/aendringer?efter=0')).statusCode).toBe(200);
    });

    test('a store that freezes is 503, at once and while a reader waits: never "nothing new"', async () => {
      const waiting = get('/v1/aendringer?efter=0&vent=20');
      await sleep(CHANGE_LIMITS.lookMs / 2);
      cluster.freeze();
      try {
        for (const answer of [await waiting, await get('/v1/aendringer?efter=0')]) {
          expect(answer.statusCode, answer.body).toBe(503);
          expect(answer.body).not.toContain('transaktioner');
        }
        expect((await get('/v1/aendringer/seneste')).statusCode).toBe(503);
      } finally {
        cluster.thaw();
      }
      await until(async () => (await get('/v1/aendringer?efter=0')).statusCode === 200);
    });
  },
);

async function migrateAt(databaseUrl: string): Promise<void> {
  const log = { error: () => undefined };
  const own = await openStore({ databaseUrl, dataDir: '', purpose: 'sync', log });
  await migrate(own);
  await own.close();
}
