/**
 * Areas that cover themselves twice, and rings that cross: what a sync's stage and the live answers' repair
 * make of them, against a reading of the rings of its own (D144).
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wkbCovers } from '../../src/geo/covers.ts';
import { isSoundArea } from '../../src/geo/jts.ts';
import { repairArea } from '../../src/geo/repair.ts';
import { wkbArea } from '../../src/geo/ring-area.ts';
import { multiPolygonWkb } from '../../src/geo/wkb.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { measureWindow } from '../../src/snapshot/window.ts';
import type { SnapshotFeature } from '../../src/snapshot/build-layer.ts';
import { amountOf, TEST_SEED } from '../support/run-settings.ts';
import { stagedPage } from '../support/staged-page.ts';
import { sharedStore } from '../support/store.ts';

type At = readonly [number, number];
type Ring = readonly At[];
type Area = readonly (readonly Ring[])[];

const [X, Y] = [654_321.37, 6_314_159.21];
const LAKES = { line: 'soe', geometry: 'area', radiusM: 500 } as const;
const CASES = new URL('../../../shared/cases/wfs-overlapping-areas.geojson', import.meta.url);

const store = await sharedStore({ purpose: 'sync' });

test('functions over geometries compile nothing, which each call of one would do anew', async () => {
  const { rows } = await store.pool.query(
    `select proname from pg_proc p where prosrc ~ 'ST_' and prorettype <> 'trigger'::regtype
       and pronamespace = 'public'::regnamespace and not 'jit=off' = any(coalesce(proconfig, '{}'))
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  );
  expect(rows).toEqual([]);
});

function winding(ring: Ring, [x, y]: At): number {
  let turns = 0;
  for (let n = 0; n + 1 < ring.length; n++) {
    const [[ax, ay], [bx, by]] = [ring[n]!, ring[n + 1]!];
    const side = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
    if (ay <= y && by > y && side > 0) turns++;
    else if (by <= y && ay > y && side < 0) turns--;
  }
  return turns;
}

/** null: on, or within a thousandth of a millimetre of, a ring. */
function reading(area: Area, at: At): boolean | null {
  if (area.flat().some((ring) => distance(ring, at) < 1e-6)) return null;
  return area.some(
    ([shell, ...holes]) =>
      winding(shell!, at) !== 0 && !holes.some((hole) => winding(hole, at) !== 0),
  );
}

function distance(ring: Ring, [x, y]: At): number {
  let least = Infinity;
  for (let n = 0; n + 1 < ring.length; n++) {
    const [[ax, ay], [bx, by]] = [ring[n]!, ring[n + 1]!];
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const t = length === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length;
    const c = Math.max(0, Math.min(1, t));
    least = Math.min(least, Math.hypot(ax + c * (bx - ax) - x, ay + c * (by - ay) - y));
  }
  return least;
}

const wkbOf = (area: Area) => multiPolygonWkb(area.map((part) => part.map((ring) => ring.flat())));

/** Stages areas of the lakes as a sync does: what is kept, by key. */
async function staged(areas: readonly Area[]) {
  const features = areas.map((coordinates, n) => ({
    type: 'Feature',
    id: `soe.${n}`,
    geometry: { type: 'MultiPolygon', coordinates },
    properties: { Objekt_id: n, Statuskode: 3, Off_kode: 1, Systid_til: null },
  }));
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } };
  const collection = { type: 'FeatureCollection', crs, features };
  const { id, counts } = await stagedPage(store, LINE_LAYERS.soe, collection);
  const { rows } = await store.pool.query<{ key: string; wkb: Buffer }>(
    `select object_id as key, ST_AsBinary(geom, 'NDR') as wkb from stage_feature where run_id = $1`,
    [id],
  );
  return { counts, kept: new Map(rows.map((row) => [Number(row.key), row])) };
}

/** A ring without sense: on a grid, so that corners and edges coincide, along its lines, or anyhow. */
function drawRing(draw: () => number, most: number): Ring {
  const grid = () => 10 * Math.floor(draw() * 8);
  const any = () => Math.round(draw() * 7000) / 100;
  const corners: At[] = [[grid(), grid()]];
  const isStraight = draw() < 0.4;
  for (let n = 3 + Math.floor(draw() * most); n > 0; n--) {
    const [x, y] = corners.at(-1)!;
    if (isStraight) corners.push(n % 2 === 0 ? [grid(), y] : [x, grid()]);
    else corners.push(draw() < 0.5 ? [grid(), grid()] : [any(), any()]);
  }
  return [...corners, corners[0]!].map(([x, y]): At => [x + X, y + Y]);
}

const ring = (...corners: At[]): Ring =>
  [...corners, corners[0]!].map(([x, y]): At => [X + x, Y + y]);
const square = (x: number, y: number, size: number): Ring =>
  ring([x, y], [x + size, y], [x + size, y + size], [x, y + size]);

test('areas drawn anyhow cover in the stage, in memory and live what their rings say', async () => {
  const draw = randomFrom(TEST_SEED);
  const several = () => 1 + Math.floor(draw() * 3);
  const areas = Array.from({ length: amountOf({ gate: 20, night: 1_500 }) }, (_, n): Area =>
    Array.from({ length: several() }, () =>
      Array.from({ length: several() }, () => drawRing(draw, n % 10 === 9 ? 25 : 8)),
    ),
  );
  const { kept } = await staged(areas);
  const asked = areas.map((_, n) =>
    Array.from({ length: 40 }, (): At => [X - 5 + draw() * 80, Y - 5 + draw() * 80]).filter(
      (at) => reading(areas[n]!, at) !== null,
    ),
  );
  const wrong = areas.flatMap((area, n) =>
    faultsOf(area, kept.get(n)?.wkb ?? null, asked[n]!).map((fault) => `${n} ${fault}`),
  );
  expect(wrong).toEqual([]);
  expect(asked.flat().length).toBeGreaterThan(20 * areas.length);
});

/** Where the stage's or the memory's repair of an area is not what its rings say. */
function faultsOf(area: Area, stage: Uint8Array | null, asked: readonly At[]): string[] {
  const raw = wkbOf(area);
  const memory = repairArea(raw)?.wkb ?? null;
  const made = Object.entries({ stage, memory });
  const [stageM2 = 0, memoryM2 = 0] = made.map(([, wkb]) => (wkb === null ? 0 : wkbArea(wkb)));
  const unsound = made.filter(([, wkb]) => wkb !== null && !isSoundArea(wkb));
  return [
    ...unsound.map(([who]) => `${who}: is not sound`),
    ...(Math.abs(stageM2 - memoryM2) > 0.01 ? [`${stageM2} against ${memoryM2} m²`] : []),
    ...asked.flatMap(([xUtm32, yUtm32]) =>
      [['as it came', raw] as const, ...made].flatMap(([who, wkb]) => {
        const says = wkb !== null && wkbCovers(wkb, { xUtm32, yUtm32 });
        return says === reading(area, [xUtm32, yUtm32])
          ? []
          : [`${who}: ${xUtm32} ${yUtm32} is ${String(says)}`];
      }),
    ),
  ];
}

const eight = ring([0, 0], [60, 60], [60, 0], [0, 60]);

describe('an area', () => {
  const at = (x: number, y: number) => ({ xUtm32: X + x, yUtm32: Y + y });
  const round = [...square(0, 0, 60).slice(0, 4), ...square(0, 0, 60)];
  const crossing = ring([40, 0], [60, 20], [60, 0], [40, 20]);
  const spiked = ring(
    [20, 20],
    [23, 63],
    [60, 20],
    [10, 20],
    [70, 20],
    [60, 20],
    [20, 10],
    [70, 20],
  );
  const twoHoles = [square(0, 0, 60), square(10, 10, 20), square(20, 20, 20)];
  const nested = [square(10, 10, 40), square(20, 20, 10), square(70, 0, 20), square(75, 5, 5)];
  /** Points inside of it, and points that are not, as `x y`. */
  test.each<[string, Area, string[], string[]]>([
    ['of overlapping parts', [[square(0, 0, 60)], [square(30, 30, 60)]], ['45 45'], []],
    ['with a part in a part', [[square(0, 0, 60)], [square(20, 20, 20)]], ['30 30'], []],
    ['with a part twice', [[square(0, 0, 60)], [square(0, 0, 60)]], ['30 30'], []],
    ['of a ring that goes round twice', [[round]], ['30 30'], []],
    ['like an eight', [[eight]], ['5 30', '55 30'], ['30 5']],
    ['with holes that overlap', [twoHoles], ['5 5'], ['25 25', '15 15']],
    [
      'with a hole partly outside',
      [[square(0, 0, 60), square(40, 40, 40)]],
      ['30 30'],
      ['50 50', '70 70'],
    ],
    [
      'with a part in the hole of another, reaching out of it',
      [[square(0, 0, 90), square(20, 20, 50)], [square(60, 30, 20)]],
      ['65 40', '75 40'],
      ['30 30'],
    ],
    [
      'with a hole that its shell nowhere meets',
      [[square(0, 0, 20), square(40, 0, 20)]],
      ['10 10'],
      ['50 10', '40 10'],
    ],
    ['with a hole that touches it', [[square(0, 0, 20), square(20, 20, 20)]], [], ['30 30']],
    ['with a hole along it', [[square(0, 0, 20), square(20, 0, 20)]], [], ['30 10']],
    [
      'with a hole in the shell of another part',
      [[square(0, 0, 20), square(45, 5, 10)], [square(40, 0, 20)]],
      ['50 10'],
      [],
    ],
    ['that runs back along itself', [[spiked]], ['51.75 20.51', '40 14.5'], ['40 18', '15 20.5']],
    ['with holes in holes', [[square(0, 0, 60), ...nested]], ['5 5'], ['25 25', '77 7']],
    [
      'with a hole outside that crosses itself',
      [[square(0, 0, 20), crossing]],
      ['10 10'],
      ['42 10'],
    ],
  ])('%s', async (_, area, inside, outside) => {
    const { counts, kept } = await staged([area]);
    expect(counts).toMatchObject({ staged: 1, repaired: 1, lostInRepair: 0, slivers: 0 });
    const raw = wkbOf(area);
    const features = [featureOf('a', area)];
    const ways = [kept.get(0)!.wkb, repairArea(raw)!.wkb, raw];
    for (const text of [...inside, ...outside]) {
      const [x = 0, y = 0] = text.split(' ').map(Number);
      const point = at(x, y);
      const { within } = measureWindow({ ...LAKES, point, features });
      const said = [...ways.map((wkb) => wkbCovers(wkb, point)), within];
      const isIn = inside.includes(text);
      expect([text, said]).toEqual([text, said.map(() => isIn)]);
    }
  });

  test('that covers a place twice is counted with what even-odd would have made of it', async () => {
    const { counts } = await staged([[[square(0, 0, 60)], [square(30, 30, 60)]]]);
    expect(counts.coveredTwice).toBe(1);
    expect(counts.coveredTwiceM2).toBeCloseTo(900, 3);
    const { rows } = await store.pool.query<{ detail: string }>(
      "select detail from sync_issue where kind = 'repaired' order by id desc limit 1",
    );
    expect(rows[0]?.detail).toContain('6300.00 m² where even-odd has 5400.00 m²');
    const crossed = await staged([[[eight]]]);
    expect(crossed.counts).toMatchObject({ repaired: 1, coveredTwice: 0 });
    const outside = await staged([[[square(0, 0, 60), square(90, 0, 20)]]]);
    expect(outside.counts).toMatchObject({ repaired: 1, coveredTwice: 0 });
  });

  test('equal to its hole is nothing, and of a hole in nothing too', async () => {
    const { counts } = await staged([[[square(0, 0, 60), square(0, 0, 60)]]]);
    expect(counts).toMatchObject({ staged: 0, lostInRepair: 1 });
    expect(repairArea(wkbOf([[square(0, 0, 60), square(0, 0, 60)]]))).toBeNull();
  });
});

describe('a piece that rounding would turn round', () => {
  /** 2.84 m long, 3 mm wide: a part of its own, beside a square that crosses itself. */
  const piece = ring([100, 0], [102.84, 0.001], [102.84, 0.004]);
  const crossed: Ring = [...square(0, 0, 60).slice(0, 4), [X + 5, Y - 5], [X, Y]];

  test('stays in a building line, which measures to it, in the copy and live', async () => {
    const area: Area = [[crossed], [piece]];
    const { counts, kept } = await staged([area]);
    expect(counts).toMatchObject({ staged: 1, repaired: 1, slivers: 0 });
    const point = { xUtm32: X + 102.84, yUtm32: Y + 0.004 };
    expect(wkbCovers(kept.get(0)!.wkb, point)).toBe(true);
    const live = measureWindow({ ...LAKES, point, features: [featureOf('a', area)] });
    expect(live).toMatchObject({ within: true, count: 1 });
    expect(live.distanceM).toBeCloseTo(0, 6);
  });
});

describe('a live answer', () => {
  const inside = { xUtm32: X + 80, yUtm32: Y + 50 };

  test('beside an area that crosses itself has its distance: the zone is put together', () => {
    const live = measureWindow({
      ...LAKES,
      point: inside,
      features: [featureOf('a', [[square(60, 0, 100)]]), featureOf('b', [[eight]])],
    });
    expect(live).toMatchObject({ within: true, count: 2 });
    // To the upper edge of the square; the edge to the neighbour on its left is a part of the outline.
    expect(live.distanceM).toBeCloseTo(-Math.hypot(20, 10), 3);
  });

  test('where parts overlap is a yes, and the edge inside is none', () => {
    const live = measureWindow({
      ...LAKES,
      point: { xUtm32: X + 45, yUtm32: Y + 45 },
      features: [featureOf('a', [[square(0, 0, 60)], [square(30, 30, 60)]])],
    });
    expect(live.within).toBe(true);
    expect(live.distanceM).toBeCloseTo(-Math.hypot(15, 15), 3);
    expect(live.hit?.areaM2).toBeCloseTo(6300, 3);
  });
});

function featureOf(key: string, area: Area): SnapshotFeature {
  const wkb = wkbOf(area);
  const standing = 'in_force';
  return {
    key,
    objectId: key,
    standing,
    adopted: true,
    attributes: '{}',
    wkb,
    areaM2: wkbArea(wkb),
  };
}

describe.skipIf(!existsSync(CASES))('the cases', () => {
  test('are inside where they are covered twice', async () => {
    const { features } = JSON.parse(readFileSync(CASES, 'utf8')) as {
      features: {
        geometry: { type: string; coordinates: unknown };
        properties: { case: string; ask: At; expected: string };
      }[];
    };
    const areas = features.map(({ geometry: { type, coordinates } }) =>
      type === 'Polygon' ? [coordinates as Ring[]] : (coordinates as Area),
    );
    const { kept } = await staged(areas);
    for (const [n, { properties }] of features.entries()) {
      const [xUtm32, yUtm32] = properties.ask;
      for (const wkb of [kept.get(n)!.wkb, repairArea(wkbOf(areas[n]!))!.wkb]) {
        const isIn = wkbCovers(wkb, { xUtm32, yUtm32 });
        expect(`${properties.case}: inside: ${String(isIn)}`).toBe(
          `${properties.case}: ${properties.expected}`,
        );
      }
    }
  });
});
