/** Heights from a WCS: which windows are asked for, and what of an answer is not believed. */
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/kernel/clock.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { DHM_WCS } from '../../src/registers/terrain/terrain.ts';
import type { TerrainSource } from '../../src/registers/terrain/terrain.ts';
import { createTerrain } from '../../src/registers/terrain/lookup.ts';
import { createWcsClient } from '../../src/registers/terrain/wcs-client.ts';
import { TerrainWcs } from '../../src/registers/terrain/wcs.ts';
import { holds, planWindows } from '../../src/registers/terrain/windows.ts';
import { UpstreamFailure } from '../../src/wfs/failure.ts';
import { createHostGate } from '../../src/wfs/hosts.ts';
import { startSampleUpstream } from '../../sample/server.ts';
import { TERRAIN_PATH } from '../../sample/registers/terrain/answer.ts';
import { WCS_ROWS } from '../faults/matrix-terrain.ts';
import { pointAt, sampleHeight } from '../support/terrain-tiles.ts';
import { opened } from '../support/opened.ts';
import { HANG_MS } from '../support/run-settings.ts';

const upstream = await opened(startSampleUpstream());
const backoff = { baseMs: 1, maxMs: 1, unauthorizedMs: 1, retryAfterCapMs: 1 };
const client = createWcsClient({ clock: { nowMs: () => 0 }, backoff });
afterEach(() => {
  upstream.faults.clear();
  upstream.forgetRequests();
});
afterAll(() => client.close());

/** What nothing but a hang takes. */
const PATIENT = { pointTimeoutMs: 100_000 };

function open(change: Partial<TerrainSource> = {}) {
  const clock = { ms: 1_000_000 };
  const reading: Clock = { nowMs: () => clock.ms };
  const source = { ...DHM_WCS, url: `${upstream.url}${TERRAIN_PATH}`, ...PATIENT, ...change };
  const gate = createHostGate({ clock: reading });
  return { clock, wcs: new TerrainWcs({ source, client, gate, clock: reading, apiKey: 'key' }) };
}

const at = (xUtm32: number, yUtm32: number) => ({ xUtm32, yUtm32 });
const INLAND = at(649_203.3, 6_313_411.7);
const SEA = at(660_000, 6_314_000);

describe('the windows', () => {
  const cell = fc.record({
    column: fc.integer({ min: 1_100_000, max: 1_110_000 }),
    row: fc.integer({ min: -15_900_000, max: -15_890_000 }),
  });

  test('hold every cell asked for, and are no larger than allowed', () => {
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 150 }), (cells) => {
        const windows = planWindows(cells);
        expect(windows.length).toBeLessThanOrEqual(cells.length);
        for (const each of cells) expect(windows.some((one) => holds(one, each))).toBe(true);
        for (const { columns, rows } of windows) {
          expect(columns * rows).toBeLessThanOrEqual(LIMITS.terrain.windowCells);
        }
      }),
    );
  });

  test('are one for places near one another, and one each for those far apart', () => {
    const near = [0, 10, 200].map((column) => ({ column, row: column }));
    expect(planWindows(near)).toHaveLength(1);
    const far = [0, 100_000, 200_000].map((column) => ({ column, row: 0 }));
    expect(planWindows(far).map(({ columns, rows }) => columns * rows)).toEqual([4096, 4096, 4096]);
    const same = Array.from({ length: 150 }, () => ({ column: 5, row: 5 }));
    expect(planWindows(same)).toHaveLength(1);
    expect(planWindows([])).toEqual([]);
  });
});

describe('a height', () => {
  test('is the one of the invented island, of both models', async () => {
    const { wcs } = open();
    for (const model of ['terraen', 'overflade'] as const) {
      const [height] = await wcs.heightsAt(model, [INLAND]);
      const expected = sampleHeight(model, INLAND);
      expect(height).toMatchObject({ resolutionM: 0.4, askedMs: null });
      expect((height as { heightM: number }).heightM).toBeCloseTo(expected, 2);
    }
  });

  test('is null at sea, where the raster names its mark', async () => {
    const [height] = await open().wcs.heightsAt('terraen', [SEA]);
    expect(height).toMatchObject({ heightM: null });
  });

  test('is asked for once: by all at the same time, and by those that come soon', async () => {
    const { wcs, clock } = open();
    await Promise.all([1, 2, 3].map(() => wcs.heightsAt('terraen', [INLAND, INLAND])));
    expect(upstream.requests()).toHaveLength(1);
    const [kept] = await wcs.heightsAt('terraen', [INLAND]);
    expect(kept).toMatchObject({ askedMs: 1_000_000 });
    expect(upstream.requests()).toHaveLength(1);
    clock.ms += LIMITS.terrain.windowMs;
    await wcs.heightsAt('terraen', [INLAND]);
    expect(upstream.requests()).toHaveLength(2);
    clock.ms -= 24 * 3_600_000;
    await wcs.heightsAt('terraen', [INLAND]);
    expect(upstream.requests()).toHaveLength(3);
  });
});

describe('no height, but a failure, is', () => {
  test.each(Object.values(WCS_ROWS))('$about', async ({ rule, kind }) => {
    upstream.faults.set([{ ...rule, host: 'terrain' }]);
    const { wcs } = open(kind === 'timeout' ? { pointTimeoutMs: 500 } : {});
    const [height] = await wcs.heightsAt('terraen', [INLAND]);
    expect(height).toBeInstanceOf(UpstreamFailure);
    expect((height as UpstreamFailure).kind).toBe(kind);
    expect((height as UpstreamFailure).message).not.toContain('key');
    // Nothing of it is kept.
    upstream.faults.clear();
    const [mended] = await wcs.heightsAt('terraen', [INLAND]);
    expect(mended).toMatchObject({ resolutionM: 0.4 });
  });

  test('a host that failed moments ago: it is not asked', async () => {
    upstream.faults.set([{ fault: 'http-500', host: 'terrain' }]);
    const { wcs, clock } = open({ tries: 1 });
    for (let n = 0; n < 5; n++) await wcs.heightsAt('terraen', [INLAND]);
    upstream.forgetRequests();
    const [refused] = await wcs.heightsAt('terraen', [INLAND]);
    expect(refused).toMatchObject({ kind: 'refused' });
    expect(upstream.requests()).toEqual([]);
    upstream.faults.clear();
    clock.ms += 60_000;
    const [mended] = await wcs.heightsAt('terraen', [INLAND]);
    expect(mended).toMatchObject({ resolutionM: 0.4 });
  });
});

describe('a batch of points far apart', () => {
  /** More windows than are asked for at a time. */
  const far = Array.from({ length: 3 * LIMITS.originInFlight }, (_, n) =>
    pointAt(480_000 + 5_000 * n, 6_200_000),
  );
  const limits = LIMITS.terrain as { lineMs: number };
  const { lineMs: usual } = limits;
  afterEach(() => void (limits.lineMs = usual));
  const asked = async (lineMs: number) => {
    limits.lineMs = lineMs;
    const clock = { nowMs: () => 1_000_000 };
    const source = { ...DHM_WCS, url: `${upstream.url}${TERRAIN_PATH}`, ...PATIENT };
    const gate = createHostGate({ clock });
    const wcs = new TerrainWcs({ source, client, gate, clock, apiKey: 'key' });
    const terrain = createTerrain({ clock, tiles: null, wcs, onFailure: () => undefined });
    const { value } = await terrain.at('terraen', far, { holder: 'account' });
    return { value, state: terrain.status().state };
  };

  test('is answered whole where its windows have the time to wait for one another', async () => {
    const { value } = await asked(HANG_MS);
    expect(value.filter((each) => each instanceof Failure)).toEqual([]);
  });

  test('is answered as far as was asked for in time; the rest says so, as 502', async () => {
    const { value, state } = await asked(0);
    const late = value.filter((each) => each instanceof Failure);
    expect(value.length - late.length).toBe(LIMITS.originInFlight);
    // A line that was too long is no failure of the source.
    expect(state).toBe('fresh');
    for (const { status, message } of late) {
      expect([status, message]).toEqual([502, expect.stringMatching(/not answer in time/)]);
    }
  });
});

test('a window that fails costs the points in it and no others, as 502', async () => {
  const { wcs, clock } = open({ tries: 1 });
  const failures: unknown[] = [];
  const terrain = createTerrain({
    ...{ clock: { nowMs: () => clock.ms }, tiles: null, wcs },
    onFailure: (_, error) => failures.push(error),
  });
  expect(terrain.status()).toMatchObject({ state: 'missing', syncedAt: null, count: null });
  upstream.faults.set([{ fault: 'html-200', host: 'terrain', times: 1 }]);
  const points = [pointAt(649_200, 6_313_400), pointAt(652_000, 6_314_000)];
  const { value, provenance } = await terrain.at('terraen', points);
  expect(value.map((each) => ('status' in each ? each.status : 200)).sort()).toEqual([200, 502]);
  expect(provenance).toEqual([{ rung: 'origin', ageS: 0 }]);
  expect(failures).toHaveLength(1);
  clock.ms += 5_000;
  expect(terrain.status()).toMatchObject({ state: 'failed', ageS: 5 });
});
