/** What a drawn area shares with conditions, against one ST_Union of the whole features (D211, D212). */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { conditions } from '../../src/registers/conditions/register.ts';
import { areaPlace, drawnPlace, unitedPlace } from '../../src/core/land/drawn-area.ts';
import { readPlaces } from '../../src/registers/conditions/store.ts';
import type { Found } from '../../src/registers/conditions/store.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { PLANNED } from '../../sample/data/conditions.ts';
import { HANG_MS, amountOf } from '../support/run-settings.ts';
import { storeLookups } from '../support/lookups.ts';
import { told } from '../support/run-outcome.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { opened } from '../support/opened.ts';

const LAYERS = ['forhold_lokalplan', 'forhold_bnbo', 'forhold_jord_v2', 'natur', 'dige'] as const;
const RADIUS_M = 500;
const DAY_MS = 86_400_000;

const bench = await opened(openSyncBench());
beforeAll(async () => {
  for (const layer of ['region', 'kommune', 'forhold_zone', ...LAYERS] as const) {
    expect(told(await bench.sync(layer))).toBe('published');
  }
});

type Ring = readonly (readonly [number, number])[];

/** A star with a smaller one as its hole. */
function star(random: () => number): Ring[] {
  const [x, y] = [PLANNED.x + 3000 * (random() - 0.5), PLANNED.y + 3000 * (random() - 0.5)];
  const corners = 5 + Math.floor(20 * random());
  const reach = 20 + 900 * random();
  const radii = Array.from({ length: corners }, () => reach * (0.4 + 0.6 * random()));
  const ring = (share: number): Ring => {
    const open = radii.map((radius, n): readonly [number, number] => {
      const angle = (2 * Math.PI * n) / corners;
      return [x + share * radius * Math.cos(angle), y + share * radius * Math.sin(angle)];
    });
    return [...open, open[0]!];
  };
  return random() < 0.5 ? [ring(1), [...ring(0.4)].toReversed()] : [ring(1)];
}

interface Judged {
  readonly layer: string;
  readonly shared_m2: number;
  readonly shared_m: number;
  readonly distance_m: number;
}

async function judged(rings: readonly Ring[]): Promise<readonly Judged[]> {
  const wkt = `POLYGON(${rings.map((ring) => `(${ring.map((at) => at.join(' ')).join(',')})`).join(',')})`;
  const today = new Date().toISOString().slice(0, 10);
  const { rows } = await sql<Judged>`
    with g as (select ST_GeomFromText(${wkt}, 25832) as geom),
    f as (
      select layer, ST_Union(geom) as geom from (
        select layer, geom from condition_feature
        where coalesce(valid_from <= ${today}::date, true) and coalesce(valid_to > ${today}::date, true)
        union all select layer, geom from line_feature where standing = 'in_force') all_of
      group by layer)
    select layer, ST_Area(ST_Intersection(f.geom, g.geom)) as shared_m2,
      ST_Length(ST_Intersection(f.geom, g.geom)) as shared_m, ST_Distance(f.geom, g.geom) as distance_m
    from f cross join g`.execute(bench.store.db);
  return rows;
}

function expectSame(found: Found | undefined, { layer, distance_m, shared_m2, shared_m }: Judged) {
  if (found === undefined) {
    expect([layer, distance_m > RADIUS_M - 0.001]).toEqual([layer, true]);
    return;
  }
  expect([layer, Math.abs(found.nearestM! - distance_m) < 0.001]).toEqual([layer, true]);
  expect([layer, Math.abs(found.sharedM2 - shared_m2) < 0.1]).toEqual([layer, true]);
  if (layer === 'dige') {
    expect(Math.abs(found.sharedM - shared_m)).toBeLessThan(0.01);
    if (shared_m > 0.002) expect(found.within).toBeGreaterThan(0);
  } else if (shared_m2 > 1e-5) expect([layer, found.within > 0]).toEqual([layer, true]);
  else if (distance_m > 0.001) expect([layer, found.within]).toEqual([layer, 0]);
}

test('square metres, metres and distances are those of the whole', async () => {
  const random = randomFrom(54);
  for (let n = 0; n < amountOf({ gate: 20, night: 5_000 }); n += 1) {
    const rings = star(random);
    const { wkb } = areaPlace([rings.map((ring) => ring.flat())]);
    const read = await readPlaces(bench.store, {
      ...{ wkbs: [wkb], layers: LAYERS, radiusM: RADIUS_M, mostObjects: 20, onLineM: 0.5 },
      today: new Date().toISOString().slice(0, 10),
    });
    expect(read.faults).toEqual([null]);
    for (const one of await judged(rings)) {
      if (one.layer === 'forhold_zone') continue;
      expectSame(read.found[0]!.get(one.layer as (typeof LAYERS)[number]), one);
    }
  }
});

const square = (half: number, dx = 0, dy = 0): Ring => {
  const [x, y] = [PLANNED.x + dx, PLANNED.y + dy];
  const corner = (i: number, j: number) => [x + i * half, y + j * half] as const;
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];
};

interface Shown {
  readonly status: string;
  readonly beroert: boolean | null;
  readonly areal_m2: number | null;
  readonly andel: number | null;
  readonly afstand_m: number | null;
}

async function inside(place: Parameters<typeof unitedPlace>[0][number], laterMs = 0) {
  const { deps, store } = bench;
  const clock = { nowMs: () => deps.clock.nowMs() + laterMs };
  const { lookupsOf } = storeLookups(store, { catalogue: deps.catalogue, clock });
  const deadline = { signal: AbortSignal.timeout(HANG_MS) };
  const { answer } = await lookupsOf(conditions).conditions.in(
    place,
    null,
    ['lokalplan', 'jord_v2'],
    deadline,
  );
  return { ...answer, layers: answer.layers as Readonly<Record<string, Shown>> };
}

const placeOf = (...rings: readonly Ring[]) => areaPlace([rings.map((ring) => ring.flat())]);

test('a plan of 240 by 240 m: inside, halved by a border, beside it, and past its limit', async () => {
  const whole = await inside(placeOf(square(10)));
  expect(whole.areaM2).toBeCloseTo(400, 6);
  expect(whole.layers['lokalplan']).toMatchObject({
    beroert: true,
    areal_m2: 400,
    andel: 1,
    afstand_m: 0,
  });
  const half = await inside(placeOf(square(10, 120)));
  expect(half.layers['jord_v2']).toMatchObject({ beroert: true, areal_m2: 200, andel: 0.5 });
  const old = await inside(placeOf(square(10)), 40 * DAY_MS);
  expect(old.unavailable).toEqual(['lokalplan', 'jord_v2']);
});

test('parcels that touch are one area', async () => {
  const { areaM2 } = await inside(unitedPlace([placeOf(square(10)), placeOf(square(10, 20))]));
  expect(areaM2).toBeCloseTo(800, 6);
});

const bowTie = [
  [11.4, 56.9],
  [11.41, 56.91],
  [11.41, 56.9],
  [11.4, 56.91],
  [11.4, 56.9],
];
const ring = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const angle = n === count - 1 ? 0 : (2 * Math.PI * n) / (count - 1);
    return [11.45 + 0.01 * Math.cos(angle), 56.93 + 0.01 * Math.sin(angle)];
  });

test.each([
  [
    'a crossing border',
    { geometri: { type: 'Polygon', coordinates: [bowTie] } },
    'Self-intersection',
  ],
  ['10,001 positions', { geometri: { type: 'Polygon', coordinates: [ring(10_001)] } }, '10000'],
  ['an open ring', { wkt: 'POLYGON((11.4 56.9,11.5 56.9,11.5 57))' }, 'fewer than four'],
  ['a line', { wkt: 'LINESTRING(11.4 56.9,11.5 56.9)' }, 'Polygon'],
  ['another system', { wkt: 'SRID=3857;POLYGON((0 0,1 0,1 1,0 0))' }, 'SRID 3857'],
  ['no text of a geometry', { wkt: 'hele haven' }, 'wkt'],
  ['latitude first', { wkt: 'POLYGON((56.9 11.4,56.9 11.5,57 11.5,56.9 11.4))' }, 'not in Denmark'],
  ['both', { wkt: 'POLYGON EMPTY', geometri: { type: 'Polygon', coordinates: [] } }, 'one of them'],
  ['neither', {}, 'one of them'],
  [
    'too much',
    {
      geometri: {
        type: 'Polygon',
        coordinates: [
          [
            [11, 56.6],
            [11.9, 56.6],
            [11.9, 57],
            [11, 56.6],
          ],
        ],
      },
    },
    'km²',
  ],
])('%s is a bad request that says why', async (_, sent, why) => {
  const asked = Promise.resolve().then(async () => await inside(drawnPlace(sent)));
  await expect(asked).rejects.toBeInstanceOf(Failure);
  await expect(asked).rejects.toMatchObject({ message: expect.stringContaining(why) as unknown });
});

test('10,000 positions, in degrees and in metres', async () => {
  const { areaM2 } = await inside(
    drawnPlace({ geometri: { type: 'Polygon', coordinates: [ring(10_000)] } }),
  );
  expect(areaM2).toBeGreaterThan(1e5);
  const metres = square(50)
    .map((at) => at.join(' '))
    .join(',');
  const given = await inside(drawnPlace({ wkt: `POLYGON((${metres}))`, srid: 25832 }));
  expect(given.areaM2).toBeCloseTo(10_000, 6);
});
