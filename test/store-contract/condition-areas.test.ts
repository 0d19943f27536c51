/**
 * What areas and points share with conditions (D211, D212): against one ST_Union of the whole features, and where it is
 * easily told wrong: borders, touching parcels, a municipality without zones, plans that follow.
 */
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import type { ConditionId } from '../../src/layers/conditions/condition.ts';
import { isoDay } from '../../src/layers/mappings/condition.ts';
import { conditions } from '../../src/registers/conditions/register.ts';
import { areaPlace, drawnPlace, unitedPlace } from '../../src/core/land/drawn-area.ts';
import type { Place } from '../../src/core/land/drawn-area.ts';
import { readPlaces } from '../../src/registers/conditions/store.ts';
import type { Found } from '../../src/registers/conditions/store.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { themeFeatures } from '../../sample/data/areas.ts';
import { PLANNED } from '../../sample/data/conditions.ts';
import type { SampleProperties } from '../../sample/data/feature.ts';
import { boxRing, linesOf, multiPolygon } from '../../sample/data/geometry.ts';
import type { Place as Middle, Ring } from '../../sample/data/geometry.ts';
import { HANG_MS, amountOf } from '../support/run-settings.ts';
import { storeLookups } from '../support/lookups.ts';
import { openMirroredLayers } from '../support/mirrored-store.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

const LAYERS = ['forhold_lokalplan', 'forhold_bnbo', 'forhold_jord_v2', 'natur', 'dige'] as const;
const RADIUS_M = 500;
const DAY_MS = 86_400_000;

const bench = await opened(openMirroredLayers(['region', 'kommune', 'forhold_zone', ...LAYERS]));

interface Shown {
  readonly status: string;
  readonly objekter: readonly Readonly<Record<string, unknown>>[];
}

function lookups(laterMs = 0) {
  const { store, deps } = bench;
  const clock = { nowMs: () => deps.clock.nowMs() + laterMs };
  return storeLookups(store, { catalogue: deps.catalogue, clock }).lookupsOf(conditions).conditions;
}

const deadline = () => ({ signal: AbortSignal.timeout(HANG_MS) });
const shownOf = (layers: unknown) => layers as Readonly<Record<string, Shown>>;

async function at(key: string, x: number, y: number, laterMs = 0): Promise<Shown> {
  const point = pointFromUtm32({ xUtm32: x, yUtm32: y });
  const { answers } = await lookups(laterMs).at([point], [key], deadline());
  return shownOf(answers[0]!.layers)[key]!;
}

async function inside(key: string, area: Place): Promise<Shown> {
  const { answer } = await lookups().in(area, null, [key], deadline());
  return shownOf(answer.layers)[key]!;
}

/** Of a plan and of soil. */
async function both(place: Place, laterMs = 0) {
  const asked = lookups(laterMs).in(place, null, ['lokalplan', 'jord_v2'], deadline());
  const { answer } = await asked;
  return { ...answer, layers: shownOf(answer.layers) };
}

type Corners = readonly (readonly [number, number])[];

/** A star with a smaller one as its hole. */
function star(random: () => number): Corners[] {
  const [x, y] = [PLANNED.x + 3000 * (random() - 0.5), PLANNED.y + 3000 * (random() - 0.5)];
  const corners = 5 + Math.floor(20 * random());
  const reach = 20 + 900 * random();
  const radii = Array.from({ length: corners }, () => reach * (0.4 + 0.6 * random()));
  const ring = (share: number): Corners => {
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

async function judged(rings: readonly Corners[]): Promise<readonly Judged[]> {
  const wkt = `POLYGON(${rings.map((ring) => `(${ring.map((at) => at.join(' ')).join(',')})`).join(',')})`;
  const today = new Date().toISOString().slice(0, 10);
  const { rows } = await sql<Judged>`
    with g as (select ST_GeomFromText(${wkt}, 25832) as geom),
    f as (
      select layer, ST_Union(geom) as geom from (
        select layer, geom from condition_feature
        where coalesce(valid_from <= ${today}::date, true) and coalesce(valid_to > ${today}::date, true)
        union all select layer, geom from line_feature where standing = 'in_force') all_of
      where layer = any(${LAYERS}::text[]) group by layer)
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
      expectSame(read.found[0]!.get(one.layer as (typeof LAYERS)[number]), one);
    }
  }
});

const square = (half: number, dx = 0, dy = 0): Corners => {
  const [x, y] = [PLANNED.x + dx, PLANNED.y + dy];
  const corner = (i: number, j: number) => [x + i * half, y + j * half] as const;
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];
};

const placeOf = (...rings: readonly Corners[]) => areaPlace([rings.map((ring) => ring.flat())]);

test('a plan of 240 by 240 m: inside, halved by a border, beside it, and past its limit', async () => {
  const whole = await both(placeOf(square(10)));
  expect(whole.areaM2).toBeCloseTo(400, 6);
  expect(whole.layers['lokalplan']).toMatchObject({
    beroert: true,
    areal_m2: 400,
    andel: 1,
    afstand_m: 0,
  });
  const half = await both(placeOf(square(10, 120)));
  expect(half.layers['jord_v2']).toMatchObject({ beroert: true, areal_m2: 200, andel: 0.5 });
  const old = await both(placeOf(square(10)), 40 * DAY_MS);
  expect(old.unavailable).toEqual(['lokalplan', 'jord_v2']);
});

test('parcels that touch are one area', async () => {
  const { areaM2 } = await both(unitedPlace([placeOf(square(10)), placeOf(square(10, 20))]));
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
  const asked = Promise.resolve().then(async () => await both(drawnPlace(sent)));
  await expect(asked).rejects.toBeInstanceOf(Failure);
  await expect(asked).rejects.toMatchObject({ message: expect.stringContaining(why) as unknown });
});

test('10,000 positions, in degrees and in metres', async () => {
  const { areaM2 } = await both(
    drawnPlace({ geometri: { type: 'Polygon', coordinates: [ring(10_000)] } }),
  );
  expect(areaM2).toBeGreaterThan(1e5);
  const metres = square(50)
    .map((at) => at.join(' '))
    .join(',');
  const given = await both(drawnPlace({ wkt: `POLYGON((${metres}))`, srid: 25832 }));
  expect(given.areaM2).toBeCloseTo(10_000, 6);
});

interface Row {
  readonly rings: readonly Ring[];
  readonly values?: SampleProperties;
}

/** Mirrors a layer of these rows alone, in force as the sample's are but for their values. */
async function mirror(id: ConditionId, rows: readonly Row[]): Promise<void> {
  bench.upstream.holdings.restore(id);
  bench.upstream.holdings.edit(id, (all) =>
    rows.map(({ rings, values }, n) => ({
      ...all[n]!,
      properties: { ...all[n]!.properties, ...values },
      geometry: multiPolygon([...rings]),
    })),
  );
  expect(told(await bench.sync(id, { liftedGuards: LIFTABLE_GUARDS }))).toBe('published');
}

function box(
  { x, y }: Middle,
  [minX, minY, maxX, maxY]: readonly [number, number, number, number],
) {
  return boxRing({ x, y }, { minX, minY, maxX, maxY });
}

const areaOf = (...polygons: readonly (readonly Ring[])[]): Place =>
  areaPlace(polygons.map((rings) => rings.map((ring) => ring.flat())));

describe('a square with a hole, and one at its side', () => {
  const { x, y } = PLANNED;
  beforeAll(async () => {
    const hole = box(PLANNED, [-40, -40, 40, 40]);
    await mirror('forhold_bnbo', [
      { rings: [box(PLANNED, [-100, -100, 100, 100]), [...hole].reverse()] },
      { rings: [box(PLANNED, [100, -100, 200, 100])] },
    ]);
  });

  test.each([
    ['on an edge', [-100, 7], { inden_for: true, afstand_m: 0 }, 1],
    ['on a corner', [-100, -100], { inden_for: true, afstand_m: 0 }, 1],
    ['on the border of the hole', [40, -3], { inden_for: true, afstand_m: 0 }, 1],
    ['in the hole', [10, 0], { inden_for: false, afstand_m: 30 }, 0],
    ['on the edge that both share', [100, 20], { inden_for: true, afstand_m: 0 }, 2],
    ['a tenth of a metre outside', [-100.1, 7], { inden_for: false, afstand_m: 0.1 }, 0],
  ] as const)('a point %s', async (_, [east, north], said, objects) => {
    const shown = await at('bnbo', x + east, y + north);
    expect(shown).toMatchObject({ status: 'ok', ...said });
    expect(shown.objekter).toHaveLength(objects);
  });

  const parcels: readonly (readonly [string, Place, object])[] = [
    [
      'that shares a line',
      areaOf([box(PLANNED, [-130, -50, -100, 50])]),
      { beroert: false, areal_m2: 0, andel: 0, afstand_m: 0 },
    ],
    [
      'that shares a point',
      areaOf([box(PLANNED, [-130, -130, -100, -100])]),
      { beroert: false, areal_m2: 0, andel: 0, afstand_m: 0 },
    ],
    [
      'that fills the hole',
      areaOf([box(PLANNED, [-40, -40, 40, 40])]),
      { beroert: false, areal_m2: 0, andel: 0, afstand_m: 0 },
    ],
    [
      'with a sliver of a centimetre inside',
      areaOf([box(PLANNED, [-130, -50, -99.99, 50])]),
      { beroert: true, areal_m2: 1, andel: 0.000333, afstand_m: 0 },
    ],
    [
      'of a sliver that ends on the border',
      areaOf([box(PLANNED, [-100.01, -50, -100, 50])]),
      { beroert: false, areal_m2: 0, andel: 0, afstand_m: 0 },
    ],
    [
      'of several parts, one of them in the hole',
      areaOf([box(PLANNED, [-90, -10, -80, 10])], [box(PLANNED, [-10, -10, 10, 10])]),
      { beroert: true, areal_m2: 200, andel: 0.333333, afstand_m: 0 },
    ],
    [
      'across the edge that both share',
      areaOf([box(PLANNED, [90, 0, 110, 10])]),
      { beroert: true, areal_m2: 200, andel: 1, afstand_m: 0 },
    ],
    [
      'beside it',
      areaOf([box(PLANNED, [-150, 0, -112.5, 10])]),
      { beroert: false, areal_m2: 0, andel: 0, afstand_m: 12.5 },
    ],
  ];
  test.each(parcels)('a parcel %s', async (_, area, said) => {
    expect(await inside('bnbo', area)).toMatchObject({ status: 'ok', ...said });
  });
});

/** A corner that two municipalities share. */
function sharedCorner() {
  const all = themeFeatures('kommune').map(({ geometry, properties }) => ({
    code: Number(properties['kommunekode']),
    corners: geometry === null ? [] : linesOf(geometry).flat(),
  }));
  for (const one of all) {
    for (const [x = 0, y = 0] of one.corners) {
      const isOn = ({ corners }: (typeof all)[number]) =>
        corners.some((corner) => corner[0] === x && corner[1] === y);
      const sharing = all.filter(isOn);
      if (sharing.length === 2) return { x, y, codes: sharing.map(({ code }) => code) };
    }
  }
  throw new Error('No two municipalities share a corner.');
}

test('of an area that reaches into a municipality without zones the zone is not told', async () => {
  const { x, y, codes } = sharedCorner();
  const town = { rings: [box({ x, y }, [-50, -50, 50, 50])], values: { komnr: String(codes[0]) } };
  const other = {
    rings: [box({ x, y }, [900, 900, 950, 950])],
    values: { komnr: String(codes[1]) },
  };
  const [across, beyond] = [areaOf([box({ x, y }, [-60, -60, 60, 60])]), [x + 70, y] as const];
  await mirror('forhold_zone', [town, other]);
  const share = { beroert: true, areal_m2: 10_000, andel: 0.694444 };
  expect(await inside('zone', across)).toMatchObject({ status: 'ok', ...share });
  await mirror('forhold_zone', [town]);
  expect(await inside('zone', across)).toMatchObject({
    ...{ status: 'utilgaengelig', beroert: null, areal_m2: null, fravaer: null },
  });
  expect(await at('zone', x, y)).toMatchObject({ status: 'ok', inden_for: true });
  const sides = [await at('zone', ...beyond), await at('zone', x - 70, y)];
  expect(sides.map(({ status }) => status)).toContain('utilgaengelig');
});

test('a proposal is no plan, and the plan that follows begins when the old one ends', async () => {
  const rings = [box(PLANNED, [-120, -120, 120, 120])];
  const tomorrow = isoDay(bench.deps.clock.nowMs() + DAY_MS).replaceAll('-', '');
  const PLAN = { planid: '7001', status: 'V', datoaflyst: null, datogslut: null };
  const old = { ...PLAN, plannr: '1', datoikraft: '20100101' };
  const proposal = { planid: '7002', status: 'F', plannr: '2', datoforsl: tomorrow };
  const published = isoDay(bench.deps.clock.nowMs() - 30 * DAY_MS).replaceAll('-', '');
  const numbers = async (key: string, laterMs = 0) => {
    const { objekter } = await at(key, PLANNED.x, PLANNED.y, laterMs);
    return objekter.map(({ plannr }) => plannr);
  };
  await mirror('forhold_lokalplan', [{ rings, values: old }]);
  await mirror('forhold_lokalplan_forslag', [
    { rings, values: { ...proposal, datoforsl: published } },
  ]);
  expect([await numbers('lokalplan'), await numbers('lokalplan_forslag')]).toEqual([['1'], ['2']]);
  await mirror('forhold_lokalplan', [
    { rings, values: { ...old, datoaflyst: tomorrow } },
    { rings, values: { ...PLAN, planid: '7002', plannr: '2', datoikraft: tomorrow } },
  ]);
  expect([await numbers('lokalplan'), await numbers('lokalplan', DAY_MS)]).toEqual([['1'], ['2']]);
  await mirror('forhold_lokalplan_forslag', [{ rings, values: proposal }]);
  expect(await at('lokalplan_forslag', PLANNED.x, PLANNED.y)).toMatchObject({ inden_for: false });
});

test('a locality that names a parcel, and lies beside it, is told both ways', async () => {
  const values = { Lokalitetsejerlavkode: '9900093.0', Lokalitetsmatrikler: '12b; 7ø' };
  const beside = { Lokalitetsejerlavkode: '9900092', Lokalitetsmatrikler: '7ø' };
  await mirror('forhold_jord_v1', [
    { rings: [box(PLANNED, [-30, -30, 30, 30])], values },
    { rings: [box(PLANNED, [-30, 40, 30, 60])], values: beside },
  ]);
  const area = areaOf([box(PLANNED, [80, 0, 90, 10])]);
  const named = await inside('jord_v1', { ...area, parcels: ['9900093 7ø'] });
  expect(named).toMatchObject({ status: 'ikke_kortlagt', beroert: null, areal_m2: 0 });
  expect(named.objekter).toMatchObject([
    { registret_naevner_matrikler: '12b; 7ø', areal_m2: 0, kun_naevnt_i_tekst: true },
  ]);
  expect(named).toMatchObject({ fravaer: expect.stringContaining('nævner dog') as unknown });
  const over = await inside('jord_v1', areaOf([box(PLANNED, [0, 0, 60, 10])]));
  expect(over.objekter.map((object) => object['kun_naevnt_i_tekst'])).toEqual([undefined]);
  expect((await inside('jord_v1', { ...area, parcels: ['9900093 7'] })).objekter).toEqual([]);
  expect((await inside('jord_v1', area)).objekter).toEqual([]);
});

test('of soil whose parcels were renumbered the shape decides, and the text is told', async () => {
  const values = { Lokalitetsejerlavkode: '9900093', Lokalitetsmatrikler: '99zæ;100b' };
  await mirror('forhold_jord_v1', [{ rings: [box(PLANNED, [-30, -30, 30, 30])], values }]);
  const shown = await inside('jord_v1', areaOf([box(PLANNED, [0, 0, 60, 10])]));
  expect(shown).toMatchObject({ status: 'ok', beroert: true, areal_m2: 300 });
  expect(shown.objekter).toMatchObject([
    { registret_naevner_ejerlav: '9900093', registret_naevner_matrikler: '99zæ;100b' },
  ]);
});
