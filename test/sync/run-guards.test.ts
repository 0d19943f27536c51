/**
 * The guards that look at columns, areas, places and answers: refused with numbers, released once. And what a run leaves:
 * what its diff counts and how changed rows are called, pieces and regions of areas (zones of lines:
 * test/db/lines-zones.test.ts), what is written down of repairs, and a line of the log where it did not publish.
 */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import type { LayerOverride } from '../../src/layers/catalogue.ts';
import { isAreaId } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { readUnread } from '../../sync/mirrors/features/unread.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import type { RunOutcome } from '../../sync/deps.ts';
import { SyncQueue } from '../../sync/queue.ts';
import { syncLayer } from '../../sync/run.ts';
import type { SampleFeature } from '../../sample/data/feature.ts';
import type { FaultRule } from '../../sample/fault-plan.ts';
import { mapPositions } from '../../sample/data/geometry.ts';
import { keyOf } from '../../sample/holdings.ts';
import { samplePoint } from '../../sample/points.ts';
import { bowTie, positionsOf } from '../support/layer-fixture.ts';
import { keptLog } from '../support/log.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { countsOf, told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';
import { amountOf } from '../support/run-settings.ts';

const MIRRORED: readonly LayerId[] = [
  ...(['kommune', 'kirke', 'aa', 'dige', 'skov', 'klitfredning', 'natur'] as const),
];

const bench = await opened(openSyncBench());
const { faults, holdings } = bench.upstream;
for (const layer of MIRRORED) expect(told(await bench.sync(layer))).toBe('published');
beforeEach(() => {
  faults.clear();
  holdings.restore();
});

async function query<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
  const { rows } = await bench.store.pool.query(text, [...values]);
  return rows as R[];
}

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
  holdings.edit(layer, (features) => features.map(change));
}

const stranger = ({ properties }: SampleFeature): SampleFeature['properties'] => ({
  ...properties,
  Objekt_id: '00000000-0000-4000-8000-000000000000',
});

describe('columns', () => {
  test('that the mapping needs are asked for at the very first run', async () => {
    faults.set([{ fault: 'missing-column', layer: 'soe' }]);
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
    faults.set([{ fault: 'new-column', layer: 'aa' }]);
    const first = await bench.sync('aa');
    expect(told(first)).toBe('unchanged');
    expect(countsOf(first).columns.added).toEqual(['ny_kolonne']);
    expect(countsOf(first).notes.join()).toContain('new columns: ny_kolonne');
    expect(countsOf(await bench.sync('aa')).columns.added).toEqual([]);
  });

  test('cannot be told from a description that is not to be had: the rows have to do', async () => {
    faults.set([{ fault: 'http-500', layer: 'aa', operation: 'schema' }]);
    const outcome = await bench.sync('aa', { liftedGuards: ['schema'] });
    expect(told(outcome)).toBe('unchanged');
    expect(countsOf(outcome).notes.join()).toContain('no description of the columns');
    faults.set([
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
    faults.set([{ fault: 'declared-entities', layer: 'klitfredning', operation: 'schema' }]);
    expect(told(await bench.sync('klitfredning'))).toBe('unchanged');
    faults.set([gone]);
    expect(told(await bench.sync('klitfredning'))).toBe('refused: schema');
  });

  test('accepted by an operator are the contract from then on', async () => {
    const gone = { fault: 'missing-column', layer: 'klitfredning', attribute: 'tematype' } as const;
    faults.set([gone]);
    const refused = await bench.sync('klitfredning');
    expect(told(refused)).toBe('refused: schema');
    expect(refusalOf(refused)).toMatchObject({
      message: expect.stringContaining('missing: tematype') as string,
      numbers: { missing: 1, retyped: 0, drifting: 0 },
    });
    expect(told(await bench.sync('klitfredning', { liftedGuards: ['schema'] }))).toBe('unchanged');
    expect(told(await bench.sync('klitfredning'))).toBe('unchanged');
    faults.clear();
    expect(told(await bench.sync('klitfredning'))).toBe('unchanged');
  });
});

describe('features', () => {
  test('that nothing tells the place of refuse, however few', async () => {
    holdings.edit('dige', ([model, ...others]) => [
      { ...model!, id: 'stranger.1', geometry: null, properties: stranger(model!) },
      model!,
      ...others,
    ]);
    const outcome = await bench.sync('dige');
    expect(told(outcome)).toBe('refused: unplaced');
    expect(refusalOf(outcome)?.numbers).toEqual({ unplaced: 1, maxLostRows: 0 });
    expect(told(await bench.sync('dige', { liftedGuards: ['unplaced'] }))).toBe('published');
    const lifted = 'select lifted_guards from sync_run order by id desc limit 1';
    expect(await query(lifted)).toEqual([{ lifted_guards: ['unplaced'] }]);
    holdings.restore();
    expect(told(await bench.sync('dige'))).toBe('published');
  });

  test('that were never mirrored may come to nothing while others are really gone', async () => {
    const [model, gone] = holdings.features('dige');
    const geometry: SampleFeature['geometry'] = {
      type: 'LineString',
      coordinates: [
        [610_000, 6_250_000],
        [610_000, 6_250_000],
      ],
    };
    const Objekt_id = '00000000-0000-4000-8000-000000000000';
    const stranger = { ...model!, id: 'stranger.1', geometry };
    holdings.edit('dige', (all) => [
      ...all.filter((feature) => feature !== gone),
      { ...stranger, properties: { ...stranger.properties, Objekt_id } },
    ]);
    const outcome = await bench.sync('dige');
    expect(told(outcome)).toBe('published');
    expect(countsOf(outcome)).toMatchObject({ lostInRepair: 1, unplaced: 0, removed: 1 });
    holdings.restore();
    expect(told(await bench.sync('dige'))).toBe('published');
  });

  test('without a place are missed also behind more unreadable and repaired ones than are written down', async () => {
    const [model] = holdings.features('skov');
    const crossed = (at: number): SampleFeature['geometry'] => {
      const ring = positionsOf(bowTie(610_000 + 10 * at, 6_250_000, 1));
      return { type: 'Polygon', coordinates: [ring] };
    };
    const strangers = Array.from({ length: 2 * LIMITS.syncIssuesKept + 400 }, (_, at) => ({
      ...model!,
      id: `stranger.${at}`,
      geometry: at % 2 === 0 ? null : crossed(at),
      properties: {
        ...model!.properties,
        // Before every key of the sample.
        Objekt_id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      },
    }));
    edit('skov', (feature, at) => (at === 40 ? { ...feature, geometry: null } : feature));
    holdings.edit('skov', (all) => [...strangers, ...all]);
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
    faults.set([{ fault: 'invalid-geometry', layer: 'skov', share: 0.5 }]);
    const outcome = await syncWith('skov', { guards: { maxRepairShare: 0.000_1 } });
    expect(told(outcome)).toMatch(/^refused: .*repair-area/);
    const counts = countsOf(outcome);
    expect(counts.repairedAreaM2).toBeGreaterThan(0);
    const rows = await query("select from sync_issue where run_id = $1 and kind = 'repaired'", [
      'runId' in outcome ? outcome.runId : null,
    ]);
    expect(rows).toHaveLength(counts.repaired);
  });
});

describe('the canary', () => {
  test('sees two municipalities that exchanged their land, which no count and no sum shows', async () => {
    const [first, second] = holdings
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
    holdings.restore();
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
    holdings.restore();
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
    holdings.restore();
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
    const [one] = holdings.features(layer);
    const name = keyOf(layer, one!)!;
    holdings.edit(layer, (all) => [...all, twinOf(one!)]);
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
    const here = `select from ${isAreaId(layer) ? 'area' : 'line_feature'} where key = $1`;
    expect(await query(here, [name])).toEqual([]);
    expect(told(await bench.sync(layer, { liftedGuards: others }))).toBe('unchanged');
    holdings.restore();
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

describe('geometry', () => {
  test('that crosses itself is repaired, kept, and written down with its change of area', async () => {
    faults.set([{ fault: 'invalid-geometry', layer: 'skov', share: 0.05 }]);
    const outcome = await bench.sync('skov');
    if (outcome.state !== 'published') throw new Error(told(outcome));
    expect(outcome.counts.repaired).toBeGreaterThan(0);
    const issues = await query<{ detail: string }>(
      "select detail from sync_issue where run_id = $1 and kind = 'repaired'",
      [outcome.runId],
    );
    expect(issues).toHaveLength(outcome.counts.repaired);
    expect(issues[0]?.detail).toMatch(/Self-intersection.*changed the area by -?\d+\.\d{3} m²/);
    const invalid = `select from line_feature where layer = 'skov'
       and not (ST_IsValid(geom) and GeometryType(geom) = 'MULTIPOLYGON')`;
    expect(await query(invalid)).toEqual([]);
    const lines =
      "select distinct GeometryType(geom) as type, area_m2 from line_feature where layer = 'dige'";
    expect(await query(lines)).toEqual([{ type: 'MULTILINESTRING', area_m2: null }]);
  });
});

test('words with bytes that no column takes end a run all the same, and an issue is kept', async () => {
  faults.set([{ fault: 'garbled-body', layer: 'dige', value: 40, seed: 215516 }]);
  expect(told(await bench.sync('dige'))).toMatch(/failed in fetch/);
  faults.clear();
  const [first = '', second = ''] = holdings
    .features('dige')
    .map((each) => keyOf('dige', each) ?? '');
  holdings.assign('dige', first, { Off_kode: 'a\u0000\ud800' });
  holdings.assign('dige', second, { CVR_navn: 'b\u0000', Link: '\ud800' });
  expect(told(await bench.sync('dige'))).toBe('refused: schema');
  const rows = await query<Record<string, string>>(
    'select state, detail from sync_run r left join sync_issue i on i.run_id = r.id order by r.id',
  );
  expect(rows.at(-1)).toEqual({
    state: 'refused',
    detail: 'Off_kode is no known code: a\uFFFD\uFFFD',
  });
  expect(rows.filter(({ state }) => state === 'running')).toEqual([]);
});

describe('a changed row', () => {
  const keysOf = async (layer: string) =>
    (
      await query<{ key: string }>('select key from line_feature where layer = $1 order by key', [
        layer,
      ])
    ).map(({ key }) => key);

  test('is an attribute, drawn anew in its place, or really another shape', async () => {
    const [told = '', nudged = '', both = '', moved = '', gone = ''] = await keysOf('natur');
    holdings.assign('natur', told, { CVR_navn: 'Anden Kommune' });
    holdings.move('natur', nudged, { east: 0.2, north: -0.2 });
    holdings.move('natur', both, { east: 0.1, north: 0 });
    holdings.assign('natur', both, { CVR_navn: 'Anden Kommune' });
    holdings.move('natur', moved, { east: 0.6, north: 0 });
    holdings.remove('natur', gone);
    const outcome = await bench.sync('natur');
    const changes = { attribute: 1, redigitised: 2, real: 1, unclassed: 0 };
    const counts = { inserted: 0, removed: 1, changed: 4, changes };
    expect(outcome).toMatchObject({ state: 'published', counts });
    const [run] = await query<{ counts: object }>(
      'select counts from sync_run order by id desc limit 1',
    );
    expect(run?.counts).toMatchObject(counts);
    // Asked again, an unchanged source has none to class.
    expect(await bench.sync('natur')).toMatchObject({
      state: 'unchanged',
      counts: { changes: { attribute: 0, redigitised: 0, real: 0, unclassed: 0 } },
    });
  });

  test('of a line is classed by the distance between the two alone', async () => {
    const [nudged = '', moved = ''] = await keysOf('dige');
    holdings.move('dige', nudged, { east: 0, north: 0.4 });
    holdings.move('dige', moved, { east: 0, north: 4 });
    expect(await bench.sync('dige')).toMatchObject({
      counts: { changes: { attribute: 0, redigitised: 1, real: 1, unclassed: 0 } },
    });
  });
});

describe('the areas', () => {
  const regions = () =>
    query<{ region_code: string | null }>(
      "select distinct region_code from area where theme = 'kommune'",
    );

  test('have pieces that cover them, and no region before the regions are there', async () => {
    const [worst] = await query<{ off: number }>(
      `select max(abs(ST_Area(a.geom) - (
         select sum(ST_Area(p.geom)) from area_piece p where p.theme = a.theme and p.key = a.key)))
         as off
       from area a where a.theme = 'kommune'`,
    );
    expect(worst?.off).toBeLessThan(0.01);
    expect(await regions()).toEqual([{ region_code: null }]);
  });

  test('get their region when the regions are published', async () => {
    expect((await bench.sync('region')).state).toBe('published');
    const codes = (await regions()).map(({ region_code: code }) => code);
    expect(codes).not.toContain(null);
    expect(codes.length).toBeGreaterThan(1);
    // By the whole areas, and without the pieces and the short cuts among them.
    const wrong = await query(
      `select a.theme, a.key from area a
       where a.theme <> 'region' and a.region_code is distinct from (
         select r.code from area r where r.theme = 'region' and ST_Intersects(r.geom, a.geom)
         order by ST_Area(ST_Intersection(r.geom, a.geom)) desc, r.code limit 1)`,
    );
    expect(wrong).toEqual([]);
  });

  test('keep region and pieces when only a name changes, for that area and the others', async () => {
    const before = await query('select key, region_code from area order by theme, key');
    const [first] = await query<{ key: string }>(
      "select key from area where theme = 'kommune' order by key limit 1",
    );
    holdings.assign('kommune', first?.key ?? '', { navn: 'Nynavn' });
    expect(await bench.sync('kommune')).toMatchObject({
      state: 'published',
      counts: { inserted: 0, changed: 1, removed: 0 },
    });
    expect(await query('select key, region_code from area order by theme, key')).toEqual(before);
    const bare = await query(
      `select from area a where not exists (
         select from area_piece p where p.theme = a.theme and p.key = a.key)`,
    );
    expect(bare).toEqual([]);
  });
});

describe('any edits at the source', () => {
  const LAYER = 'aa';
  const mirror = async () =>
    (
      await query<{ key: string; link: string | null }>(
        `select key, attributes->>'documentUrl' as link from line_feature where layer = $1 order by key`,
        [LAYER],
      )
    ).map(({ key, link }) => [key, link] as const);

  /** What the source shall hold: each key absent, or present with a link of that number. */
  const wanted = fc.array(fc.option(fc.integer({ min: 0, max: 2 }), { freq: 4 }), {
    minLength: 60,
    maxLength: 60,
  });
  /** What is asked for here is wilder than any guard lets pass. */
  const sync = () => bench.sync(LAYER, { liftedGuards: LIFTABLE_GUARDS });

  function offer(desired: ReadonlyMap<string, string>): void {
    holdings.restore(LAYER);
    holdings.edit(LAYER, (features) =>
      features.flatMap((feature) => {
        const Link = desired.get(keyOf(LAYER, feature) ?? '');
        return Link === undefined
          ? []
          : [{ ...feature, properties: { ...feature.properties, Link } }];
      }),
    );
  }

  test('are counted by the diff, the mirror ends equal to it, and a second run finds nothing', async () => {
    const keys = (await mirror()).map(([key]) => key);
    await fc.assert(
      fc.asyncProperty(wanted, async (numbers) => {
        const desired = new Map(
          keys.flatMap((key, at): [string, string][] => {
            const number = numbers[at] ?? null;
            return number === null ? [] : [[key, `https://example.org/${number}`]];
          }),
        );
        const before = new Map(await mirror());
        const expected = {
          inserted: [...desired.keys()].filter((key) => !before.has(key)).length,
          changed: [...desired].filter(([key, link]) => before.has(key) && before.get(key) !== link)
            .length,
          removed: [...before.keys()].filter((key) => !desired.has(key)).length,
        };
        offer(desired);
        const total = expected.inserted + expected.changed + expected.removed;
        expect(await sync()).toMatchObject({
          state: total === 0 ? 'unchanged' : 'published',
          counts: expected,
        });
        expect(new Map(await mirror())).toEqual(desired);
        expect(await sync()).toMatchObject({ state: 'unchanged' });
      }),
      { numRuns: amountOf({ gate: 5, night: 12 }) },
    );
  });
});

/** A run of a night as the service has it; the lines at `error`. */
async function night(): Promise<ReturnType<typeof keptLog>['lines']> {
  const log = keptLog();
  const queue = new SyncQueue({ ...bench.deps, log }, 1);
  expect(queue.request('skov', 'schedule')).toBe('queued');
  await queue.idle();
  return log.lines.filter(({ level }) => level === 'error');
}

test('a refused run names its guard, the numbers and the other guards', async () => {
  faults.set([{ fault: 'sudden-drop', layer: 'skov' }]);
  const [line, ...more] = await night();
  expect(more).toEqual([]);
  expect(line?.fields).toMatchObject({
    layer: 'skov',
    run: expect.stringMatching(/./) as string,
    phase: 'check',
    trigger: 'schedule',
    guard: expect.stringMatching(/^(min-rows|row-drop)$/) as string,
  });
  const { guard, numbers, others } = line?.fields ?? {};
  expect(Object.values(numbers as object).every((value) => typeof value === 'number')).toBe(true);
  expect((others as { guard: string }[]).map((other) => other.guard)).toContain('area-drop');
  expect(line?.message).toMatch(
    new RegExp(`^sync of skov refused by ${String(guard)}; the old copy stays: .+`),
  );
});

test('a failed run names its phase and the cause', async () => {
  faults.set([{ fault: 'http-500', layer: 'skov' }]);
  const [line, ...more] = await night();
  expect(more).toEqual([]);
  expect(line?.fields).toMatchObject({
    layer: 'skov',
    run: expect.stringMatching(/./) as string,
    phase: 'fetch',
    trigger: 'schedule',
    reason: expect.stringContaining('500') as string,
    err: expect.any(Error) as Error,
  });
  expect(line?.message).toMatch(/^sync of skov failed in fetch: .*500/);
});

test('a run that was stopped is told, and is no error', async () => {
  const log = keptLog();
  const queue = new SyncQueue({ ...bench.deps, log }, 1);
  faults.set([{ fault: 'http-503', layer: 'skov' }]);
  queue.request('skov', 'schedule');
  await queue.stop();
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(log.lines.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^sync of skov stopped in \w+: The service was stopped\.$/),
  );
});
