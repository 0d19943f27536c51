/**
 * A live window measured in memory answers as the mirror does: the two engines share no geometry
 * code. What the window cannot prove is no part of this (registers/building-lines/origin.ts).
 */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { measureWindow } from '../../src/snapshot/window.ts';
import type { SnapshotFeature } from '../../src/snapshot/build-layer.ts';
import { amountOf } from '../support/run-settings.ts';
import { sharedStore } from '../support/store.ts';
import { box, lineWkt, polygonWkt, publishLine, star } from './lines-fixture.ts';
import type { GivenFeature } from './lines-fixture.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

const X = 600_000;
const Y = 6_200_000;
const RADIUS_M = 500;
const POINTS = amountOf({ gate: 60, night: 120 });

const store = await sharedStore();
beforeAll(async () => {
  await publishLine(store, 'strandbeskyttelse', parcels());
  await publishLine(store, 'skov', forests());
  await publishLine(store, 'dige', walls());
});

/** Parcels whose shared borders were drawn apart by up to half a millimetre. */
function parcels(): GivenFeature[] {
  const random = randomFrom(29);
  const features: GivenFeature[] = [];
  for (let i = 0; i < 12; i++) {
    for (let j = 0; j < 12; j++) {
      if (i === 6 && j === 6) continue;
      const ring = box(X + 30 * i, Y + 30 * j + (i % 2) * 13, 30)
        .slice(0, -2)
        .map((value) => Math.round((value + (random() - 0.5) / 1000) * 1e4) / 1e4);
      features.push({ id: `${i}-${j}`, wkt: polygonWkt([[...ring, ring[0]!, ring[1]!]]) });
    }
  }
  return features;
}

function forests(): GivenFeature[] {
  const random = randomFrom(31);
  return Array.from({ length: 25 }, (_, i) => ({
    id: `forest-${String(i).padStart(2, '0')}`,
    wkt: polygonWkt([star([X + 900 * random(), Y + 900 * random()], 200, { corners: 30, random })]),
    repealed: i % 6 === 0,
    adopted: i % 3 !== 0,
  }));
}

function walls(): GivenFeature[] {
  const random = randomFrom(37);
  return Array.from({ length: 60 }, (_, i) => {
    const line = [X + 600 * random(), Y + 600 * random()];
    for (let v = 0; v < 5; v++) {
      line.push(line.at(-2)! + 80 * (random() - 0.5), line.at(-1)! + 80 * (random() - 0.5));
    }
    return { id: `wall-${i}`, wkt: lineWkt(line), repealed: i % 5 === 0, adopted: i % 2 === 0 };
  });
}

async function featuresOf(line: LineKey): Promise<SnapshotFeature[]> {
  const { rows } = await sql<Omit<SnapshotFeature, 'attributes'> & { attributes: object }>`
    select key, object_id as "objectId", standing, adopted, attributes, area_m2 as "areaM2",
      ST_AsBinary(geom, 'NDR') as wkb
    from line_feature where layer = ${line} order by key`.execute(store.db);
  return rows.map((row) => ({ ...row, attributes: JSON.stringify(row.attributes) }));
}

it.each(['strandbeskyttelse', 'skov', 'dige'] as const)(
  'measures %s in a window as the mirror does',
  async (line) => {
    const layer = LINE_LAYERS[line];
    const random = randomFrom(43);
    const points: PointUtm32[] = Array.from({ length: POINTS }, () => ({
      xUtm32: X - 60 + 700 * random(),
      yUtm32: Y - 60 + 700 * random(),
    }));
    const features = await featuresOf(line);
    const { measures } = await readLines(store, { points, lines: [layer], radiusM: RADIUS_M });
    expect(measures.filter(([measure]) => measure?.within).length).toBeGreaterThan(POINTS / 24);
    for (const [i, point] of points.entries()) {
      const stored = measures[i]![0]!;
      const question = { line, geometry: layer.geometry, point, radiusM: RADIUS_M, features };
      const live = measureWindow(question);
      expect(live).toEqual({
        ...stored,
        distanceM:
          stored.distanceM === null ? null : (expect.closeTo(stored.distanceM, 3) as number),
        hit: stored.hit && { ...stored.hit, areaM2: stored.hit.areaM2 },
        repealed: stored.repealed.map((feature) => ({
          ...feature,
          distanceM: expect.closeTo(feature.distanceM, 6) as number,
        })),
      });
    }
  },
);

it('repairs what crosses itself as the copy does, and measures to the zone that comes of it', async () => {
  const bow = [X, Y, X + 100, Y + 100, X + 100, Y, X, Y + 100, X, Y];
  const whole = polygonWkt([box(X + 20, Y + 40, 200)]);
  const wkt = [polygonWkt([bow]), whole];
  const { rows } = await sql<{ wkb: Buffer }>`
    select ST_AsBinary(ST_Multi(ST_GeomFromText(wkt, 25832)), 'NDR') as wkb
    from unnest(${wkt}::text[]) wkt`.execute(store.db);
  const features = rows.map(({ wkb }, i) => ({
    key: String(i),
    objectId: String(i),
    standing: 'in_force' as const,
    adopted: true,
    attributes: '{}',
    areaM2: 1,
    wkb,
  }));
  const ask = (x: number, y: number) =>
    measureWindow({
      line: 'natur',
      geometry: 'area',
      point: { xUtm32: x, yUtm32: y },
      radiusM: RADIUS_M,
      features,
    });
  // In one wing of the bow, in the crossing's empty side, and in the area that is sound.
  expect(ask(X + 10, Y + 50)).toMatchObject({
    within: true,
    distanceM: expect.closeTo(-10, 3) as number,
    count: 2,
  });
  expect(ask(X + 50, Y + 10)).toMatchObject({ within: false, hit: null });
  expect(ask(X + 200, Y + 200)).toMatchObject({
    within: true,
    distanceM: expect.closeTo(-20, 3) as number,
  });
});
