/** The guards that look at columns, areas, places and answers: refused with numbers, released once. */
import { beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import type { LayerOverride } from '../../src/layers/catalogue.ts';
import { isAreaId } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { readUnread } from '../../sync/mirrors/features/unread.ts';
import type { RunOutcome } from '../../sync/deps.ts';
import { syncLayer } from '../../sync/run.ts';
import type { SampleFeature } from '../../sample/data/feature.ts';
import type { FaultRule } from '../../sample/fault-plan.ts';
import { mapPositions } from '../../sample/data/geometry.ts';
import { keyOf } from '../../sample/holdings.ts';
import { samplePoint } from '../../sample/points.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { countsOf, told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

const MIRRORED: readonly LayerId[] = ['kommune', 'kirke', 'aa', 'dige', 'skov', 'klitfredning'];

const bench = await opened(openSyncBench());
for (const layer of MIRRORED) expect(told(await bench.sync(layer))).toBe('published');
beforeEach(() => {
  bench.upstream.faults.clear();
  bench.upstream.holdings.restore();
});

const refusalOf = (outcome: RunOutcome) =>
  outcome.state === 'refused' ? outcome.refusals[0] : undefined;

const syncWith = (layer: LayerId, change: LayerOverride) =>
  syncLayer(
    { ...bench.deps, catalogue: overrideCatalogue(bench.deps.catalogue, { [layer]: change }) },
    layer,
    { trigger: 'command' },
  );

/** The features of a layer, each changed by its place in the order of keys. */
function edit(layer: LayerId, change: (feature: SampleFeature, at: number) => SampleFeature): void {
  bench.upstream.holdings.edit(layer, (features) => features.map(change));
}

const stranger = ({ properties }: SampleFeature): SampleFeature['properties'] => ({
  ...properties,
  Objekt_id: '00000000-0000-4000-8000-000000000000',
});

describe('columns', () => {
  test('that the mapping needs are asked for at the very first run', async () => {
    bench.upstream.faults.set([{ fault: 'missing-column', layer: 'soe' }]);
    expect(told(await bench.sync('soe'))).toBe('refused: schema');
  });

  test('that change their type between two pages refuse', async () => {
    edit('dige', (feature, at) =>
      at < 200 ? feature : { ...feature, properties: { ...feature.properties, Statuskode: '3' } },
    );
    const outcome = await bench.sync('dige');
    expect(told(outcome)).toMatch(/^refused: schema/);
    expect(refusalOf(outcome)?.numbers).toMatchObject({ drifting: 1 });
  });

  test('that are new are noted, once, and refuse nothing', async () => {
    bench.upstream.faults.set([{ fault: 'new-column', layer: 'aa' }]);
    const first = await bench.sync('aa');
    expect(told(first)).toBe('unchanged');
    expect(countsOf(first).columns.added).toEqual(['ny_kolonne']);
    expect(countsOf(first).notes.join()).toContain('new columns: ny_kolonne');
    expect(countsOf(await bench.sync('aa')).columns.added).toEqual([]);
  });

  test('cannot be told from a description that is not to be had: the rows have to do', async () => {
    bench.upstream.faults.set([{ fault: 'http-500', layer: 'aa', operation: 'schema' }]);
    const outcome = await bench.sync('aa', { liftedGuards: ['schema'] });
    expect(told(outcome)).toBe('unchanged');
    expect(countsOf(outcome).notes.join()).toContain('no description of the columns');
    bench.upstream.faults.set([
      { fault: 'http-500', layer: 'aa', operation: 'schema' },
      { fault: 'missing-column', layer: 'aa', operation: 'features' },
    ]);
    expect(told(await bench.sync('aa'))).toMatch(/^refused: schema/);
  });

  test('that go the day after a description was not to be had refuse all the same', async () => {
    const gone: FaultRule = {
      fault: 'missing-column',
      layer: 'klitfredning',
      attribute: 'virkningsaktoer',
    };
    bench.upstream.faults.set([
      { fault: 'declared-entities', layer: 'klitfredning', operation: 'schema' },
    ]);
    expect(told(await bench.sync('klitfredning'))).toBe('unchanged');
    bench.upstream.faults.set([gone]);
    expect(told(await bench.sync('klitfredning'))).toBe('refused: schema');
  });

  test('accepted by an operator are the contract from then on', async () => {
    const gone = { fault: 'missing-column', layer: 'klitfredning', attribute: 'tematype' } as const;
    bench.upstream.faults.set([gone]);
    const refused = await bench.sync('klitfredning');
    expect(told(refused)).toBe('refused: schema');
    expect(refusalOf(refused)).toMatchObject({
      message: expect.stringContaining('missing: tematype') as string,
      numbers: { missing: 1, retyped: 0, drifting: 0 },
    });
    expect(told(await bench.sync('klitfredning', { liftedGuards: ['schema'] }))).toBe('unchanged');
    expect(told(await bench.sync('klitfredning'))).toBe('unchanged');
    bench.upstream.faults.clear();
    expect(told(await bench.sync('klitfredning'))).toBe('unchanged');
  });
});

describe('features', () => {
  test('that nothing tells the place of refuse, however few', async () => {
    bench.upstream.holdings.edit('dige', ([model, ...others]) => [
      { ...model!, id: 'stranger.1', geometry: null, properties: stranger(model!) },
      model!,
      ...others,
    ]);
    const outcome = await bench.sync('dige');
    expect(told(outcome)).toBe('refused: unplaced');
    expect(refusalOf(outcome)?.numbers).toEqual({ unplaced: 1, maxLostRows: 0 });
    expect(told(await bench.sync('dige', { liftedGuards: ['unplaced'] }))).toBe('published');
    const { rows } = await bench.store.pool.query<{ lifted_guards: string[] }>(
      'select lifted_guards from sync_run order by id desc limit 1',
    );
    expect(rows).toEqual([{ lifted_guards: ['unplaced'] }]);
    bench.upstream.holdings.restore();
    expect(told(await bench.sync('dige'))).toBe('published');
  });

  test('that were never mirrored may come to nothing while others are really gone', async () => {
    const [model, gone] = bench.upstream.holdings.features('dige');
    const geometry: SampleFeature['geometry'] = {
      type: 'LineString',
      coordinates: [
        [610_000, 6_250_000],
        [610_000, 6_250_000],
      ],
    };
    const Objekt_id = '00000000-0000-4000-8000-000000000000';
    const stranger = { ...model!, id: 'stranger.1', geometry };
    bench.upstream.holdings.edit('dige', (all) => [
      ...all.filter((feature) => feature !== gone),
      { ...stranger, properties: { ...stranger.properties, Objekt_id } },
    ]);
    const outcome = await bench.sync('dige');
    expect(told(outcome)).toBe('published');
    expect(countsOf(outcome)).toMatchObject({ lostInRepair: 1, unplaced: 0, removed: 1 });
    bench.upstream.holdings.restore();
    expect(told(await bench.sync('dige'))).toBe('published');
  });

  test('without a place are missed also behind more unreadable and repaired ones than are written down', async () => {
    const [model] = bench.upstream.holdings.features('skov');
    const bowTie = (at: number): SampleFeature['geometry'] => {
      const [x, y] = [610_000 + 10 * at, 6_250_000];
      const corners = [
        [x, y],
        [x + 1, y + 1],
        [x + 1, y],
        [x, y + 1],
        [x, y],
      ] as const;
      return { type: 'Polygon', coordinates: [corners] };
    };
    const strangers = Array.from({ length: 2 * LIMITS.syncIssuesKept + 400 }, (_, at) => ({
      ...model!,
      id: `stranger.${at}`,
      geometry: at % 2 === 0 ? null : bowTie(at),
      properties: {
        ...model!.properties,
        // Before every key of the sample.
        Objekt_id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      },
    }));
    edit('skov', (feature, at) => (at === 40 ? { ...feature, geometry: null } : feature));
    bench.upstream.holdings.edit('skov', (all) => [...strangers, ...all]);
    const lifted = ['issues', 'row-growth', 'area-growth', 'repair-area', 'change-share', 'canary'];
    const outcome = await bench.sync('skov', { liftedGuards: lifted });
    expect(told(outcome)).toBe('refused: unplaced');
    // The one of the copy lies where that has it; of the strangers nobody knows.
    expect(countsOf(outcome)).toMatchObject({
      unreadable: LIMITS.syncIssuesKept + 201,
      repaired: LIMITS.syncIssuesKept + 200,
      unplaced: LIMITS.syncIssuesKept + 200,
    });
  });

  test('that need more repair than allowed refuse, and each is on record', async () => {
    bench.upstream.faults.set([{ fault: 'invalid-geometry', layer: 'skov', share: 0.5 }]);
    const outcome = await syncWith('skov', { guards: { maxRepairShare: 0.000_1 } });
    expect(told(outcome)).toMatch(/^refused: .*repair-area/);
    const counts = countsOf(outcome);
    expect(counts.repairedAreaM2).toBeGreaterThan(0);
    const { rows } = await bench.store.pool.query<{ detail: string }>(
      "select detail from sync_issue where run_id = $1 and kind = 'repaired'",
      ['runId' in outcome ? outcome.runId : null],
    );
    expect(rows).toHaveLength(counts.repaired);
  });
});

describe('the canary', () => {
  test('sees two municipalities that exchanged their land, which no count and no sum shows', async () => {
    const [first, second] = bench.upstream.holdings
      .features('kommune')
      .filter(({ properties }) => properties['skala'] === '1:10.000');
    edit('kommune', (feature) => {
      if (feature === first) return { ...feature, geometry: second?.geometry ?? null };
      if (feature === second) return { ...feature, geometry: first?.geometry ?? null };
      return feature;
    });
    const outcome = await bench.sync('kommune');
    expect(told(outcome)).toBe('refused: canary');
    const numbers = refusalOf(outcome)?.numbers ?? {};
    expect(numbers['canaryAsked']).toBeGreaterThan(100);
    expect(numbers['canaryChanged']).toBeGreaterThan(numbers['canaryAsked']! * 0.05);
    expect(told(await bench.sync('kommune', { liftedGuards: ['canary'] }))).toBe('published');
    bench.upstream.holdings.restore();
    expect(told(await bench.sync('kommune', { liftedGuards: ['canary'] }))).toBe('published');
  });

  test('is not moved by names: the same land under the same codes', async () => {
    edit('kommune', (feature) => {
      const navn = `Omdøbt ${keyOf('kommune', feature) ?? ''}`;
      return { ...feature, properties: { ...feature.properties, navn } };
    });
    const outcome = await bench.sync('kommune');
    expect(told(outcome)).toBe('published');
    expect(countsOf(outcome)).toMatchObject({ changed: 6, canaryChanged: 0 });
    expect(countsOf(outcome).canaryAsked).toBeGreaterThanOrEqual(200);
    bench.upstream.holdings.restore();
    expect(told(await bench.sync('kommune'))).toBe('published');
  });

  test('sees what was repealed in its place', async () => {
    edit('skov', (feature) => ({
      ...feature,
      properties: { ...feature.properties, Statuskode: 4 },
    }));
    const outcome = await bench.sync('skov', { liftedGuards: ['change-share'] });
    expect(told(outcome)).toBe('refused: canary');
  });

  test('sees an area that shrank where it lies, and left its land to nobody', async () => {
    const { xUtm32, yUtm32 } = samplePoint('middle').utm32;
    edit('kommune', (feature) => ({
      ...feature,
      geometry:
        Number(feature.properties['kommunekode']) === 93 && feature.geometry !== null
          ? mapPositions(feature.geometry, ([x = 0, y = 0]) => [
              xUtm32 + (x - xUtm32) / 20,
              yUtm32 + (y - yUtm32) / 20,
            ])
          : feature.geometry,
    }));
    const outcome = await bench.sync('kommune', { liftedGuards: ['area-drop'] });
    expect(told(outcome)).toBe('refused: canary');
  });

  test('lets pass what is drawn anew in the same place, and one area more or less', async () => {
    edit('dige', (feature) => ({
      ...feature,
      geometry:
        feature.geometry &&
        mapPositions(feature.geometry, ([x = 0, y = 0, ...rest]) => [x + 0.01, y, ...rest]),
    }));
    const outcome = await bench.sync('dige', { liftedGuards: ['change-share'] });
    expect(told(outcome)).toBe('published');
    const { canaryAsked, canaryChanged } = countsOf(outcome);
    expect(canaryAsked).toBe(200);
    expect(canaryChanged).toBeLessThan(10);
    bench.upstream.holdings.restore();
    expect(told(await bench.sync('dige', { liftedGuards: ['change-share'] }))).toBe('published');
  });

  test('asks the same points of the same copy each time', async () => {
    edit('skov', (feature, at) => (at % 3 === 0 ? { ...feature, geometry: null } : feature));
    const lifted = ['issues', 'row-drop', 'area-drop', 'change-share', 'min-rows'];
    const asked = async () => {
      const outcome = await bench.sync('skov', { liftedGuards: lifted });
      expect(told(outcome)).toBe('refused: canary');
      return refusalOf(outcome)?.numbers;
    };
    expect(await asked()).toEqual(await asked());
  });
});

describe('two features of one id', () => {
  const moved = ({ geometry, ...feature }: SampleFeature, properties = {}): SampleFeature => ({
    ...feature,
    properties: { ...feature.properties, ...properties },
    geometry: geometry && mapPositions(geometry, ([x = 0, y = 0]) => [x + 40, y]),
  });
  const key = { 'id.lokalId': '999999' };

  test.each<[string, LayerId, (one: SampleFeature) => SampleFeature]>([
    ['elsewhere', 'dige', moved],
    ['of other words', 'aa', (one) => ({ ...one, properties: { ...one.properties, Navn: 'ny' } })],
    ['alike in all', 'skov', (one) => one],
    [
      'with a blank behind it',
      'dige',
      (one) => moved(one, { Objekt_id: `${keyOf('dige', one)} ` }),
    ],
    ['of an area', 'kommune', moved],
    ['by its code, under another key', 'kommune', (one) => moved({ ...one, id: 'x.1' }, key)],
  ])('%s are refused by name in %s, and released unanswered', async (_, layer, twinOf) => {
    const [one] = bench.upstream.holdings.features(layer);
    const name = keyOf(layer, one!)!;
    bench.upstream.holdings.edit(layer, (all) => [...all, twinOf(one!)]);
    const free = ['issues', 'min-rows', 'row-drop', 'area-drop', 'area-growth', 'change-share'];
    const others = [...free, 'canary', 'known-places', 'repair-area'];
    const outcome = await bench.sync(layer, { liftedGuards: others });
    expect(told(outcome)).toBe('refused: duplicates');
    expect(refusalOf(outcome)?.message).toContain(name);
    const released = await bench.sync(layer, { liftedGuards: ['duplicates', ...others] });
    expect(told(released)).toBe('published');
    const unread = await readUnread(bench.store.db, layer);
    expect(unread).toHaveLength(2);
    expect(unread.map(({ box }) => box)).not.toContain(null);
    const { rows } = await bench.store.pool.query<{ here: number }>(
      `select count(*)::int as here from ${isAreaId(layer) ? 'area' : 'line_feature'} where key = $1`,
      [name],
    );
    expect(rows).toEqual([{ here: 0 }]);
    expect(told(await bench.sync(layer, { liftedGuards: others }))).toBe('unchanged');
    bench.upstream.holdings.restore();
    expect(told(await bench.sync(layer, { liftedGuards: others }))).toBe('published');
    expect(await readUnread(bench.store.db, layer)).toEqual([]);
  });
});

describe('known places', () => {
  const { lon, lat } = samplePoint('middle').wgs84;
  const place = (code: string): LayerOverride => ({
    guards: { knownPlaces: [{ code, lon, lat }] },
  });

  test('that lie elsewhere refuse', async () => {
    const outcome = await syncWith('kommune', place('0092'));
    expect(told(outcome)).toBe('refused: known-places');
    expect(refusalOf(outcome)?.numbers).toEqual({ placesWrong: 1, placesAsked: 1 });
  });
});
