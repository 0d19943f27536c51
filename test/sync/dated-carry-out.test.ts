/**
 * Rows that begin or end in the future: kept, never shown, and carried out when their date comes. Layers that change at
 * one instant: one transaction, and none of them waits for ever for another.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { LayerId, Theme } from '../../src/layers/keys.ts';
import { readStatus } from '../../src/ops/freshness.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { syncDated } from '../../sync/dated/run.ts';
import { JointPublication } from '../../sync/dated/together.ts';
import { revertLayer } from '../../sync/revert.ts';
import type { SyncOptions } from '../../sync/run.ts';
import { syncLayer } from '../../sync/run.ts';
import { INSTANT_MS, openDatedBench } from '../support/dated-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

const dated = await opened(openDatedBench());
await dated.syncThemes();
await dated.keep();

const rowsOf = async <R extends object>(text: string, values: unknown[] = []) =>
  (await dated.bench.store.pool.query<R>(text, values)).rows;

const codes = async (theme: Theme) =>
  (
    await rowsOf<{ code: string }>('select code from area where theme = $1 order by code', [theme])
  ).map(({ code }) => code);

const regionsIn = async (theme: Theme) =>
  (
    await rowsOf<{ region: string }>(
      'select distinct region_code as region from area where theme = $1 order by 1',
      [theme],
    )
  ).map(({ region }) => region);

const state = async (theme: Theme) =>
  (
    await rowsOf<{ version: string; generation: string; outdated_ms: number; synced_ms: number }>(
      `select version::text, generation::text,
         (extract(epoch from outdated_at) * 1000)::float8 as outdated_ms,
         (extract(epoch from synced_at) * 1000)::float8 as synced_ms
       from layer_state where layer = $1`,
      [theme],
    )
  )[0];

const healthOf = async (theme: Theme) => {
  const { store, clock, catalogue } = dated.deps;
  const { layers } = await readStatus(store, catalogue, clock.nowMs());
  return layers.find(({ layer }) => layer === theme)?.state;
};

const carryOut = (theme: Theme, liftedGuards: readonly string[] = []) =>
  dated.sync(theme, { trigger: 'dated', dated: true, liftedGuards });

describe('before the instant', () => {
  test('what is to come is kept beside the mirror, and nowhere in it', async () => {
    const kept = await rowsOf<{ layer: string; begins: number; ends: number }>(
      `select layer, (count(*) filter (where begins_at > '-infinity'))::integer as begins,
         (count(*) filter (where begins_at = '-infinity'))::integer as ends
       from dated_row group by layer order by layer`,
    );
    expect(kept).toEqual([
      { layer: 'kommune', begins: 1, ends: 1 },
      { layer: 'region', begins: 1, ends: 2 },
      { layer: 'sogn', begins: 2, ends: 1 },
    ]);
    expect(await codes('region')).toEqual(['1091', '1092']);
    expect(await codes('sogn')).not.toContain('9916');
    expect(await rowsOf('select id from dated_change order by id')).toEqual([
      { id: 'kommune-20981231T230000Z' },
      { id: 'region-20981231T230000Z' },
      { id: 'sogn-20981231T230000Z' },
    ]);
  });

  test('and the copy is not outdated, not by the clock of UTC either', async () => {
    expect((await state('region'))?.outdated_ms).toBe(INSTANT_MS);
    dated.setClock(INSTANT_MS - 1);
    expect(await healthOf('kommune')).not.toBe('missing');
    const before = await state('region');
    expect(told(await carryOut('region'))).toBe('unchanged');
    expect(await state('region')).toEqual(before);
    expect(await rowsOf("select id from sync_run where kind = 'dated'")).toEqual([]);
  });
});

describe('at the instant', () => {
  test('a copy whose rows have ended is late at once, and its old rows still answer', async () => {
    dated.setClock(INSTANT_MS - 1);
    for (const theme of ['region', 'kommune'] as const) await dated.sync(theme);
    expect(await healthOf('region')).toBe('fresh');
    dated.setClock(INSTANT_MS);
    expect(await healthOf('region')).toBe('delayed');
    expect(await codes('region')).toEqual(['1091', '1092']);
  });

  test('the rows at hand become valid without asking anybody', async () => {
    const before = await state('region');
    const others = await state('kommune');
    dated.bench.upstream.forgetRequests();
    expect(told(await carryOut('region', LIFTABLE_GUARDS))).toBe('published');
    expect(dated.bench.upstream.requests()).toEqual([]);
    expect(await codes('region')).toEqual(['1093']);
    for (const theme of ['region', 'kommune', 'sogn', 'retskreds', 'politikreds'] as const) {
      expect(await regionsIn(theme)).toEqual(['1093']);
    }
    const after = await state('region');
    // When the content was proved is no younger than that.
    expect(after).toMatchObject({ synced_ms: before?.synced_ms, outdated_ms: null });
    // Whoever keeps municipalities by their version has the old region in them.
    const renewed = await state('kommune');
    expect(Number(renewed?.version)).toBe(Number(others?.version) + 1);
    expect(renewed?.generation).toBe(after?.generation);
    expect(await healthOf('region')).not.toBe('delayed');
  });

  test('once: a second time there is nothing to do', async () => {
    const before = await state('region');
    expect(told(await carryOut('region'))).toBe('unchanged');
    expect(await state('region')).toEqual(before);
  });

  test('a name changes and a parish is split by the same rule', async () => {
    expect(told(await carryOut('kommune', ['canary']))).toBe('published');
    expect(await rowsOf("select name from area where theme = 'kommune' and code = '0091'")).toEqual(
      [{ name: 'Prøveholm Kommune (opdigtet) (kommende)' }],
    );
    expect(told(await carryOut('sogn', ['canary']))).toBe('published');
    expect(await codes('sogn')).toContain('9916');
    expect(await rowsOf('select from dated_row')).toEqual([]);
    expect(
      await rowsOf('select count(*)::integer as n from dated_change where version is not null'),
    ).toEqual([{ n: 3 }]);
  });

  test('the same file, read again, changes nothing', async () => {
    for (const theme of ['region', 'kommune', 'sogn'] as const) {
      expect(told(await dated.sync(theme))).toBe('unchanged');
    }
    // Nor does a reading of every row: they are the rows that were announced, to the byte.
    dated.bench.upstream.holdings.edit('region', (features) => [...features]);
    expect(told(await dated.sync('region'))).toBe('unchanged');
  });

  test('put back by a person it is late again, and waits for a person', async () => {
    await revertLayer(dated.deps, 'region', { by: 'test' });
    expect(await codes('region')).toEqual(['1091', '1092']);
    expect(await regionsIn('sogn')).toEqual(['1091', '1092']);
    expect(await healthOf('region')).toBe('delayed');
    expect(await carryOut('region')).toMatchObject({ state: 'held' });
    const by = { liftedGuards: LIFTABLE_GUARDS };
    expect(told(await dated.sync('region', by))).toBe('published');
    expect(await healthOf('region')).not.toBe('delayed');
    expect(await regionsIn('sogn')).toEqual(['1093']);
  });
});

describe('layers of one instant', () => {
  beforeEach(async () => {
    await dated.restore();
    dated.setClock(INSTANT_MS);
  });

  /** Which of the changes are published, and by how many transactions. */
  async function published(): Promise<{ codes: string; transactions: number }> {
    const [row] = await rowsOf<{ codes: string; transactions: number }>(
      `select coalesce(string_agg(code, ' ' order by code), '') as codes,
       count(distinct xmin::text)::integer as transactions
     from area where code in ('1093', '9916') or name like '%(kommende)'`,
    );
    return row!;
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
    const runs = "select layer, state from sync_run where kind = 'dated' order by layer";
    expect(await rowsOf(runs)).toEqual([
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
});
