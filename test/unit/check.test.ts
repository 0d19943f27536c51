import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Guards } from '../../src/layers/source.ts';
import { GUARDS, LIFTABLE_GUARDS, check, checkFile } from '../../sync/check.ts';
import type { Evidence, Guard } from '../../sync/check.ts';

const LIMITS: Guards = {
  ...{ minRows: 50, maxChangeShare: 0.2, changeFloorRows: 25, maxIssueShare: 0.02 },
  ...{ maxLostRows: 0, maxDropShare: 0.1, maxGrowthShare: 0.25, maxAreaDropShare: 0.2 },
  ...{ maxAreaGrowthShare: 0.25, maxRepairShare: 0.01, maxCanaryShare: 0.1, knownPlaces: [] },
};

const GOOD: Evidence = {
  ...{ announced: [200], received: 200, parsed: 200, mapped: 195, staged: 195, distinctKeys: 195 },
  ...{ lostInRepair: 0, outsideDenmark: 0, doubledIds: [], unreadable: 0, lostFeatures: 0 },
  ...{ unplaced: 0, repairedAreaM2: 0, areaM2: 1_000_000, lastGoodAreaM2: 990_000 },
  columns: { added: [], missing: [], retyped: [], drifting: [] },
  ...{ placesAsked: 0, placesWrong: 0, canaryAsked: 200, canaryChanged: 3 },
  ...{ lastGoodRows: 190, inserted: 5, changed: 3, removed: 0 },
};

const guardsOf = (change: Partial<Evidence>, lifted: readonly string[] = []) =>
  check({ ...GOOD, ...change }, LIMITS, lifted).map(({ guard }) => guard);

/** A run of so many rows, with nothing lost on the way. */
const rowsOf = (rows: number): Partial<Evidence> => ({
  ...{ announced: [rows], received: rows, parsed: rows, mapped: rows },
  ...{ staged: rows, distinctKeys: rows },
});

const SMALL = { ...rowsOf(60), lastGoodRows: 60 };

const columns = (change: Partial<Evidence['columns']>): Evidence['columns'] => ({
  ...GOOD.columns,
  ...change,
});

// Columns, places and what has none: test/sync/run-guards.test.ts.
describe('a run that', () => {
  const bad: readonly (readonly [string, Partial<Evidence>, Guard])[] = [
    ['came short of the least rows', { ...rowsOf(49), lastGoodRows: null }, 'min-rows'],
    ['changes more than the floor of a small layer', { ...SMALL, changed: 26 }, 'change-share'],
    ['received fewer than announced', { announced: [201] }, 'announced'],
    ['saw the announced number move', { announced: [200, 203] }, 'announced'],
    ['lost a feature in the parser', { parsed: 199 }, 'parsed'],
    ['lost a row in the stage', { staged: 194, distinctKeys: 194 }, 'staged'],
    ['staged what it says was lost in repair', { lostInRepair: 1 }, 'staged'],
    ['got a key twice', { distinctKeys: 194 }, 'duplicates'],
    ['could not read 5 of 200', { unreadable: 5 }, 'issues'],
    [
      'could repair all but 5 of 200',
      { staged: 190, distinctKeys: 190, lostInRepair: 5 },
      'issues',
    ],
    [
      'has features abroad',
      { staged: 194, distinctKeys: 194, outsideDenmark: 1 },
      'outside-denmark',
    ],
    ['changed too much', { changed: 30, removed: 9 }, 'change-share'],
    ['lost too much', { removed: 39 }, 'change-share'],
    ['cannot read what it holds in force', { lostFeatures: 1 }, 'lost-features'],
    ['repaired 2 % of its area', { repairedAreaM2: 20_000 }, 'repair-area'],
    ['has a tenth and 26 fewer rows', { lastGoodRows: 222 }, 'row-drop'],
    ['has a quarter and 26 more rows', { lastGoodRows: 150 }, 'row-growth'],
    ['lost a fifth of its area', { lastGoodAreaM2: 1_260_000 }, 'area-drop'],
    ['gained a quarter of area', { lastGoodAreaM2: 790_000 }, 'area-growth'],
    ['would answer a tenth of the points anew', { canaryChanged: 21 }, 'canary'],
  ];
  test.each(bad)('%s is refused', (_what, change, guard) => {
    expect(guardsOf(change)).toEqual([guard]);
  });

  test('tells the numbers it compared', () => {
    const [refusal] = check({ ...GOOD, removed: 39 }, LIMITS);
    expect(refusal?.numbers).toMatchObject({ changed: 3, removed: 39, lastGoodRows: 190 });
  });
});

test.each<readonly [string, Partial<Evidence>]>([
  ['that counts what was announced, and in which little else changed', {}],
  ['of an unknown total, which is none of zero', { announced: [] }],
  ['of a first copy, of which no share has changed', { lastGoodRows: null, inserted: 195 }],
  ['with a new column', { columns: columns({ added: ['ny_kolonne'] }) }],
  ['of lines, which have no area', { areaM2: 0, lastGoodAreaM2: 0 }],
  ['of an area that nothing is known to compare with', { areaM2: 1_000, lastGoodAreaM2: null }],
  ['at the limit of the least rows', { ...rowsOf(50), lastGoodRows: 50 }],
  ['at the limit of unreadable features', { unreadable: 4 }],
  ['at that of rows lost, above the floor', { ...rowsOf(270), lastGoodRows: 300 }],
  ['at that of rows lost without a look at their share', { ...rowsOf(75), lastGoodRows: 100 }],
  ['at that of rows gained, above the floor', { ...rowsOf(250), lastGoodRows: 200 }],
  ['at that of rows gained without a look at their share', { ...rowsOf(85), lastGoodRows: 60 }],
  ['at that of changes', { changed: 30, removed: 8 }],
  ['at that of changes of a small layer', { ...SMALL, changed: 25 }],
  ['at that of points answered anew', { canaryChanged: 20 }],
  ['at that of repaired area', { repairedAreaM2: 10_000 }],
  ['at that of area lost', { lastGoodAreaM2: 1_250_000 }],
  ['at that of area gained', { lastGoodAreaM2: 800_000 }],
])('a run %s passes', (_what, change) => {
  expect(guardsOf(change)).toEqual([]);
});

const nothing = {
  ...{ ...rowsOf(0), inserted: 0, changed: 0 },
  // What follows from nothing being there is no reason of its own.
  ...{ areaM2: 0, placesAsked: 5, placesWrong: 5, canaryChanged: 200 },
};

test('an empty layer is refused by the guard “empty” alone, where the last good copy was not empty too', () => {
  expect(guardsOf({ ...nothing, removed: 190 })).toEqual(['empty']);
  expect(guardsOf({ ...nothing, removed: 190 }, ['empty'])).toEqual([]);
  expect(guardsOf({ ...nothing, removed: 0, lastGoodRows: null })).toEqual(['empty']);
  expect(guardsOf({ ...nothing, removed: 0, lastGoodRows: 0 })).toEqual([]);
});

test('names of columns stand in the message, the first ten of many', () => {
  const missing = Array.from({ length: 12 }, (_, i) => `k${i}`);
  const [refusal] = check({ ...GOOD, columns: columns({ missing }) }, LIMITS);
  expect(refusal?.message).toContain('missing: k0, k1,');
  expect(refusal?.message).toContain('k9 and 2 more');
  expect(refusal?.numbers).toEqual({ missing: 12, retyped: 0, drifting: 0 });
});

// Stubs and older ones: test/sync/run-files.test.ts.
test('a listed file that is newer than the last, or the same, may be fetched', () => {
  const good = { bytes: 5_000_000, minBytes: 10_000, generation: 673, lastGeneration: 672 };
  expect(checkFile(good)).toEqual([]);
  expect(checkFile({ ...good, lastGeneration: 673, bytes: good.minBytes })).toEqual([]);
  expect(checkFile({ ...good, bytes: null, lastGeneration: null })).toEqual([]);
});

describe('lifting', () => {
  test('silences only the guard it names', () => {
    expect(guardsOf({ announced: [300], removed: 100 }, ['announced'])).toEqual(['change-share']);
  });

  test('never silences a guard against what is not there, or was lost on the way', () => {
    const fixed = GUARDS.filter((guard) => !(LIFTABLE_GUARDS as readonly string[]).includes(guard));
    expect(fixed).toEqual(['listing', 'parsed', 'staged']);
    expect(guardsOf({ parsed: 1, mapped: 1 }, fixed)).toEqual(['parsed', 'staged']);
  });
});

test('no evidence in which a count is off by any amount ever passes', () => {
  const counted = fc.constantFrom('received', 'parsed', 'mapped', 'staged', 'distinctKeys');
  fc.assert(
    fc.property(counted, fc.integer({ min: 1, max: 1_000_000 }), (field, off) => {
      expect(guardsOf({ [field]: (GOOD[field as keyof Evidence] as number) + off })).not.toEqual(
        [],
      );
    }),
  );
});
