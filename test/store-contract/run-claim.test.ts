/** One run per layer over any number of callers and processes; test/faults/kill.test.ts has what becomes of the dead. */
import { afterEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { syncLayer } from '../../sync/run.ts';
import { SyncQueue } from '../../sync/queue.ts';
import { silence } from '../support/silence.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openSyncBench());
const other = await opened(bench.store.another({ purpose: 'sync' }));
afterEach(() => {
  bench.upstream.faults.clear();
  bench.upstream.holdings.restore();
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

describe('a run given up', () => {
  test('is failed with the caller’s reason, and the layer is free again', async () => {
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
