/** Layers that change at one instant: one transaction, and none of them waits for ever for another. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { LayerId } from '../../src/layers/keys.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { syncDated } from '../../sync/dated/run.ts';
import { JointPublication } from '../../sync/dated/together.ts';
import type { SyncOptions } from '../../sync/run.ts';
import { syncLayer } from '../../sync/run.ts';
import { INSTANT_MS, openDatedBench } from '../support/dated-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

const dated = await opened(openDatedBench());
beforeAll(async () => {
  await dated.syncThemes();
  await dated.keep();
});
beforeEach(async () => {
  await dated.restore();
  dated.setClock(INSTANT_MS);
});

/** Which of the changes are published, and by how many transactions. */
async function published(): Promise<{ codes: string; transactions: number }> {
  const { rows } = await dated.bench.store.pool.query<{ codes: string; transactions: number }>(
    `select coalesce(string_agg(code, ' ' order by code), '') as codes,
       count(distinct xmin::text)::integer as transactions
     from area where code in ('1093', '9916') or name like '%(kommende)'`,
  );
  return rows[0]!;
}

const run = (joint: JointPublication, layer: LayerId, options: Partial<SyncOptions> = {}) =>
  syncLayer(dated.deps, layer, {
    ...{ trigger: 'dated', dated: true, liftedGuards: LIFTABLE_GUARDS, publish: joint.publish },
    ...options,
  }).finally(() => joint.leave(layer));

test('of three layers with one instant, those that may change do so in one transaction', async () => {
  // Nobody has confirmed the regions; the others trip no guard.
  const outcome = await syncDated(dated.deps, 'sogn', { signal: AbortSignal.timeout(60_000) });
  expect(told(outcome)).toBe('published');
  expect(await published()).toEqual({ codes: '0091 9916', transactions: 1 });
  const { rows } = await dated.bench.store.pool.query(
    "select layer, state from sync_run where kind = 'dated' order by layer",
  );
  expect(rows).toEqual([
    { layer: 'kommune', state: 'published' },
    { layer: 'region', state: 'refused' },
    { layer: 'sogn', state: 'published' },
  ]);
});

test('asked for twice at once, one carries all of them out and the other leaves them to it', async () => {
  const asked = { signal: AbortSignal.timeout(60_000) };
  const outcomes = await Promise.all([
    syncDated(dated.deps, 'sogn', asked),
    syncDated(dated.deps, 'kommune', asked),
  ]);
  expect(outcomes.map(told).toSorted()).toEqual(['busy', 'published']);
  expect(await published()).toEqual({ codes: '0091 9916', transactions: 1 });
  // Nothing is due any more: neither the rows at hand nor the source are read again.
  dated.bench.upstream.forgetRequests();
  expect(told(await syncDated(dated.deps, 'sogn', asked))).toBe('unchanged');
  expect(dated.bench.upstream.requests()).toEqual([]);
});

test('one whose rows cannot be put in place does not keep the others in the past', async () => {
  const joint = new JointPublication(dated.deps, ['region', 'sogn']);
  const [region, sogn] = await Promise.all([
    run(joint, 'region'),
    run(joint, 'sogn', {
      publish: (store, of, { expected, ...publishing }) =>
        joint.publish(store, of, { ...publishing, expected: { ...expected, inserted: 99 } }),
    }),
  ]);
  expect(told(region)).toBe('published');
  expect(told(sogn)).toMatch(/failed in apply: .*not the rows that were checked/);
  expect(await published()).toEqual({ codes: '1093', transactions: 1 });
});

test('one that does not come in time, or is stopped while it waits, is not waited for', async () => {
  const late = new JointPublication(dated.deps, ['region', 'kommune'], 500);
  expect(told(await run(late, 'region'))).toBe('published');
  // What was waited for comes behind, by itself.
  expect(told(await run(late, 'kommune'))).toBe('published');
  expect(await published()).toEqual({ codes: '0091 1093', transactions: 2 });

  const joint = new JointPublication(dated.deps, ['sogn', 'kommune']);
  const stop = new AbortController();
  const waiting = run(joint, 'sogn', {
    signal: stop.signal,
    onProgress: ({ phase }) => {
      if (phase === 'apply') setTimeout(() => stop.abort(new Error('stopped by the test')), 200);
    },
  });
  expect(told(await waiting)).toMatch(/failed in apply: stopped by the test/);
  expect((await published()).codes).toBe('0091 1093');
  joint.leave('kommune');
});
