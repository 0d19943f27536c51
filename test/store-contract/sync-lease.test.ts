/** Who leads the syncs, over any number of processes: one at a time, by the store's clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/db/connect.ts';
import { readSyncLeader } from '../../src/ops/overview.ts';
import { Leader } from '../../sync/lease.ts';
import { SyncQueue } from '../../sync/queue.ts';
import { syncLayer } from '../../sync/run.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { until } from '../support/until.ts';
import { opened } from '../support/opened.ts';

const HOUR_MS = 3_600_000;

const leaders: Leader[] = [];
const bench = await opened(openSyncBench());
const other = await opened(bench.store.another({ purpose: 'sync' }));
afterEach(async () => {
  bench.upstream.faults.clear();
  for (const leader of leaders.splice(0)) await leader.stop();
  await bench.store.pool.query('delete from sync_lease');
});

async function leaderOf(store: Store, more: { termMs?: number; onTaken?: () => void } = {}) {
  const leader = new Leader({ store, log: bench.deps.log, ...more });
  leaders.push(leader);
  await leader.start();
  return leader;
}

/** Its term is over, as if nobody had renewed it. */
const expire = () =>
  bench.store.pool.query(`update sync_lease set expires_at = clock_timestamp() - interval '1 s'`);

describe('the lease', () => {
  test('has one holder of many that ask at once, and the next when it is given back', async () => {
    const asking = await Promise.all(
      [bench.store, other, bench.store, other].map((store) => leaderOf(store, { termMs: 600 })),
    );
    const leading = () => asking.filter((each) => each.current() !== null);
    expect(leading()).toHaveLength(1);
    const [first] = leading();
    expect(await readSyncLeader(other)).toMatchObject({
      holder: first!.holder,
      leads: true,
      epoch: 1,
    });
    await first!.stop();
    await until(() => leading().length === 1);
    expect(await readSyncLeader(other)).toMatchObject({ leads: true, epoch: 2 });
    expect(first!.current()).toBeNull();
  });

  test('of a leader that the store does not hear ends before another can take it', async () => {
    let isCut = false;
    const apart = {
      query: (...asked: Parameters<Store['apart']['query']>) =>
        isCut ? Promise.reject(new Error('timeout')) : bench.store.apart.query(...asked),
    };
    const cut = { kind: 'postgres', apart } as unknown as Store;
    const first = await leaderOf(cut, { termMs: 900 });
    const { signal } = first.current()!;
    let endedFirst = false;
    const second = await leaderOf(other, {
      termMs: 900,
      onTaken: () => {
        endedFirst = signal.aborted;
      },
    });
    // Longer than its term: it is renewed.
    await sleep(1_200);
    expect([first.current()?.epoch, second.current()]).toEqual([1, null]);
    isCut = true;
    await until(() => second.current() !== null);
    expect([endedFirst, first.current(), second.current()?.epoch]).toEqual([true, null, 2]);
  });
});

describe('a run of the leader', () => {
  test('publishes nothing once another leads, and is no obstacle to the next', async () => {
    const leader = await leaderOf(bench.store);
    bench.upstream.faults.set([{ fault: 'slow', layer: 'dige', value: 700, times: 1 }]);
    const deps = { ...bench.deps, leader };
    const slow = syncLayer(deps, 'dige', { trigger: 'schedule' });
    await until(async () => {
      const { rows } = await other.pool.query(
        `select from sync_run where phase = 'fetch' and state = 'running'`,
      );
      return rows.length === 1;
    });
    // What the cut off leader does not hear of.
    await expire();
    const second = await leaderOf(other);
    expect(second.current()).toMatchObject({ epoch: 2 });
    expect(await slow).toMatchObject({ state: 'failed', reason: /another has taken over/ });
    const { rows } = await other.pool.query(`select from layer_state where layer = 'dige'`);
    expect(rows).toEqual([]);

    const next = { ...bench.deps, store: other, leader: second };
    expect(await syncLayer(next, 'dige', { trigger: 'schedule' })).toMatchObject({
      state: 'published',
    });
    const { rows: runs } = await other.pool.query(
      `select state, lease_epoch from sync_run where layer = 'dige' order by id`,
    );
    expect(runs).toEqual([
      { state: 'failed', lease_epoch: 1 },
      { state: 'published', lease_epoch: 2 },
    ]);
  });

  test('is begun by nobody who does not lead, but a person’s request runs where it was made', async () => {
    await leaderOf(bench.store);
    const follower = await leaderOf(other);
    const deps = { ...bench.deps, store: other, leader: follower };
    expect(await syncLayer(deps, 'aa', { trigger: 'schedule' })).toMatchObject({
      state: 'failed',
      reason: 'Another process leads the syncs.',
    });
    expect(await syncLayer(deps, 'aa', { trigger: 'operator' })).toMatchObject({
      state: 'published',
    });
  });
});

describe('a process whose clock is wrong', () => {
  test('leads nothing that another leads', async () => {
    await leaderOf(bench.store);
    const follower = await leaderOf(other);
    const clock = { nowMs: () => bench.deps.clock.nowMs() + HOUR_MS };
    const queue = new SyncQueue({ ...bench.deps, store: other, clock, leader: follower }, 1);
    expect(queue.request('soe', 'expired')).toBe('following');
    expect(queue.request('soe', 'schedule')).toBe('following');
    expect(await readSyncLeader(other)).toMatchObject({ epoch: 1, leads: true });
  });
});
