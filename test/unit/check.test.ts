import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Guards } from '../../src/layers/source.ts';
import { GUARDS, LIFTABLE_GUARDS, check } from '../../sync/check.ts';
import type { Evidence, Guard } from '../../sync/check.ts';

const LIMITS: Guards = {
  minRows: 50,
  maxChangeShare: 0.2,
  changeFloorRows: 25,
  maxIssueShare: 0.02,
  maxLostRows: 0,
  maxDropShare: 0.1,
  maxGrowthShare: 0.25,
  maxAreaDropShare: 0.2,
  maxAreaGrowthShare: 0.25,
  maxRepairShare: 0.01,
  maxCanaryShare: 0.1,
  knownPlaces: [],
};

const GOOD: Evidence = {
  announced: [200],
  received: 200,
  parsed: 200,
  mapped: 195,
  staged: 195,
  lostInRepair: 0,
  outsideDenmark: 0,
  distinctKeys: 195,
  unreadable: 0,
  lastGoodRows: 190,
  inserted: 5,
  changed: 3,
  removed: 0,
};

const guardsOf = (change: Partial<Evidence>, lifted: readonly string[] = []) =>
  check({ ...GOOD, ...change }, LIMITS, lifted).map(({ guard }) => guard);

describe('a run that', () => {
  test('counts what was announced, and little else changed, passes every guard', () => {
    expect(guardsOf({})).toEqual([]);
  });

  const bad: readonly (readonly [string, Partial<Evidence>, Guard])[] = [
    ['received fewer than announced', { announced: [201] }, 'announced'],
    ['saw the announced number move', { announced: [200, 203] }, 'announced'],
    ['saw zero announced and got rows', { announced: [0] }, 'announced'],
    ['lost a feature in the parser', { parsed: 199 }, 'parsed'],
    ['lost a row in the stage', { staged: 194, distinctKeys: 194 }, 'staged'],
    ['got a key twice', { distinctKeys: 194 }, 'duplicates'],
    ['could not read 5 of 200', { unreadable: 5 }, 'issues'],
    [
      'has features abroad',
      { staged: 194, distinctKeys: 194, outsideDenmark: 1 },
      'outside-denmark',
    ],
    ['changed too much', { changed: 30, removed: 9 }, 'change-share'],
    ['lost too much', { removed: 39 }, 'change-share'],
  ];
  test.each(bad)('%s is refused', (_what, change, guard) => {
    expect(guardsOf(change)).toEqual([guard]);
  });

  test('came short of the least rows is refused', () => {
    const few = { announced: [49], received: 49, parsed: 49, mapped: 49, staged: 49 };
    expect(guardsOf({ ...few, distinctKeys: 49, lastGoodRows: null })).toEqual(['min-rows']);
  });

  test('tells the numbers it compared', () => {
    const [refusal] = check({ ...GOOD, removed: 39 }, LIMITS);
    expect(refusal?.numbers).toMatchObject({ changed: 3, removed: 39, lastGoodRows: 190 });
  });
});

describe('an unknown total', () => {
  test('is not a total of zero', () => {
    expect(guardsOf({ announced: [] })).toEqual([]);
  });
});

describe('an empty layer', () => {
  const nothing = {
    announced: [0],
    received: 0,
    parsed: 0,
    mapped: 0,
    staged: 0,
    distinctKeys: 0,
    inserted: 0,
    changed: 0,
  };

  test('is refused by the guard “empty” alone', () => {
    expect(guardsOf({ ...nothing, removed: 190 })).toEqual(['empty']);
    expect(guardsOf({ ...nothing, removed: 0, lastGoodRows: null })).toEqual(['empty']);
  });

  test('passes when the last good copy was empty too', () => {
    expect(guardsOf({ ...nothing, removed: 0, lastGoodRows: 0 })).toEqual([]);
  });

  test('passes when an operator lifts that one guard', () => {
    expect(guardsOf({ ...nothing, removed: 190 }, ['empty'])).toEqual([]);
  });
});

describe('the share of changes', () => {
  test('does not count below the floor: small layers change whole', () => {
    expect(guardsOf({ lastGoodRows: 26, changed: 25 })).toEqual([]);
    expect(guardsOf({ lastGoodRows: 26, changed: 26 })).toEqual(['change-share']);
  });

  test('does not exist before there is a first copy', () => {
    expect(guardsOf({ lastGoodRows: null, inserted: 195 })).toEqual([]);
  });
});

describe('lifting', () => {
  test('silences only the guard it names', () => {
    expect(guardsOf({ announced: [300], removed: 100 }, ['announced'])).toEqual(['change-share']);
  });

  test('never silences a guard against rows lost or doubled on the way', () => {
    const fixed = GUARDS.filter((guard) => !(LIFTABLE_GUARDS as readonly string[]).includes(guard));
    expect(fixed).toEqual(['parsed', 'staged', 'duplicates']);
    expect(guardsOf({ parsed: 1, distinctKeys: 1 }, fixed)).toEqual(['parsed', 'duplicates']);
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
