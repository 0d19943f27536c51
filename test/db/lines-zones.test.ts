/** The dissolved zones of D27: what is one zone, which hairs are no gaps, and what a publish redoes. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { applyZones, prepareZones } from '../../src/registers/lines/zones.ts';
import { sharedStore } from '../support/store.ts';
import { polygonWkt, publishLine } from './lines-fixture.ts';
import type { GivenFeature } from './lines-fixture.ts';
import { box } from '../support/layer-fixture.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

const X = 700_000;
const Y = 6_190_000;

const store = await sharedStore();

async function distanceAt(line: LineKey, x: number, y: number): Promise<number | null> {
  const points = [{ xUtm32: x, yUtm32: y }];
  const read = await readLines(store, { points, lines: [LINE_LAYERS[line]], radiusM: 500 });
  return read.measures[0]?.[0]?.distanceM ?? null;
}

async function edges(line: LineKey): Promise<{ length: number; pieces: number; most: number }> {
  const { rows } = await sql<{ length: number; pieces: number; most: number }>`
    select sum(ST_Length(geom)) as length, count(*)::integer as pieces,
      max(ST_NPoints(geom)) as most
    from line_zone_edge where layer = ${line}`.execute(store.db);
  return rows[0]!;
}

/** A closed ring with every vertex moved by up to `by` each way, to a tenth of a millimetre. */
function jittered(ring: readonly number[], by: number, random: () => number): number[] {
  const moved = ring
    .slice(0, -2)
    .map((value) => Math.round((value + (2 * random() - 1) * by) * 1e4) / 1e4);
  return [...moved, moved[0]!, moved[1]!];
}

describe('a dissolved zone', () => {
  it('has no edge along the hairs between parcels drawn apart by up to half a millimetre', async () => {
    const random = randomFrom(17);
    const features: GivenFeature[] = [];
    for (let i = 0; i < 10; i++) {
      for (let j = 0; j < 10; j++) {
        // Every other column is shifted, so that corners meet the middle of a neighbour's edge.
        const ring = box(X + 30 * i, Y + 30 * j + (i % 2) * 13, 30);
        const wkt = polygonWkt([jittered(ring, 0.0005, random)]);
        features.push({ id: `${i}-${j}`, wkt });
      }
    }
    expect(await publishLine(store, 'strandbeskyttelse', features)).toEqual({
      added: 1,
      removed: 0,
    });
    // 300 m below and above with 9 steps of 13 m each, 300 m left and right.
    const { length, most } = await edges('strandbeskyttelse');
    expect(length).toBeCloseTo(1200 + 18 * 13, 1);
    expect(most).toBeLessThanOrEqual(17);
    expect(await distanceAt('strandbeskyttelse', X + 165.3, Y + 59.7)).toBeCloseTo(-46.7, 2);
    expect(await distanceAt('strandbeskyttelse', X + 45.2, Y + 149.9)).toBeCloseTo(-45.2, 2);
  });

  it('keeps the gaps that are wider than the tolerance, and the tips of narrow wedges', async () => {
    const wedge = [X, Y, X + 200, Y, X + 200, Y + 100, X + 20, Y + 100, X + 200, Y + 100.9];
    await publishLine(store, 'klitfredning', [
      { id: 'wedged', wkt: polygonWkt([[...wedge, X + 200, Y + 200, X, Y + 200, X, Y]]) },
      { id: 'touching', wkt: polygonWkt([box(X - 50, Y, 50, 200)]) },
      { id: 'near', wkt: polygonWkt([box(X - 100, Y, 49.997, 200)]) },
    ]);
    const { rows } = await sql<{ zones: number }>`
      select count(*)::integer as zones from line_zone where layer = 'klitfredning'`.execute(
      store.db,
    );
    expect(rows[0]?.zones).toBe(2);
    // The tip of a wedge of 0.29 degrees, and the edge 3 mm before the next area.
    expect(await distanceAt('klitfredning', X + 15, Y + 100)).toBeCloseTo(-5, 4);
    expect(await distanceAt('klitfredning', X - 49, Y + 50)).toBeCloseTo(-1, 6);
  });

  it('is computed again only when the shapes of its members change', async () => {
    const north: GivenFeature = { id: 'north', wkt: polygonWkt([box(X, Y + 5000, 100)]) };
    const south: GivenFeature = { id: 'south', wkt: polygonWkt([box(X, Y, 100)]) };
    const beside: GivenFeature = { id: 'beside', wkt: polygonWkt([box(X + 100, Y, 100)]) };
    expect(await publishLine(store, 'natur', [north, south])).toEqual({ added: 2, removed: 0 });
    const unadopted = { ...south, adopted: false };
    expect(await publishLine(store, 'natur', [north, unadopted])).toEqual({ added: 0, removed: 0 });
    expect(await publishLine(store, 'natur', [north, south, beside])).toEqual({
      added: 1,
      removed: 1,
    });
    expect(await distanceAt('natur', X + 95, Y + 50)).toBe(-50);
    const repealed = { ...beside, repealed: true };
    expect(await publishLine(store, 'natur', [north, south, repealed])).toEqual({
      added: 1,
      removed: 1,
    });
    expect(await distanceAt('natur', X + 95, Y + 50)).toBe(-5);
    expect(await publishLine(store, 'natur', [])).toEqual({ added: 0, removed: 2 });
    expect((await edges('natur')).pieces).toBe(0);
  });

  it('is not published from a stage that was lost', async () => {
    await publishLine(store, 'kirke', [{ id: 'k', wkt: polygonWkt([box(X, Y, 100)]) }]);
    const run = { runId: '77', layer: LINE_LAYERS.kirke };
    await expect(store.db.transaction().execute((trx) => applyZones(trx, run))).rejects.toThrow(
      '1 areas of kirke are in no zone.',
    );
    expect((await edges('kirke')).pieces).toBeGreaterThan(0);
  });

  it('leaves the line layers alone', async () => {
    const run = { runId: '78', layer: LINE_LAYERS.dige };
    await prepareZones(store.db, run);
    expect(await store.db.transaction().execute((trx) => applyZones(trx, run))).toEqual({
      added: 0,
      removed: 0,
    });
  });
});
