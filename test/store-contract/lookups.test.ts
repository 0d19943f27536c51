/** The building-lines question over a real store, with the clock turned and the origin failing. */
import type { LineMeasure } from '../../src/core/held/layer-reads.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import { createBuildingLines } from '../../src/registers/lines/lookup.ts';
import type { BuildingLinesDeps } from '../../src/registers/lines/lookup.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { UpstreamFailure } from '../../src/wfs/failure.ts';
import { sharedStore } from '../support/store.ts';
import { box, polygonWkt, publishLine } from '../db/lines-fixture.ts';

const X = 600_000;
const Y = 6_200_000;
const SYNCED_AT_MS = 1_700_000_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const INSIDE = pointFromUtm32({ xUtm32: X + 30, yUtm32: Y + 50 });
const OUTSIDE = pointFromUtm32({ xUtm32: X - 30, yUtm32: Y + 50 });

let nowMs = SYNCED_AT_MS;
let asked: LineKey[] = [];
let expired: LineKey[] = [];

const store = await sharedStore();
beforeAll(async () => {
  const features = [{ id: 'zone', wkt: polygonWkt([box(X, Y, 100)]) }];
  await publishLine(store, 'skov', features, { syncedAtMs: SYNCED_AT_MS });
  await publishLine(store, 'kirke', [], { syncedAtMs: SYNCED_AT_MS });
});
beforeEach(() => {
  asked = [];
  expired = [];
  nowMs = SYNCED_AT_MS + HOUR_MS;
});

const LIVE: LineMeasure = {
  within: false,
  uncertain: false,
  distanceM: 12.5,
  count: 1,
  hit: null,
  repealed: [],
};

function lookup(origin: 'answers' | 'fails', changes: Partial<BuildingLinesDeps> = {}) {
  return createBuildingLines({
    catalogue: REGISTERS_CATALOGUE,
    clock: { nowMs: () => nowMs },
    searchRadiusM: LIMITS.searchRadiusM.default,
    readStore: (question) => readLines(store, question),
    askOrigin: ({ id }) => {
      asked.push(id);
      return origin === 'answers'
        ? Promise.resolve(LIVE)
        : Promise.reject(new UpstreamFailure('timeout', 'no answer'));
    },
    onExpired: (line) => {
      expired.push(line);
    },
    ...changes,
  });
}

const { signal } = new AbortController();

describe('the building lines at a point', () => {
  it('come from the mirror while it is fresh, and nobody else is asked', async () => {
    const { value, generation } = await lookup('fails').at([INSIDE, OUTSIDE], ['skov'], { signal });
    expect(generation).toBeGreaterThan(0);
    expect(value.map(({ lines }) => lines[0])).toMatchObject([
      {
        status: 'ok',
        within: true,
        hit: { objectId: 'zone', inForce: true },
        provenance: { rung: 'store', ageS: 3600 },
      },
      { status: 'ok', within: false, hit: null, count: 1 },
    ]);
    expect(value[0]?.lines[0]).toHaveProperty('distanceM');
    expect(asked).toEqual([]);
  });

  it('are ten, each with its own answer: a layer never mirrored is not a no', async () => {
    const { value } = await lookup('fails').at([INSIDE], LINE_KEYS, { signal });
    const lines = value[0]!.lines;
    expect(lines.map(({ line }) => line)).toEqual(LINE_KEYS);
    for (const line of lines) {
      const isMirrored = line.line === 'skov' || line.line === 'kirke';
      expect(line.status).toBe(isMirrored ? 'ok' : 'unavailable');
      expect('within' in line).toBe(isMirrored);
    }
    expect(asked.toSorted()).toEqual(
      LINE_KEYS.filter((key) => key !== 'skov' && key !== 'kirke').toSorted(),
    );
    // Missing layers are for the start of the service; only an old copy is reported.
    expect(expired).toEqual([]);
  });

  it('come from the register when the copy is past its limit', async () => {
    nowMs = SYNCED_AT_MS + 3 * DAY_MS;
    const { value } = await lookup('answers').at([INSIDE], ['skov'], { signal });
    expect(value[0]?.lines[0]).toMatchObject({
      within: false,
      distanceM: 12.5,
      provenance: { rung: 'origin', ageS: 0 },
    });
    expect(expired).toEqual(['skov']);
  });

  it('come from the old copy, said to be stale, when the register fails (D34)', async () => {
    nowMs = SYNCED_AT_MS + 3 * DAY_MS;
    const { value } = await lookup('fails').at([INSIDE], ['skov'], { signal });
    expect(value[0]?.lines[0]).toMatchObject({
      within: true,
      provenance: { rung: 'stale', ageS: (3 * DAY_MS) / 1000 },
    });
  });

  it('are unavailable past the hard limit of 30 days', async () => {
    nowMs = SYNCED_AT_MS + 30 * DAY_MS + 1000;
    const { value } = await lookup('fails').at([INSIDE], ['skov'], { signal });
    expect(value[0]?.lines[0]).toEqual({ status: 'unavailable', line: 'skov' });
  });

  it('are asked of the registers when the store is down', async () => {
    const readStore = () => Promise.reject(new Error('connection refused'));
    const up = await lookup('answers', { readStore }).at([INSIDE], ['skov', 'aa'], { signal });
    expect(up.value[0]?.lines.map(({ status }) => status)).toEqual(['ok', 'ok']);
    const down = await lookup('fails', { readStore }).at([INSIDE], ['skov', 'aa'], { signal });
    expect(down.value[0]?.lines).toEqual([
      { status: 'unavailable', line: 'skov' },
      { status: 'unavailable', line: 'aa' },
    ]);
  });
});
