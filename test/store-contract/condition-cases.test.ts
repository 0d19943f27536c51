/** Places where a condition is easily told wrong: borders, touching parcels, a municipality without zones, plans that follow. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Place } from '../../src/core/land/drawn-area.ts';
import { areaPlace } from '../../src/core/land/drawn-area.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import type { ConditionId } from '../../src/layers/conditions/condition.ts';
import { isoDay } from '../../src/layers/mappings/condition.ts';
import { conditions } from '../../src/registers/conditions/register.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { themeFeatures } from '../../sample/data/areas.ts';
import { PLANNED } from '../../sample/data/conditions.ts';
import type { SampleProperties } from '../../sample/data/feature.ts';
import { boxRing, linesOf, multiPolygon } from '../../sample/data/geometry.ts';
import type { Place as Middle, Ring } from '../../sample/data/geometry.ts';
import { raiseIsland } from '../../sample/data/island.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { storeLookups } from '../support/lookups.ts';
import { told } from '../support/run-outcome.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { opened } from '../support/opened.ts';

const DAY_MS = 86_400_000;

const bench = await opened(openSyncBench());
beforeAll(async () => {
  for (const layer of ['region', 'kommune'] as const) {
    expect(told(await bench.sync(layer))).toBe('published');
  }
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

interface Shown {
  readonly status: string;
  readonly objekter: readonly Readonly<Record<string, unknown>>[];
}
type Layers = Readonly<Record<string, Shown>>;

function lookups(laterMs = 0) {
  const { store, deps } = bench;
  const clock = { nowMs: () => deps.clock.nowMs() + laterMs };
  return storeLookups(store, { catalogue: deps.catalogue, clock }).lookupsOf(conditions).conditions;
}

const deadline = () => ({ signal: AbortSignal.timeout(HANG_MS) });

async function at(key: string, x: number, y: number, laterMs = 0): Promise<Shown> {
  const point = pointFromUtm32({ xUtm32: x, yUtm32: y });
  const { answers } = await lookups(laterMs).at([point], [key], deadline());
  return (answers[0]!.layers as Layers)[key]!;
}

async function inside(key: string, area: Place): Promise<Shown> {
  const { answer } = await lookups().in(area, null, [key], deadline());
  return (answer.layers as Layers)[key]!;
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
  const all = themeFeatures('kommune', raiseIsland()).map(({ geometry, properties }) => ({
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
