/**
 * One run per layer over any number of callers and processes, and who leads the syncs: one at a time, by the store's
 * clock. test/faults/kill.test.ts has what becomes of the dead.
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/db/connect.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { readSyncLeader } from '../../src/ops/overview.ts';
import { Leader } from '../../sync/lease.ts';
import { syncLayer } from '../../sync/run.ts';
import { SyncQueue } from '../../sync/queue.ts';
import { silence } from '../support/silence.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { until } from '../support/until.ts';
import { opened } from '../support/opened.ts';
import { told } from '../support/run-outcome.ts';

const bench = await opened(openSyncBench());
const other = await opened(bench.store.another({ purpose: 'sync' }));
const leaders: Leader[] = [];
afterEach(async () => {
  bench.upstream.faults.clear();
  bench.upstream.holdings.restore();
  for (const leader of leaders.splice(0)) await leader.stop();
  await bench.store.pool.query('delete from sync_lease');
});

async function runs(layer: string) {
  const { rows } = await bench.store.pool.query<Record<string, unknown>>(
    'select * from sync_run where layer = $1 order by id',
    [layer],
  );
  return rows;
}

describe('two at once', () => {
  test('one runs, the other is told since when', async () => {
    const [first, second] = await Promise.all([
      bench.sync('soe'),
      syncLayer({ ...bench.deps, store: other }, 'soe', { trigger: 'operator' }),
    ]);
    expect([first.state, second.state].sort()).toEqual(['busy', 'published']);
    expect(await runs('soe')).toHaveLength(1);
  });

  test('of different layers do not mind each other, and every publication has its generation', async () => {
    const outcomes = await Promise.all([
      bench.sync('aa'),
      bench.sync('skov'),
      syncLayer({ ...bench.deps, store: other }, 'dige', { trigger: 'command' }),
    ]);
    expect(outcomes.map(({ state }) => state)).toEqual(['published', 'published', 'published']);
    const { rows } = await bench.store.pool.query<{ generation: number }>(
      'select generation from layer_state order by generation',
    );
    expect(rows.map(({ generation }) => generation)).toEqual([1, 2, 3, 4]);
  });
});

describe('a run', () => {
  test('costs nothing where the source is unchanged, and writes the one row that changed', async () => {
    const places = async () =>
      (
        await bench.store.pool.query<{ key: string; place: string }>(
          `select key, ctid::text as place from line_feature where layer = 'soe' order by key`,
        )
      ).rows;
    const before = await places();
    expect(await bench.sync('soe')).toMatchObject({ state: 'unchanged' });
    expect(await places()).toEqual(before);
    const { key } = before[0]!;
    bench.upstream.holdings.assign('soe', key, { CVR_navn: 'Prøve Kommune' });
    expect(await bench.sync('soe')).toMatchObject({
      state: 'published',
      counts: { inserted: 0, changed: 1, removed: 0 },
    });
    const written = (await places()).filter(({ place }, at) => place !== before[at]?.place);
    expect(written.map((each) => each.key)).toEqual([key]);
  });

  test('can be tried without publishing, and nothing is left of it', async () => {
    const outcome = await bench.sync('vandloeb', { dryRun: true });
    expect(outcome).toMatchObject({ state: 'would-publish', counts: { changed: 0, removed: 0 } });
    const { rows } = await bench.store.pool.query(
      `select layer from layer_state where layer = 'vandloeb' union all select layer from line_feature
       where layer = 'vandloeb' union all select 'staged' from stage_feature`,
    );
    expect([rows, await runs('vandloeb')]).toEqual([[], []]);
  });
});

test('a run given up is failed with the caller’s reason, and the layer is free again', async () => {
  bench.upstream.faults.set([{ fault: 'hang', layer: 'natur', fromIndex: 50 }]);
  const stop = new AbortController();
  const running = bench.sync('natur', { signal: stop.signal });
  await expect.poll(() => runs('natur')).toMatchObject([{ state: 'running', phase: 'fetch' }]);
  stop.abort(new Error('The service was stopped.'));
  expect(await running).toMatchObject({
    state: 'failed',
    phase: 'fetch',
    reason: 'The service was stopped.',
  });
  expect((await runs('natur')).at(-1)).toMatchObject({ state: 'failed' });
  bench.upstream.faults.clear();
  expect((await bench.sync('natur')).state).toBe('published');
});

test('a run that was taken for dead but lives publishes nothing', async () => {
  bench.upstream.faults.set([{ fault: 'slow', layer: 'klitfredning', value: 1500, times: 1 }]);
  const slow = bench.sync('klitfredning');
  await expect
    .poll(() => runs('klitfredning'))
    .toMatchObject([{ state: 'running', phase: 'fetch' }]);
  await silence(bench.store);
  const taker = await syncLayer({ ...bench.deps, store: other }, 'klitfredning', {
    trigger: 'command',
  });
  expect(taker.state).toBe('published');
  expect(await slow).toMatchObject({
    state: 'failed',
    reason: 'Another process took this run over.',
  });
  expect(await runs('klitfredning')).toMatchObject([{ state: 'failed' }, { state: 'published' }]);
});

describe('the queue of a process', () => {
  test('holds each layer once, runs in order, and drops what waits when it stops', async () => {
    const queue = new SyncQueue(bench.deps, 1);
    expect(queue.request('vandloeb', 'start')).toBe('queued');
    expect(queue.request('vandloeb', 'expired')).toBe('waiting');
    expect(queue.request('strandbeskyttelse', 'start')).toBe('queued');
    expect(queue.request('strandbeskyttelse', 'operator')).toBe('waiting');
    await queue.idle();
    expect(await runs('vandloeb')).toMatchObject([{ trigger: 'start', state: 'published' }]);
    expect(await runs('strandbeskyttelse')).toMatchObject([{ trigger: 'start' }]);
    queue.request('vandloeb', 'operator');
    queue.request('strandbeskyttelse', 'operator');
    await queue.stop();
    expect(await runs('strandbeskyttelse')).toHaveLength(1);
    expect(queue.request('aa', 'operator')).toBe('stopped');
  });

  test('does not ask a dead upstream each time an expired layer is looked up', async () => {
    const queue = new SyncQueue(bench.deps, 1);
    bench.upstream.faults.set([{ fault: 'down', layer: 'kirke' }]);
    expect(queue.request('kirke', 'expired')).toBe('queued');
    await queue.idle();
    expect(queue.request('kirke', 'expired')).toBe('paused');
    bench.advance(LIMITS.syncExpiredPauseMs);
    expect(queue.request('kirke', 'expired')).toBe('queued');
    await queue.idle();
    // The clock was set back.
    bench.advance(-24 * 3_600_000);
    expect(queue.request('kirke', 'expired')).toBe('queued');
    await queue.stop();
  });
});

test('a store that is away is an outcome, not a crash', async () => {
  const away = await bench.store.another({ purpose: 'sync' });
  await away.close();
  const outcome = await syncLayer({ ...bench.deps, store: away }, 'soe', { trigger: 'command' });
  expect(outcome).toMatchObject({ state: 'failed', phase: 'claim', runId: null });
});

async function leaderOf(store: Store, more: { termMs?: number; onTaken?: () => void } = {}) {
  const leader = new Leader({ store, log: bench.deps.log, ...more });
  leaders.push(leader);
  await leader.start();
  return leader;
}

const expire = () =>
  bench.store.pool.query(`update sync_lease set expires_at = clock_timestamp() - interval '1 s'`);

/** When the term of now is over, by the store's clock: later once it is renewed. Milliseconds. */
async function expiry(): Promise<number> {
  const { rows } = await bench.store.pool.query<{ ms: number }>(
    'select (extract(epoch from expires_at) * 1000)::float8 as ms from sync_lease',
  );
  return rows[0]?.ms ?? NaN;
}

/** Of leaders that tests wait for: a third of it is enough for a busy machine to renew it. */
const TERM_MS = 2_000;

describe('the lease', () => {
  test('has one holder of many that ask at once, and the next when it is given back', async () => {
    const asking = await Promise.all(
      [bench.store, other, bench.store, other].map((store) => leaderOf(store, { termMs: TERM_MS })),
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
    const first = await leaderOf(cut, { termMs: TERM_MS });
    const { signal } = first.current()!;
    let endedFirst = false;
    const second = await leaderOf(other, {
      termMs: TERM_MS,
      onTaken: () => {
        endedFirst = signal.aborted;
      },
    });
    const term = await expiry();
    await until(async () => (await expiry()) > term);
    expect([first.current()?.epoch, second.current()]).toEqual([1, null]);
    isCut = true;
    await until(() => second.current() !== null);
    expect([endedFirst, first.current(), second.current()?.epoch]).toEqual([true, null, 2]);
  });
});

describe('a run of the leader', () => {
  test('publishes nothing once another leads, and is no obstacle to the next', async () => {
    const leader = await leaderOf(bench.store);
    bench.upstream.faults.set([{ fault: 'slow', layer: 'fortidsminde', value: 700, times: 1 }]);
    const deps = { ...bench.deps, leader };
    const slow = syncLayer(deps, 'fortidsminde', { trigger: 'schedule' });
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
    const { rows } = await other.pool.query(`select from layer_state where layer = 'fortidsminde'`);
    expect(rows).toEqual([]);

    const next = { ...bench.deps, store: other, leader: second };
    expect(told(await syncLayer(next, 'fortidsminde', { trigger: 'schedule' }))).toBe('published');
    const { rows: runs } = await other.pool.query(
      `select state, lease_epoch from sync_run where layer = 'fortidsminde' order by id`,
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
    expect(await syncLayer(deps, 'kirke', { trigger: 'schedule' })).toMatchObject({
      state: 'failed',
      reason: 'Another process leads the syncs.',
    });
    expect(told(await syncLayer(deps, 'kirke', { trigger: 'operator' }))).toBe('published');
  });
});

test('a process whose clock is wrong leads nothing that another leads', async () => {
  await leaderOf(bench.store);
  const follower = await leaderOf(other);
  const clock = { nowMs: () => bench.deps.clock.nowMs() + 3_600_000 };
  const queue = new SyncQueue({ ...bench.deps, store: other, clock, leader: follower }, 1);
  expect(queue.request('soe', 'expired')).toBe('following');
  expect(queue.request('soe', 'schedule')).toBe('following');
  expect(await readSyncLeader(other)).toMatchObject({ epoch: 1, leads: true });
});
