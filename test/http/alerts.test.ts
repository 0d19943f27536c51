/**
 * Each alert by the product: a service over a real store is brought into what is wrong, and what it then says at
 * `/metrics` makes the rule fire. Those of a whole process: alerts-process.test.ts.
 */
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Composed } from '../../src/start/service.ts';
import { FEATURE } from '../../src/snapshot/grid.ts';
import { keyOf } from '../../sample/holdings.ts';
import type { ShelfEntry } from '../../sample/files/entry.ts';
import { samplePoint } from '../../sample/points.ts';
import { preparePreviews } from '../../sync/dated/preview.ts';
import { Leader } from '../../sync/lease.ts';
import { retentionDays } from '../../src/kernel/retention.ts';
import { sweep } from '../../src/ops/retention-sweep.ts';
import { TOKEN } from '../edge/operator.ts';
import { alertsFor } from '../support/alert-judge.ts';
import type { Scrape, Told } from '../support/alert-judge.ts';
import { INSTANT_MS, openDatedBench } from '../support/dated-bench.ts';
import { openDatedService } from '../support/dated-service.ts';
import { Door, serverOf, urlThrough } from '../support/door.ts';
import { mintKey } from '../support/keys.ts';
import { keptLog } from '../support/log.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { findPromtool } from '../support/promtool.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import type { SyncBench } from '../support/sync-bench.ts';
import { until } from '../support/until.ts';
import { WEBHOOK_KEY } from '../webhooks/webhook-bench.ts';

const DAY_MS = 24 * 3600 * 1000;
const { lon, lat } = samplePoint('forest').wgs84;
const LINES = `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`;
const BEARER = { authorization: `Bearer ${TOKEN}` };

const FOLD_AGE = /^geoopslag_usage_fold_age_seconds (\S+)$/m;

async function scrape({ app }: Pick<Composed, 'app'>): Promise<Scrape> {
  const { statusCode, body } = await app.inject({ url: '/metrics', headers: BEARER });
  return { text: statusCode === 200 ? body : null, atMs: Date.now() };
}

/** Two scrapes, between which the first number of `metric` rises. */
async function twice(service: Composed, metric: RegExp): Promise<[Scrape, Scrape]> {
  const of = ({ text }: Scrape) => Number(metric.exec(text ?? '')?.[1]);
  let [first, second] = [await scrape(service), await scrape(service)];
  while (!(of(second) > of(first))) {
    await sleep(500);
    [first, second] = [
      of(second) < of(first) || Number.isNaN(of(first)) ? second : first,
      await scrape(service),
    ];
  }
  return [first, second];
}

const isPostgres = process.env['TEST_STORE'] === 'postgres';

describe.skipIf(!findPromtool() || !isPostgres)('a service', () => {
  let bench: SyncBench;
  let door: Door;
  let service: Composed;
  let key: string;
  let before: Scrape;
  let shared: string;
  const settings = (): Record<string, string> => ({
    ...{ WEBHOOK_KEY, WEBHOOK_LOOPBACK: 'on', KORT_PER_SECOND: '1' },
    SNAPSHOT_STORE: shared,
  });

  beforeAll(async () => {
    bench = await openSyncBench(await openMirroredStore('served'));
    const { deps, store } = bench;
    shared = join(store.dataDir, 'shared');
    door = new Door(serverOf(store.databaseUrl ?? ''));
    await door.open();
    const databaseUrl = urlThrough(door, store.databaseUrl ?? '');
    service = await openDatedService({
      ...{ deps, store, databaseUrl, open: false, settings: settings() },
    });
    key = await mintKey(service, { permission: 'jobs' });
    await until(() => service.memory?.isOpen === true);
    const leader = new Leader({ store, log: keptLog() });
    await leader.start();
    await until(() => readdirSync(shared, { recursive: true }).join().includes('published.json'));
    before = await scrape(service);
    await leader.stop();
  });
  afterAll(async () => {
    await service.close();
    await door.slam();
    await bench.close();
  });

  const get = (url: string) =>
    service.app.inject({ url, headers: { authorization: `Bearer ${key}` } });
  const asked = async (url: string, times: number): Promise<number[]> =>
    (await Promise.all(Array.from({ length: times }, () => get(url)))).map((r) => r.statusCode);
  const now = () => scrape(service);
  const accountId = async (): Promise<string> => {
    const { rows } = await bench.store.pool.query<{ id: string }>('select id from account');
    return rows.map(({ id }) => id).toSorted()[0]!;
  };
  const mintNamed = async (name: string) => {
    const wanted = { kind: 'secret', environment: 'live', permission: 'read' } as const;
    await service.accounts.keyAdmin.mint(await accountId(), { name, ...wanted });
  };
  /** While the clock is turned forward. */
  const later = async (ms: number, look: () => Promise<Told>): Promise<Told> => {
    bench.advance(ms);
    try {
      return await look();
    } finally {
      bench.advance(-ms);
    }
  };
  /** Until it says so: a busy machine may be an outage of its own. */
  const onceItSays = async (part: RegExp, bring?: () => Promise<unknown>): Promise<Told> => {
    let last = before;
    const isSaid = async () => {
      await bring?.();
      last = await now();
      return part.test(last.text ?? '');
    };
    await until(isSaid);
    return { before, then: [last] };
  };
  const once = () => onceItSays(/geoopslag_store_up 1/);

  const STATES: Readonly<Record<string, () => Promise<Told>>> = {
    GeoopslagNoLeader: once,
    GeoopslagRetentionStill: async () => {
      await sweep({ store: bench.store, days: retentionDays('RETENTION') });
      await bench.store.pool.query(
        `update retention_sweep set swept_at = now() - interval '3 days'`,
      );
      return await once();
    },
    GeoopslagLayerLate: () => later(3 * DAY_MS, once),
    GeoopslagLayerExpired: () => later(40 * DAY_MS, once),
    GeoopslagLayerOfFuture: async () => {
      const turn = (by: string) =>
        bench.store.pool.query(
          `update layer_state set synced_at = synced_at ${by} interval '3 hours' where layer = 'soe'`,
        );
      await turn('+');
      try {
        return await once();
      } finally {
        await turn('-');
      }
    },
    GeoopslagLayerRefused: async () => {
      bench.upstream.holdings.empty('soe');
      expect((await bench.sync('soe')).state).toBe('refused');
      bench.upstream.holdings.restore();
      return await once();
    },
    GeoopslagLayerFailed: async () => {
      await bench.upstream.pause();
      expect((await bench.sync('skov')).state).toBe('failed');
      await bench.upstream.resume();
      return await once();
    },
    GeoopslagKeyRefused: async () => {
      bench.upstream.faults.set([{ fault: 'unauthorized', layer: 'strandbeskyttelse' }]);
      expect((await bench.sync('strandbeskyttelse')).state).toBe('failed');
      bench.upstream.faults.clear();
      return await once();
    },
    GeoopslagKeyEnds: async () => {
      const soon = new Date(Date.now() + 5 * DAY_MS).toISOString().slice(0, 10);
      const of = { ...bench, open: false, settings: { UPSTREAM_KEYS_END: soon } };
      const other = await openDatedService(of);
      const told = await scrape(other);
      await other.close();
      return { before, then: [told] };
    },
    GeoopslagMemoryAlarm: async () => {
      const { featureFlags } = service.memory!.current!.layers.get('natur')!.snapshot;
      for (let i = 0; i < featureFlags.length; i++) featureFlags[i]! ^= FEATURE.adopted;
      await until(async () => {
        await service.audit?.round();
        return (service.audit?.view().alarms.length ?? 0) > 0;
      });
      return await once();
    },
    GeoopslagSharedFilesRefused: async () => {
      for (const entry of readdirSync(join(shared, 'files'))) {
        const bytes = readFileSync(join(shared, 'files', entry));
        bytes[bytes.length >> 1]! ^= 4;
        writeFileSync(join(shared, 'files', entry), bytes);
      }
      const dataDir = join(bench.store.dataDir, 'other');
      const of = { deps: bench.deps, store: { ...bench.store, dataDir }, open: false };
      const other = await openDatedService({ ...of, settings: settings() });
      await until(() => other.memory?.isOpen === true);
      const told = await scrape(other);
      await other.close();
      return { before, then: [told] };
    },
    GeoopslagSharedFilesAway: async () => {
      renameSync(shared, `${shared}-away`);
      writeFileSync(shared, 'no folder');
      const feature = bench.upstream.holdings.features('aa')[0]!;
      bench.upstream.holdings.remove('aa', keyOf('aa', feature)!);
      await bench.sync('aa');
      return await onceItSays(/geoopslag_snapshot_store_up 0/);
    },
    GeoopslagRefusals: async () => {
      const first = await now();
      expect(await asked('/v1/kort/soe.json', 30)).toContain(429);
      return { before, then: [first, await now()] };
    },
    GeoopslagSlow: async () => {
      const first = await now();
      const client = await bench.store.pool.connect();
      await client.query('begin; lock table job in access exclusive mode');
      const answers = asked('/v1/jobs', 4);
      await sleep(4_000);
      await client.query('rollback');
      client.release();
      await answers;
      return { before, then: [first, await now()] };
    },
    GeoopslagJobStill: async () => {
      const asJson = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const columns = { x: 'x', y: 'y' };
      const payload = { kind: 'dagi', columns, rows: [{ x: 700_000, y: 6_200_000 }] };
      const { statusCode } = await service.app.inject({
        ...{ method: 'POST', url: '/v1/jobs', headers: asJson, payload },
      });
      expect(statusCode).toBe(201);
      return { before, then: await twice(service, /^geoopslag_jobs_still_seconds (\S+)/m) };
    },
    GeoopslagWebhooksFailing: async () => {
      const url = 'https://127.0.0.1:65535/hook';
      await service.hooks.webhooks.register(await accountId(), { url, events: ['key.created'] });
      await mintNamed('Ny');
      return await onceItSays(/endpoints_failing 1/);
    },
    GeoopslagWebhooksLate: async () => {
      await service.hooks.stop();
      await mintNamed('En til');
      return { before, then: await twice(service, /^geoopslag_webhook_oldest_due_seconds (\S+)/m) };
    },
    GeoopslagDatabaseBusy: async () => {
      const { pool } = service.store;
      const most = pool.options.max;
      const clients = await Promise.all(Array.from({ length: most }, () => pool.connect()));
      const waiting = pool.query('select 1').catch(() => undefined);
      const told: Told = { before, then: [await now()] };
      for (const client of clients) client.release();
      await waiting;
      return told;
    },
    GeoopslagFallbackAnswers: () =>
      later(40 * DAY_MS, async () => {
        await bench.upstream.pause();
        const first = await now();
        await asked(LINES, 5);
        return { before, then: [first, await now()] };
      }),
    GeoopslagUpstreamBroken: () =>
      later(40 * DAY_MS, async () => {
        const isOpen = /geoopslag_upstream_breaker\{[^}]*state="open"[^}]*\} 1/;
        const told = await onceItSays(isOpen, () => asked(LINES, 20));
        await bench.upstream.resume();
        return told;
      }),
    GeoopslagStoreAway: async () => {
      await door.slam();
      return { before, then: [await now()] };
    },
    GeoopslagErrors: async () => {
      const first = await now();
      expect(await asked('/v1/jobs', 20)).toContain(503);
      return { before, then: [first, await now()] };
    },
    GeoopslagUsageNotFolded: async () => {
      expect(await asked(LINES, 3)).toEqual([200, 200, 200]);
      await until(async () => Number(FOLD_AGE.exec((await now()).text ?? '')?.[1]) > 3);
      const then = await twice(service, FOLD_AGE);
      await door.open();
      return { before, then };
    },
  };

  test.each(Object.entries(STATES))('has %s fire', async (alert, bring) => {
    const fired = alertsFor(await bring());
    expect(fired.before).not.toContain(alert);
    expect(fired.after).toContain(alert);
  });
});

describe.skipIf(!findPromtool() || !isPostgres)('what comes with its date', () => {
  test.each([
    ['GeoopslagRegisterStill', INSTANT_MS - 20 * DAY_MS],
    ['GeoopslagChangeUnconfirmed', INSTANT_MS - 3 * DAY_MS],
    ['GeoopslagChangeOverdue', INSTANT_MS + 3_600_000],
  ])('has %s fire', async (alert, atMs) => {
    const dated = await openDatedBench();
    const { bench, deps } = dated;
    const generationTime = new Date(INSTANT_MS - 41 * DAY_MS).toISOString();
    const listing = (entries: readonly ShelfEntry[]) =>
      entries.map((entry) => ({ ...entry, generationTime }));
    bench.upstream.shelf.spoil({ listing });
    await dated.syncThemes();
    await preparePreviews(deps);
    const service = await openDatedService({ deps, store: bench.store });
    const before = await scrape(service);
    dated.setClock(atMs);
    const fired = alertsFor({ before, then: [await scrape(service)] });
    await service.close();
    await dated.close();
    expect(fired.before).not.toContain(alert);
    expect(fired.after).toContain(alert);
  });
});
