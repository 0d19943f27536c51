/**
 * The database is away at the instant: cut off, or silent. Memory goes on answering, as old from the
 * instant on, and says so; the change is carried out when the database is back.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/db/connect.ts';
import type { Store } from '../../src/db/connect.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { AREA_IDS, POSTAL } from '../../src/layers/keys.ts';
import type { Composed } from '../../src/start/service.ts';
import { confirmChange } from '../../src/ops/dated-changes.ts';
import { preparePreviews } from '../../sync/dated/preview.ts';
import { startSync } from '../../sync/start.ts';
import type { SyncService } from '../../sync/start.ts';
import { INSTANT_MS, openDatedBench } from '../support/dated-bench.ts';
import type { DatedBench } from '../support/dated-bench.ts';
import { holdOthers, openDatedService } from '../support/dated-service.ts';
import { Door, serverOf, urlThrough } from '../support/door.ts';
import { told } from '../support/run-outcome.ts';
import { HANG_MS } from '../support/run-settings.ts';

const BEFORE_MS = INSTANT_MS - 60_000;
/** For what must come, whatever else runs on this machine. */
const DEADLINE = { timeout: 2 * HANG_MS, interval: 50 };

const here = process.env['TEST_STORE'] === 'postgres';

describe.skipIf(!here)('the database away at the instant', () => {
  let dated: DatedBench;
  let door: Door;
  /** The sync's own way to the database: by the same door as the service's. */
  let store: Store;
  let service: Composed;
  let sync: SyncService;
  const said: string[] = [];

  beforeAll(async () => {
    dated = await openDatedBench({ startMs: BEFORE_MS });
    await dated.syncThemes();
    expect(told(await dated.sync(POSTAL))).toBe('published');
    const { bench, deps } = dated;
    await preparePreviews(deps);
    for (const id of ['region-20981231T230000Z', 'kommune-20981231T230000Z']) {
      const by = { id, nowMs: BEFORE_MS, by: 'test', remark: null };
      expect((await confirmChange(bench.store, by)).state).toBe('done');
    }
    await holdOthers(bench.store, AREA_IDS);
    await dated.keep();
    const databaseUrl = bench.store.databaseUrl ?? '';
    door = new Door(serverOf(databaseUrl));
    await door.open();
    const url = urlThrough(door, databaseUrl);
    store = await openStore({
      ...{ databaseUrl: url, dataDir: bench.store.dataDir, purpose: 'sync' },
      log: { error: () => undefined },
    });
    service = await openDatedService({ deps, store: bench.store, databaseUrl: url });
  });
  afterAll(async () => {
    await service.close();
    await store.close();
    await door.slam();
    await dated.close();
  });
  beforeEach(async () => {
    await dated.restore();
    said.length = 0;
    const say = (_detail: object, message: string) => void said.push(message);
    sync = startSync({
      ...dated.deps,
      store,
      log: { info: () => undefined, warn: say, error: say },
      onPublished: () => service.memory?.nudge(),
    });
    await sync.idle();
    service.memory?.nudge();
    await expect.poll(() => service.memory?.current?.areaReader() ?? null, DEADLINE).not.toBeNull();
    await expect.poll(look, DEADLINE).toMatchObject({ codes: '1091 1092', stale: [] });
    // What is known of the store is of this test's mirror, not of the last one's.
    expect(await regionInStatus()).toEqual({ tilstand: 'frisk', source: 'store' });
  });
  afterEach(async () => {
    door.silent = false;
    await sync.stop();
  });

  const get = (url: string) => service.app.inject({ url });

  /** A point and an area: what they tell, and which of them as old. */
  async function look() {
    const point = await get('/v1/dagi/reverse?x=651500&y=6313000&srid=25832');
    const area = await get('/v1/dagi/kommune/0094');
    if (point.statusCode !== 200 || area.statusCode !== 200) {
      return { codes: `${point.statusCode} ${area.statusCode}`, stale: [] };
    }
    const { omraader } = point.json<{ omraader: { tema: string; kode: string }[] }>();
    const region = omraader.find(({ tema }) => tema === 'region')?.kode ?? 'none';
    const isStale = ({ headers }: typeof point) =>
      String(headers['cache-status']).includes('stale');
    return {
      codes: `${region} ${area.json<{ regionskode: string }>().regionskode}`,
      stale: Object.entries({ point, area }).flatMap(([name, each]) =>
        isStale(each) ? [name] : [],
      ),
    };
  }

  const regionInStatus = async () => {
    const response = await get('/v1/status');
    const { lag } = response.json<{ lag: { lag: string; tilstand: string }[] }>();
    return {
      tilstand: lag.find(({ lag: layer }) => layer === 'region')?.tilstand,
      source: response.headers['x-service-status-source'] ?? 'store',
    };
  };

  async function outlive(begin: () => unknown, end: () => unknown): Promise<void> {
    await begin();
    // Known to be away before the instant comes, as after a night of it.
    await expect.poll(regionInStatus, DEADLINE).toMatchObject({ source: 'memory' });
    expect(await look()).toEqual({ codes: '1091 1092', stale: [] });
    dated.setClock(INSTANT_MS - 1);
    expect(await look()).toEqual({ codes: '1091 1092', stale: [] });
    dated.setClock(INSTANT_MS);
    expect(await look()).toEqual({ codes: '1091 1092', stale: ['point', 'area'] });
    expect(await regionInStatus()).toEqual({ tilstand: 'forsinket', source: 'memory' });
    // The watch has tried by now, and goes on.
    await sleep(3 * LIMITS.datedTickMs);
    expect(await look()).toEqual({ codes: '1091 1092', stale: ['point', 'area'] });
    await end();
    await vi.waitFor(
      async () => expect(await look()).toEqual({ codes: '1093 1093', stale: [] }),
      DEADLINE,
    );
    await expect
      .poll(regionInStatus, DEADLINE)
      .toMatchObject({ tilstand: 'frisk', source: 'store' });
  }

  test('cut off', async () => {
    await outlive(
      () => door.slam(),
      () => door.open(),
    );
    expect(said.join()).toMatch(/sync of region failed/);
  });

  test('silent', async () => {
    await outlive(
      () => {
        door.silent = true;
      },
      async () => {
        // What went unanswered is lost, as by a server that was frozen too long.
        await door.slam();
        door.silent = false;
        await door.open();
      },
    );
  });
});
