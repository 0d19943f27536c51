/**
 * Conditions of the sample from their WFS to the answers at points and in areas (D209 to D212): what each says, against
 * one ST_Union of the whole features, and where it is easily told wrong: borders, touching parcels, a municipality
 * without zones, plans that follow.
 */
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import MVT from 'ol/format/MVT.js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Watcher } from '../../src/answers/answer.ts';
import { areaPlace, drawnPlace, unitedPlace } from '../../src/core/land/drawn-area.ts';
import type { Place } from '../../src/core/land/drawn-area.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import type { ConditionId } from '../../src/layers/conditions/condition.ts';
import { CONDITIONS, CONDITION_IDS } from '../../src/layers/conditions/index.ts';
import { isoDay } from '../../src/layers/mappings/condition.ts';
import { CONDITION_KEYS } from '../../src/registers/conditions/questions.ts';
import { conditions } from '../../src/registers/conditions/register.ts';
import { readPlaces } from '../../src/registers/conditions/store.ts';
import type { Found } from '../../src/registers/conditions/store.ts';
import { composeConditionTiles } from '../../src/registers/conditions/tiles.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { syncLayer } from '../../sync/run.ts';
import { themeFeatures } from '../../sample/data/areas.ts';
import { PLANNED } from '../../sample/data/conditions.ts';
import { generateSample } from '../../sample/data/dataset.ts';
import { valueText } from '../../sample/data/feature.ts';
import type { SampleProperties } from '../../sample/data/feature.ts';
import { boxRing, linesOf, multiPolygon } from '../../sample/data/geometry.ts';
import type { Place as Middle, Ring } from '../../sample/data/geometry.ts';
import { polygonWkt } from '../db/lines-fixture.ts';
import { bowTie, positionsOf } from '../support/layer-fixture.ts';
import { starAt } from '../support/condition-judge.ts';
import type { Rings } from '../support/condition-judge.ts';
import { storeLookups } from '../support/lookups.ts';
import { onTiles } from '../support/map-tiles.ts';
import { openMirroredLayers } from '../support/mirrored-store.ts';
import { opened } from '../support/opened.ts';
import { told } from '../support/run-outcome.ts';
import { HANG_MS, amountOf } from '../support/run-settings.ts';
import { openTestStore } from '../support/store.ts';
import { sharedWorkers } from '../support/sync-bench.ts';
import { ISLETS } from '../support/known-island.ts';

const DAY_MS = 86_400_000;
const SAMPLE = generateSample();

const bench = await opened(
  openMirroredLayers(['region', 'kommune', 'natur', 'dige', ...CONDITION_IDS]),
);

interface Shown {
  readonly status: string;
  readonly inden_for: boolean | null;
  readonly afstand_m: number | null;
  readonly antal: number | null;
  readonly objekter: readonly Readonly<Record<string, unknown>>[];
  readonly fravaer: string | null;
  readonly alder_s: number | null;
}

const shownOf = (layers: unknown) => layers as Readonly<Record<string, Shown>>;
const deadline = () => ({ signal: AbortSignal.timeout(HANG_MS) });

interface Asking {
  readonly laterMs?: number;
  readonly catalogue?: typeof bench.deps.catalogue;
  readonly store?: typeof bench.store;
}

function lookups(asking: Asking = {}) {
  const { laterMs = 0, catalogue = bench.deps.catalogue, store = bench.store } = asking;
  const clock = { nowMs: () => bench.deps.clock.nowMs() + laterMs };
  const failed: string[] = [];
  const watcher: Watcher = {
    answered: (layer, by) => by === 'unavailable' && failed.push(layer),
    originFailed: (layer) => failed.push(layer),
  };
  const { lookupsOf } = storeLookups(store, { catalogue, clock }, {}, { watcher });
  return { ...lookupsOf(conditions).conditions, failed };
}

async function at({ x, y }: Middle, keys: readonly string[] | null = null, asking: Asking = {}) {
  const point = pointFromUtm32({ xUtm32: x, yUtm32: y });
  const asked = lookups(asking);
  const own = keys ?? CONDITION_KEYS.slice(0, CONDITION_IDS.length);
  const { answers } = await asked.at([point], own, deadline());
  return { ...answers[0]!, failed: asked.failed, layers: shownOf(answers[0]!.layers) };
}

/** Ids of the objects at PLANNED, the smallest first, which alone is in force. */
function squares(id: ConditionId): string[] {
  const { source, objectId } = CONDITIONS.find(({ key }) => `forhold_${key}` === id)!;
  const found = (SAMPLE[id] ?? []).flatMap(({ geometry, properties }) => {
    const ring = geometry === null ? [] : linesOf(geometry)[0]!;
    if (ring.length !== 5) return [];
    const named = properties[objectId[0]!] ?? properties[source.keyProperty];
    return [{ named: valueText(named) ?? '', half: PLANNED.x - ring[0]![0]! }];
  });
  return found.toSorted((a, b) => a.half - b.half).map(({ named }) => named);
}

test('each condition is inside, at a place where one object of it is in force', async () => {
  const { layers, unavailable } = await at(PLANNED);
  expect(unavailable).toEqual([]);
  const others = CONDITIONS.filter(({ absence }) => absence !== 'rural-zone');
  for (const { key, fields } of others) {
    expect([key, layers[key]]).toMatchObject([
      key,
      { status: 'ok', inden_for: true, fravaer: null },
    ]);
    const ids = layers[key]!.objekter.map(({ objekt_id: id }) => id);
    const [inForce, ...others] = squares(`forhold_${key}`);
    expect([key, ids]).toEqual([key, expect.arrayContaining([inForce])]);
    // The ended one, the one to come and the one of another status lie here too.
    expect([key, ids.filter((id) => others.includes(id as string))]).toEqual([key, []]);
    for (const { name } of fields) expect(Object.keys(layers[key]!.objekter[0]!)).toContain(name);
  }
});

function clearOf(id: ConditionId): Middle {
  const taken = (SAMPLE[id] ?? []).flatMap(({ geometry }) =>
    geometry === null ? [] : linesOf(geometry).flat(),
  );
  for (let n = 0; n < 400; n += 1) {
    const place = { x: 647_000 + (n % 20) * 300, y: 6_312_000 + Math.floor(n / 20) * 200 };
    const isNear = taken.some(([x = 0, y = 0]) => Math.hypot(x - place.x, y - place.y) < 900);
    if (!isNear) return place;
  }
  throw new Error(`Objects of ${id} are everywhere.`);
}

test('nothing is there: each condition says what that means', async () => {
  for (const { key, absence, absenceText } of CONDITIONS) {
    const layer = (await at(clearOf(`forhold_${key}`), [key])).layers[key]!;
    const none = { afstand_m: null, antal: 0, objekter: [], fravaer: absenceText };
    const said =
      absence === 'not-mapped'
        ? { status: 'ikke_kortlagt', inden_for: null }
        : { status: 'ok', inden_for: false };
    expect([key, layer]).toMatchObject([key, { ...none, ...said }]);
  }
});

test('outside what is covered every condition is unavailable, and none counts as one that failed', async () => {
  const outside = await at({ x: 724_000, y: 6_175_000 });
  expect(outside.unavailable).toHaveLength(CONDITION_IDS.length);
  expect(outside.failed).toEqual([]);
  const tooOld = await at(PLANNED, ['lokalplan'], { laterMs: 1000 * DAY_MS });
  expect(tooOld.failed).toEqual(['forhold_lokalplan']);
});

test('landzone is told only where the municipality has its zones', async () => {
  const elsewhere = { ...ISLETS.beacon.centre };
  const atSea = { x: 660_000, y: 6_330_000 };
  for (const place of [elsewhere, atSea]) {
    const { layers, unavailable, failed } = await at(place, ['zone']);
    expect(layers['zone']).toMatchObject({
      status: 'utilgaengelig',
      inden_for: null,
      fravaer: null,
    });
    expect([unavailable, failed]).toEqual([['zone'], []]);
  }
});

test('a plan begins and ends on its day, without a sync', async () => {
  const id = 'forhold_lokalplan';
  const [feature] = bench.upstream.holdings.features(id).filter(isPlanned);
  const key = valueText(feature!.properties['id'])!;
  const tomorrow = isoDay(bench.deps.clock.nowMs() + DAY_MS);
  const compact = tomorrow.replaceAll('-', '');
  const asked = () => at(PLANNED, ['lokalplan']);
  for (const [column, before, after] of [
    ['datoikraft', false, true],
    ['datoaflyst', true, false],
  ] as const) {
    bench.upstream.holdings.assign(id, key, { [column]: compact });
    expect(told(await bench.sync(id))).toBe('published');
    expect((await asked()).layers['lokalplan']).toMatchObject({ inden_for: before });
    const later = await at(PLANNED, ['lokalplan'], { laterMs: DAY_MS });
    expect(later.layers['lokalplan']).toMatchObject({ status: 'ok', inden_for: after });
    bench.upstream.holdings.restore(id);
  }
  expect(told(await bench.sync(id))).toBe('published');
});

const isPlanned = ({ properties }: { readonly properties: Readonly<Record<string, unknown>> }) =>
  properties['id'] === '9001000';

test('a row whose standing cannot be read is a place of no answer', async () => {
  const id = 'forhold_lokalplan';
  bench.upstream.holdings.assign(id, '9001000', { status: 'Q' });
  const outcome = await bench.sync(id, {
    liftedGuards: ['issues', 'lost-features', 'row-drop', 'area-drop', 'change-share', 'canary'],
  });
  expect(told(outcome)).toBe('published');
  const { layers, unavailable } = await at(PLANNED, ['lokalplan', 'kommuneplanramme']);
  expect(unavailable).toEqual(['lokalplan']);
  expect(layers['kommuneplanramme']).toMatchObject({ inden_for: true });
  bench.upstream.holdings.restore(id);
  expect(told(await bench.sync(id))).toBe('published');
});

test('a layer that an operator leaves out is neither read nor answered', async () => {
  const id = 'forhold_lokalplan';
  const catalogue = overrideCatalogue(bench.deps.catalogue, { [id]: { off: true } });
  const outcome = await syncLayer({ ...bench.deps, catalogue }, id, { trigger: 'command' });
  expect(outcome.state).toBe('failed');
  expect((await at(PLANNED, ['lokalplan'], { catalogue })).unavailable).toEqual(['lokalplan']);
});

test('a copy past its hard limit, or a layer never mirrored, is no answer', async () => {
  const { layers } = await at(PLANNED, null, { laterMs: 40 * DAY_MS });
  for (const { key } of CONDITIONS) {
    expect([key, layers[key]]).toMatchObject([key, { status: 'utilgaengelig', inden_for: null }]);
  }
  const store = await openTestStore();
  const keys = ['lokalplan', 'jord_v1'];
  expect((await at(PLANNED, keys, { store })).unavailable).toEqual(keys);
  await store.close();
});

async function tileIds(
  { laterMs = 0, catalogue = bench.deps.catalogue }: Asking = {},
  ids: readonly ConditionId[] = CONDITION_IDS,
): Promise<Record<string, string[]>> {
  const { store, deps } = bench;
  const clock = { nowMs: () => deps.clock.nowMs() + laterMs };
  const parts = { store, workers: sharedWorkers(), catalogue, clock, isInvented: true };
  const all = composeConditionTiles({ ...parts, onExpired: () => undefined });
  const z = 16;
  const [x = 0, y = 0] = onTiles(PLANNED.x, PLANNED.y, z).map(Math.floor);
  const found: Record<string, string[]> = {};
  for (const tiles of all.filter(({ layer }) => ids.some((id) => id === layer))) {
    const { tile } = await tiles.tile({ z, x, y }, await tiles.served(), 'a test');
    const format = new MVT({ layers: [tiles.layer] });
    const bytes = tile.bytes === 0 ? new Uint8Array(0) : gunzipSync(tile.gzipped);
    const features = bytes.length === 0 ? [] : format.readFeatures(Uint8Array.from(bytes).buffer);
    found[tiles.layer] = features.map((feature) => String(feature.get('objekt_id')));
    for (const feature of features) {
      const named = Object.keys(feature.getProperties()).filter((name) => name !== 'layer');
      expect(Object.keys(tiles.fields)).toEqual(expect.arrayContaining(named));
    }
  }
  return found;
}

test('each condition has tiles, of what is in force on the day', async () => {
  const id = 'forhold_lokalplan';
  const today = await tileIds();
  expect(Object.keys(today)).toEqual(CONDITION_IDS);
  for (const { key, absence } of CONDITIONS) {
    if (absence === 'rural-zone') continue;
    const [inForce, ...others] = squares(`forhold_${key}`);
    const ids = today[`forhold_${key}`]!;
    expect([key, ids]).toEqual([key, expect.arrayContaining([inForce])]);
    expect([key, ids.filter((each) => others.includes(each))]).toEqual([key, []]);
  }
  const [plan] = squares(id);
  const tomorrow = isoDay(bench.deps.clock.nowMs() + DAY_MS);
  bench.upstream.holdings.assign(id, '9001000', { datoikraft: tomorrow.replaceAll('-', '') });
  expect(told(await bench.sync(id))).toBe('published');
  expect((await tileIds({}, [id]))[id]).not.toContain(plan);
  expect((await tileIds({ laterMs: DAY_MS }, [id]))[id]).toContain(plan);
  bench.upstream.holdings.restore(id);
  expect(told(await bench.sync(id))).toBe('published');
});

test('a layer that is left out, or too old, has no tile at all', async () => {
  const off = overrideCatalogue(bench.deps.catalogue, { forhold_bnbo: { off: true } });
  await expect(tileIds({ catalogue: off })).rejects.toMatchObject({ type: 'upstream_unavailable' });
  await expect(tileIds({ laterMs: 40 * DAY_MS })).rejects.toMatchObject({
    type: 'upstream_unavailable',
  });
});

const LAYERS = ['forhold_lokalplan', 'forhold_bnbo', 'forhold_jord_v2', 'natur', 'dige'] as const;
const RADIUS_M = 500;

const shownAt = async (key: string, x: number, y: number, laterMs = 0) =>
  (await at({ x, y }, [key], { laterMs })).layers[key]!;

async function inside(key: string, area: Place): Promise<Shown> {
  const { answer } = await lookups().in(area, null, [key], deadline());
  return shownOf(answer.layers)[key]!;
}

async function both(place: Place, laterMs = 0) {
  const asked = lookups({ laterMs }).in(place, null, ['lokalplan', 'jord_v2'], deadline());
  const { answer } = await asked;
  return { ...answer, layers: shownOf(answer.layers) };
}

interface Judged {
  readonly layer: string;
  readonly shared_m2: number;
  readonly shared_m: number;
  readonly distance_m: number;
}

async function unite(): Promise<void> {
  const today = isoDay(Date.now());
  await sql`
    create table united as select layer, ST_Union(geom) as geom from (
      select layer, geom from condition_feature
      where coalesce(valid_from <= ${today}::date, true) and coalesce(valid_to > ${today}::date, true)
      union all select layer, geom from line_feature where standing = 'in_force') all_of
    where layer = any(${LAYERS}::text[]) group by layer`.execute(bench.store.db);
}

async function judged(rings: Rings): Promise<readonly Judged[]> {
  const { rows } = await sql<Judged>`
    select layer, ST_Area(ST_Intersection(f.geom, g.geom)) as shared_m2,
      ST_Length(ST_Intersection(f.geom, g.geom)) as shared_m, ST_Distance(f.geom, g.geom) as distance_m
    from united f cross join (select ST_GeomFromText(${polygonWkt(rings)}, 25832) as geom) g`.execute(
    bench.store.db,
  );
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
  await unite();
  for (let n = 0; n < amountOf({ gate: 20, night: 5_000 }); n += 1) {
    const [x, y] = [PLANNED.x + 3000 * (random() - 0.5), PLANNED.y + 3000 * (random() - 0.5)];
    const rings = starAt(x, y, random);
    const { wkb } = areaPlace([rings]);
    const read = await readPlaces(bench.store, {
      ...{ wkbs: [wkb], layers: LAYERS, radiusM: RADIUS_M, mostObjects: 20, onLineM: 0.5 },
      today: isoDay(Date.now()),
    });
    expect(read.faults).toEqual([null]);
    for (const one of await judged(rings)) {
      expectSame(read.found[0]!.get(one.layer as (typeof LAYERS)[number]), one);
    }
  }
});

/** A square around the planned place, or so far east of it. */
const around = (half: number, east = 0) => box(PLANNED, [east - half, -half, east + half, half]);

test('a plan of 240 by 240 m: inside, halved by a border, beside it, and past its limit', async () => {
  const whole = await both(areaOf([around(10)]));
  expect(whole.areaM2).toBeCloseTo(400, 6);
  expect(whole.layers['lokalplan']).toMatchObject({
    beroert: true,
    areal_m2: 400,
    andel: 1,
    afstand_m: 0,
  });
  const half = await both(areaOf([around(10, 120)]));
  expect(half.layers['jord_v2']).toMatchObject({ beroert: true, areal_m2: 200, andel: 0.5 });
  const old = await both(areaOf([around(10)]), 40 * DAY_MS);
  expect(old.unavailable).toEqual(['lokalplan', 'jord_v2']);
});

test('parcels that touch are one area', async () => {
  const { areaM2 } = await both(unitedPlace([areaOf([around(10)]), areaOf([around(10, 20)])]));
  expect(areaM2).toBeCloseTo(800, 6);
});

const ring = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const angle = n === count - 1 ? 0 : (2 * Math.PI * n) / (count - 1);
    return [11.45 + 0.01 * Math.cos(angle), 56.93 + 0.01 * Math.sin(angle)];
  });

const drawn = (...coordinates: readonly (readonly number[])[][]) => ({
  geometri: { type: 'Polygon', coordinates },
});
const triangle = positionsOf([11, 56.6, 11.9, 56.6, 11.9, 57, 11, 56.6]);

test.each([
  ['a crossing border', drawn(positionsOf(bowTie(11.4, 56.9, 0.01))), 'Self-intersection'],
  ['10,001 positions', drawn(ring(10_001)), '10000'],
  ['an open ring', { wkt: 'POLYGON((11.4 56.9,11.5 56.9,11.5 57))' }, 'fewer than four'],
  ['a line', { wkt: 'LINESTRING(11.4 56.9,11.5 56.9)' }, 'Polygon'],
  ['another system', { wkt: 'SRID=3857;POLYGON((0 0,1 0,1 1,0 0))' }, 'SRID 3857'],
  ['no text of a geometry', { wkt: 'hele haven' }, 'wkt'],
  ['latitude first', { wkt: 'POLYGON((56.9 11.4,56.9 11.5,57 11.5,56.9 11.4))' }, 'not in Denmark'],
  ['both', { wkt: 'POLYGON EMPTY', ...drawn() }, 'one of them'],
  ['neither', {}, 'one of them'],
  ['too much', drawn(triangle), 'km²'],
])('%s is a bad request that says why', async (_, sent, why) => {
  const asked = Promise.resolve().then(async () => await both(drawnPlace(sent)));
  await expect(asked).rejects.toBeInstanceOf(Failure);
  await expect(asked).rejects.toMatchObject({ message: expect.stringContaining(why) as unknown });
});

test('10,000 positions, in degrees and in metres', async () => {
  const { areaM2 } = await both(drawnPlace(drawn(ring(10_000))));
  expect(areaM2).toBeGreaterThan(1e5);
  const metres = around(50)
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
    const shown = await shownAt('bnbo', x + east, y + north);
    expect(shown).toMatchObject({ status: 'ok', ...said });
    expect(shown.objekter).toHaveLength(objects);
  });

  type Sides = readonly [minX: number, minY: number, maxX: number, maxY: number];
  /** Their boxes, and whether they are touched, by how many square metres, which share of them, and how far off. */
  const PARCELS: readonly (readonly [string, Sides[], [boolean, number, number, number]])[] = [
    ['that shares a line', [[-130, -50, -100, 50]], [false, 0, 0, 0]],
    ['that shares a point', [[-130, -130, -100, -100]], [false, 0, 0, 0]],
    ['that fills the hole', [[-40, -40, 40, 40]], [false, 0, 0, 0]],
    ['with a sliver of a centimetre inside', [[-130, -50, -99.99, 50]], [true, 1, 0.000333, 0]],
    ['of a sliver that ends on the border', [[-100.01, -50, -100, 50]], [false, 0, 0, 0]],
    [
      'of several parts, one of them in the hole',
      [
        [-90, -10, -80, 10],
        [-10, -10, 10, 10],
      ],
      [true, 200, 0.333333, 0],
    ],
    ['across the edge that both share', [[90, 0, 110, 10]], [true, 200, 1, 0]],
    ['beside it', [[-150, 0, -112.5, 10]], [false, 0, 0, 12.5]],
  ];
  test.each(PARCELS)('a parcel %s', async (_, boxes, [beroert, areal_m2, andel, afstand_m]) => {
    const parts = boxes.map((sides) => [box(PLANNED, sides)]);
    const said = { status: 'ok', beroert, areal_m2, andel, afstand_m };
    expect(await inside('bnbo', areaOf(...parts))).toMatchObject(said);
  });
});

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
  expect(await shownAt('zone', x, y)).toMatchObject({ status: 'ok', inden_for: true });
  const sides = [await shownAt('zone', ...beyond), await shownAt('zone', x - 70, y)];
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
    const { objekter } = await shownAt(key, PLANNED.x, PLANNED.y, laterMs);
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
  expect(await shownAt('lokalplan_forslag', PLANNED.x, PLANNED.y)).toMatchObject({
    inden_for: false,
  });
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
