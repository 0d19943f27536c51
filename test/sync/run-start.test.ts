/** The sync side of a service: its first start, its nights, and what it makes of requests. */
import { afterEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/db/connect.ts';
import { retentionDays } from '../../src/kernel/retention.ts';
import { readStatus } from '../../src/ops/freshness.ts';
import type { ServiceStatus } from '../../src/ops/freshness.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import { FEATURE_IDS } from '../../src/layers/mirror-ids.ts';
import { startSync } from '../../sync/start.ts';
import { freePort } from '../support/free-port.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { opened } from '../support/opened.ts';

const DAY_MS = 24 * 3600 * 1000;

const bench = await opened(openSyncBench());
// Noon: at night the next layer's slot may come while a test turns the clock by minutes.
bench.advance(DAY_MS - ((bench.deps.clock.nowMs() - DAY_MS / 2) % DAY_MS));
afterEach(() => bench.upstream.faults.clear());

function status(): Promise<ServiceStatus> {
  return readStatus(bench.store, bench.deps.catalogue, bench.deps.clock.nowMs());
}

async function stateOf(layer: string): Promise<string | undefined> {
  return (await status()).layers.find((each) => each.layer === layer)?.state;
}

describe('the first start', () => {
  test('mirrors every layer in the background, regions first, the failed one apart', async () => {
    bench.upstream.faults.set([{ fault: 'down', layer: 'kirke' }]);
    const sync = startSync(bench.deps);
    await sync.idle();
    await sync.stop();
    // Two at a time: which of the first two is on record first, or ends first, is chance.
    const { rows } = await bench.store.pool.query('select layer from sync_run order by id limit 2');
    expect(rows).toContainEqual({ layer: 'region' });
    // Listed buildings come from a WFS that asks for no key; the registers' files do.
    expect(bench.published).toHaveLength(FEATURE_IDS.length - 1 + 1);
    const { generation, layers } = await status();
    expect(generation).toBe(FEATURE_IDS.length);
    // No key to the address register's files is configured here.
    for (const { layer, state, rowCount } of layers.slice(0, LAYER_IDS.length)) {
      expect([layer, state]).toEqual([layer, layer === 'kirke' ? 'failed' : 'fresh']);
      expect([layer, (rowCount ?? 0) > 0]).toEqual([layer, layer !== 'kirke']);
    }
  });
});

describe('a start while the store is away', () => {
  test('says nothing of it each minute: that is told once, by who watches the store', async () => {
    const said: string[] = [];
    const say = (_detail: unknown, message: string) => void said.push(message);
    const port = await freePort();
    const databaseUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const away = await openStore({
      databaseUrl,
      dataDir: bench.store.dataDir,
      log: { error: (line) => void said.push(line) },
    });
    const log = { ...bench.deps.log, warn: say, error: say };
    const sync = startSync({ ...bench.deps, store: away, log });
    await sync.idle();
    // Of what was to be kept at the start it is told what came of it.
    expect(said.filter((message) => !message.includes('could not be kept'))).toEqual([]);
    expect(await sync.requestDue()).toEqual([]);
    await sync.stop();
    await away.close();
  });
});

describe('a later start', () => {
  test('runs nothing that is not due, and the failed layer only after a while', async () => {
    const sync = startSync(bench.deps);
    await sync.idle();
    expect(await sync.requestDue()).toEqual([]);
    bench.advance(5 * 60_000);
    expect(await sync.requestDue()).toEqual(['kirke']);
    await sync.idle();
    await sync.stop();
    expect(await stateOf('kirke')).toBe('fresh');
  });

  test('removes what is past its retention while it leads', async () => {
    const { store } = bench;
    await store.pool.query(
      `with owner as (
         insert into account (id, name, email, tier, created_at)
         values ('account_${'r'.repeat(20)}', 'Gammel', 'gammel@example.dk', 'pro', now()) returning id)
       insert into usage_line (journal, seq, at, day, account_id, key_id, operation, environment, units, request_id)
       select 'j', days, now() - make_interval(days => days), now()::date - days, id, 'key', 'dagi', 'live', 1, 'r'
       from owner, unnest(array[10, 399, 401, 900]) as days`,
    );
    const sync = startSync({ ...bench.deps, retention: retentionDays('RETENTION') });
    await sync.idle();
    await sync.stop();
    const { rows } = await store.pool.query('select seq::integer from usage_line order by seq');
    expect(rows).toEqual([{ seq: 10 }, { seq: 399 }]);
  });

  test('catches up on the nights it slept through, but for registers whose key nobody has configured', async () => {
    bench.advance(3 * DAY_MS);
    expect(await stateOf('soe')).toBe('delayed');
    // DAGI is delivered weekly and allowed to be older.
    expect(await stateOf('kommune')).toBe('fresh');
    const { generation } = await status();
    const from = new Date(bench.deps.clock.nowMs()).toISOString();
    const sync = startSync({ ...bench.deps, keys: {} });
    await sync.idle();
    await sync.stop();
    expect(await stateOf('soe')).toBe('fresh');
    // The source had not changed: nothing was published by it.
    expect((await status()).generation).toBe(generation);
    const { rows } = await bench.store.pool.query<{ layer: string }>(
      'select layer from sync_run where started_at >= $1',
      [from],
    );
    const layers = rows.map(({ layer }) => layer);
    expect(layers).toContain('soe');
    expect(layers).not.toContain('kommune');
    expect(layers).not.toContain('strandbeskyttelse');
  });

  test('takes requests until it is stopped', async () => {
    const sync = startSync({ ...bench.deps, keys: {} });
    await sync.idle();
    expect(sync.requestSync('soe', 'expired')).toBe('queued');
    await sync.stop();
    expect(sync.requestSync('soe', 'operator')).toBe('stopped');
  });
});
