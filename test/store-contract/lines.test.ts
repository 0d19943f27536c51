/**
 * The building-lines statement against an oracle that shares none of it: one ST_Union of everything
 * in force, its ST_Boundary, and plain aggregates over every feature of the layer. And the engine in
 * memory, over a snapshot of the same rows, against the statement.
 */
import type { LineMeasure } from '../../src/core/held/layer-reads.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { amountOf } from '../support/run-settings.ts';
import { sharedStore } from '../support/store.ts';
import { lineWkt, polygonWkt, publishLine } from '../db/lines-fixture.ts';
import type { GivenFeature } from '../db/lines-fixture.ts';
import { box, star } from '../support/layer-fixture.ts';
import { LayerSnapshotBuilder } from '../../src/snapshot/build-layer.ts';
import type { SnapshotFeature } from '../../src/snapshot/build-layer.ts';
import { openLayerSnapshot } from '../../src/snapshot/layer.ts';
import { LineEngine } from '../../src/snapshot/lines.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

const X = 600_000;
const Y = 6_200_000;
const RADIUS_M = 500;

const store = await sharedStore();
beforeAll(async () => {
  await publishLine(store, 'strandbeskyttelse', parcels(), { syncedAtMs: 1_700_000_000_123 });
  await publishLine(store, 'skov', forests());
  await publishLine(store, 'natur', holed());
  await publishLine(store, 'dige', walls());
  await publishLine(store, 'kirke', []);
});

/** 12 by 8 parcels of one zone, on whole metres, two of them left out in the middle. */
function parcels(): GivenFeature[] {
  const features: GivenFeature[] = [];
  for (let i = 0; i < 12; i++) {
    for (let j = 0; j < 8; j++) {
      if (j === 4 && (i === 5 || i === 6)) continue;
      const id = `parcel-${String(i).padStart(2, '0')}-${j}`;
      features.push({ id, wkt: polygonWkt([box(X + 40 * i, Y + 50 * j, 40, 50)]) });
    }
  }
  return features;
}

function forests(): GivenFeature[] {
  const random = randomFrom(11);
  return Array.from({ length: 60 }, (_, i) => {
    const centre = at(X + 2400 * random(), Y + 2400 * random());
    const ring = star(centre, { radiusM: 100 + 300 * random(), corners: 24, random });
    return {
      id: `forest-${String(i).padStart(2, '0')}`,
      wkt: polygonWkt([ring]),
      repealed: i % 7 === 0,
      adopted: i % 3 !== 0,
    };
  });
}

/** Rings with holes, islands in the holes, and two features that are the same. */
function holed(): GivenFeature[] {
  const features: GivenFeature[] = [];
  for (let i = 0; i < 12; i++) {
    const x = X + 300 * (i % 4);
    const y = Y + 300 * Math.floor(i / 4);
    const rings = [box(x, y, 250), box(x + 50, y + 50, 120), box(x + 190, y + 190, 30)];
    features.push({ id: `ring-${i}`, wkt: polygonWkt(rings), adopted: i % 2 === 0 });
    features.push({ id: `island-${i}`, wkt: polygonWkt([box(x + 90, y + 90, 20)]) });
  }
  features.push({ id: 'ring-0', key: 'again', wkt: features[0]!.wkt, adopted: true });
  return features;
}

function walls(): GivenFeature[] {
  const random = randomFrom(5);
  const features: GivenFeature[] = Array.from({ length: 40 }, (_, i) => {
    const line: number[] = [X + 2400 * random(), Y + 2400 * random()];
    for (let v = 0; v < 6; v++) {
      line.push(line.at(-2)! + 100 * (random() - 0.5), line.at(-1)! + 100 * (random() - 0.5));
    }
    return {
      id: `wall-${String(i).padStart(2, '0')}`,
      wkt: lineWkt(line),
      repealed: i % 5 === 0,
      adopted: i % 2 === 0,
    };
  });
  features.push({ id: 'straight', wkt: lineWkt([X, Y + 3000, X + 100, Y + 3000]) });
  features.push({ id: 'other', wkt: lineWkt([X, Y + 3001, X + 100, Y + 3001]), adopted: false });
  return features;
}

const at = (x: number, y: number): PointUtm32 => ({ xUtm32: x, yUtm32: y });

async function ask(line: LineKey, points: readonly PointUtm32[]): Promise<LineMeasure[]> {
  const read = await readLines(store, { points, lines: [LINE_LAYERS[line]], radiusM: RADIUS_M });
  return read.measures.map(([measure]) => measure!);
}

interface Truth {
  readonly within: boolean;
  readonly uncertain: boolean;
  readonly distance: number | null;
  readonly count: number;
  readonly hit: string | null;
  readonly repealed: readonly [string, number][];
}

/** The truth by plain means: nothing is looked up in an index, no zone edge table is read. */
async function truths(line: LineKey, points: readonly PointUtm32[]): Promise<Truth[]> {
  const isLine = LINE_LAYERS[line].geometry === 'line';
  const signed = isLine
    ? sql`ST_Distance(f.geom, p.geom)`
    : sql`case when ST_Intersects(f.geom, p.geom)
        then -ST_Distance(ST_Boundary(f.geom), p.geom) else ST_Distance(f.geom, p.geom) end`;
  const { rows } = await sql<Truth>`
    with p as (
      select n, ST_SetSRID(ST_MakePoint(x, y), 25832) as geom
      from unnest(${points.map(({ xUtm32 }) => xUtm32)}::float8[],
        ${points.map(({ yUtm32 }) => yUtm32)}::float8[]) with ordinality as u(x, y, n)
    ),
    f as materialized (select * from line_feature where layer = ${line}),
    zone as materialized (
      select ST_Boundary(ST_Union(geom)) as edge from f where standing = 'in_force'
    ),
    m as materialized (
      select p.n, f.object_id, f.key, f.standing, f.adopted, ${signed} as d from p cross join f
    ),
    hit as (
      select distinct on (n) n, object_id, key, adopted from m
      where standing = 'in_force' and d <= ${isLine ? 2 : 0}::float8
      order by n, adopted desc, d, object_id collate "C", key collate "C"
    ),
    near as (
      select n, min(d) as d, count(*)::integer as count from m
      where standing = 'in_force' and d <= 500 group by n
    ),
    gone as (
      select n, jsonb_agg(jsonb_build_array(key, d) order by d, object_id, key)
        filter (where rank <= 20) as list
      from (select *, row_number() over (partition by n order by d, object_id, key) as rank
        from m where standing = 'repealed' and d <= 500) r group by n
    )
    select hit.n is not null as within, hit.n is not null and not hit.adopted as uncertain,
      case when hit.n is not null and not ${isLine}::boolean
        then -(select ST_Distance(edge, p.geom) from zone)
        else near.d end as distance,
      coalesce(near.count, 0) as count, hit.key as hit, coalesce(gone.list, '[]') as repealed
    from p left join hit using (n) left join near using (n) left join gone using (n)
    order by p.n`.execute(store.db);
  return rows;
}

async function engineOf(line: LineKey): Promise<LineEngine> {
  const { geometry } = LINE_LAYERS[line];
  const builder = new LayerSnapshotBuilder({ layer: line, geometry, version: 1 });
  const features = await sql<Omit<SnapshotFeature, 'attributes'> & { attributes: unknown }>`
    select key, object_id as "objectId", standing, adopted, attributes, area_m2 as "areaM2",
      ST_AsBinary(geom, 'NDR') as wkb
    from line_feature where layer = ${line}`.execute(store.db);
  for (const row of features.rows) {
    builder.add({ ...row, attributes: JSON.stringify(row.attributes) });
  }
  const edges = await sql<{ wkb: Buffer }>`
    select ST_AsBinary(geom, 'NDR') as wkb from line_zone_edge
    where layer = ${line}`.execute(store.db);
  for (const { wkb } of edges.rows) builder.addZoneEdge(wkb);
  return new LineEngine(openLayerSnapshot(builder.withZones().finish()));
}

async function expectSameInMemory(
  line: LineKey,
  points: readonly PointUtm32[],
  measures?: readonly LineMeasure[],
): Promise<void> {
  const engine = await engineOf(line);
  const keyOf = (feature: number) => engine.snapshot.feature(feature).key;
  const inMemory = points.map((point): Truth => {
    const { distanceM, hit, repealed, ...measure } = engine.measure(point, RADIUS_M);
    return {
      ...{ ...measure, distance: distanceM, hit: hit === null ? null : keyOf(hit) },
      repealed: repealed.map((each) => [keyOf(each.feature), each.distanceM]),
    };
  });
  expect(compare(measures ?? (await ask(line, points)), inMemory)).toBeLessThan(1e-6);
}

function compare(measures: readonly LineMeasure[], expected: readonly Truth[]): number {
  let worst = 0;
  for (const [i, truth] of expected.entries()) {
    const measure = measures[i]!;
    expect({
      within: measure.within,
      uncertain: measure.uncertain,
      count: measure.count,
      // The fixture keeps each row's key as its category.
      hit: measure.hit?.attributes.category ?? null,
      repealed: measure.repealed.map(({ attributes }) => attributes.category),
    }).toEqual({
      within: truth.within,
      uncertain: truth.uncertain,
      count: truth.count,
      hit: truth.hit,
      repealed: truth.repealed.map(([key]) => key),
    });
    expect(Object.is(measure.distanceM, -0)).toBe(false);
    expect(measure.distanceM === null).toBe(truth.distance === null);
    worst = Math.max(worst, Math.abs((measure.distanceM ?? 0) - (truth.distance ?? 0)));
    for (const [j, [, distance]] of truth.repealed.entries()) {
      worst = Math.max(worst, Math.abs(measure.repealed[j]!.distanceM - distance));
    }
  }
  return worst;
}

describe('the building-lines statement', () => {
  it.each(['strandbeskyttelse', 'skov', 'natur', 'dige'] as const)(
    'agrees with the plain computation of %s at random points',
    async (line) => {
      const random = randomFrom(3);
      const many = store.kind === 'postgres' ? amountOf({ gate: 500, night: 2_000 }) : 300;
      const size = { strandbeskyttelse: 700, skov: 3000, natur: 1400, dige: 3200 }[line];
      const points = Array.from({ length: many }, () =>
        at(X - 150 + size * random(), Y - 150 + size * random()),
      );
      const expected = await truths(line, points);
      const insides = expected.filter(({ within }) => within).length;
      expect(insides).toBeGreaterThan(line === 'dige' ? 0 : many / 20);
      const measures = await ask(line, points);
      expect(compare(measures, expected)).toBeLessThan(1e-6);
      await expectSameInMemory(line, points, measures);
    },
  );

  it('agrees at vertices, on edges and a hair off them', async () => {
    const { rows } = await sql<{ x: number; y: number }>`
      select ST_X((d).geom) as x, ST_Y((d).geom) as y
      from (select ST_DumpPoints(geom) as d from line_feature
        where layer in ('natur', 'strandbeskyttelse')) v`.execute(store.db);
    const points = rows
      .filter((_, i) => i % 7 === 0)
      .flatMap(({ x, y }) => [at(x, y), at(x + 10, y), at(x + 1e-4, y), at(x, y - 1e-4)]);
    // On which side of an edge a point a nanometre away lies is rounding, and that of the PostGIS of the server.
    const hairs =
      store.kind === 'postgres' ? points.map((each) => at(each.xUtm32 + 1e-9, each.yUtm32)) : [];
    for (const line of ['natur', 'strandbeskyttelse'] as const) {
      const measures = await ask(line, points);
      expect(compare(measures, await truths(line, points))).toBeLessThan(1e-6);
      await expectSameInMemory(line, points, measures);
      await expectSameInMemory(line, hairs);
    }
  });

  it('tells a layer that was never mirrored from one that holds nothing', async () => {
    const lines = LINE_KEYS.map((key) => LINE_LAYERS[key]);
    const read = await readLines(store, { points: [at(X, Y)], lines, radiusM: RADIUS_M });
    expect(read.copies.get('vandloeb')).toBeNull();
    expect(read.copies.get('kirke')).toMatchObject({ version: 1, syncedAtMs: 0, held: false });
    expect(read.copies.get('strandbeskyttelse')).toEqual({
      version: 1,
      syncedAtMs: 1_700_000_000_123,
      held: false,
      sourceRows: null,
      unanswered: null,
      outdatedAtMs: null,
    });
    expect(read.measures[0]?.[LINE_KEYS.indexOf('kirke')]).toEqual({
      within: false,
      uncertain: false,
      distanceM: null,
      count: 0,
      hit: null,
      repealed: [],
    });
  });

  it('agrees on degenerate features', async () => {
    const [x0, y0] = [X + 0.37, Y + 0.29];
    const ring = (...path: number[]) => path.map((v, i) => v + (i % 2 === 0 ? x0 : y0));
    await publishLine(store, 'kirke', [
      { id: 'doubled', wkt: polygonWkt([ring(0, 0, 0, 0, 90, 0, 90, 0, 90, 90, 0, 90, 0, 0)]) },
      {
        id: 'touching',
        wkt: polygonWkt([box(x0 + 300, y0, 100), ring(300, 50, 330, 40, 330, 60, 300, 50)]),
      },
      ...Array.from({ length: 300 }, (_, i): GivenFeature => {
        return { id: `same-${i}`, wkt: polygonWkt([box(x0 + 600, y0, 50)]), repealed: i % 3 === 0 };
      }),
    ]);
    const points = [
      [45, 45],
      [0, 0],
      [90, 45],
      [300, 50],
      [315, 50],
      [625, 25],
      [650, 50],
      [800, 25],
    ];
    const asked = points.map(([x = 0, y = 0]) => at(x0 + x, y0 + y));
    const measures = await ask('kirke', asked);
    await expectSameInMemory('kirke', asked, measures);
    await publishLine(store, 'kirke', []);
    await expectSameInMemory('kirke', asked);
  });

  it('agrees at exactly the tolerance and the radius', async () => {
    await publishLine(store, 'vandloeb', [{ id: 's', wkt: lineWkt([X, Y, X + 300, Y + 400]) }]);
    // 2 m and 500 m beside a 3-4-5 slope: the foot is rounded, and both must round it alike.
    const beside = [2, 2.0000001, 1.9999999, 500, 500.0000001, 499.9999999].flatMap((off) =>
      Array.from({ length: 200 }, (_, i) => at(X + 1.5 * i - 0.8 * off, Y + 2 * i + 0.6 * off)),
    );
    await expectSameInMemory('vandloeb', beside);
    await sql`delete from layer_state where layer = 'vandloeb'`.execute(store.db);
  });

  it('finds the edge where the box of another lies exactly as far, and however far it is', async () => {
    const zones = [
      [600_000, 6_200_000, 45],
      [600_300, 6_200_000, 50],
      [640_000, 6_230_000, 9_000],
    ] as const;
    const features = zones.map(([x, y, half]) => {
      return { id: `${x}`, wkt: polygonWkt([box(x - half, y - half, 2 * half)]) };
    });
    await publishLine(store, 'klitfredning', features);
    const points = [
      ...[at(600_045, 6_200_045), at(600_000, 6_200_000), at(600_299, 6_200_000)],
      ...[at(640_000, 6_230_000), at(640_000, 6_238_999)],
    ];
    const measures = await ask('klitfredning', points);
    expect(measures.map(({ distanceM }) => distanceM)).toEqual([0, -45, -49, -9_000, -1]);
  });

  it('is on a line up to 2 m from it exactly, never negative (D28)', async () => {
    const [on, edge, past] = await ask('dige', [
      at(X + 50, Y + 3000),
      at(X + 50, Y + 3003),
      at(X + 50, Y + 3003.001),
    ]);
    expect(on).toMatchObject({ within: true, uncertain: false, distanceM: 0 });
    expect(on?.hit).toMatchObject({ objectId: 'straight', areaM2: null });
    expect(edge).toMatchObject({ within: true, uncertain: true, distanceM: 2 });
    expect(edge?.hit?.objectId).toBe('other');
    expect(past?.within).toBe(false);
    expect(past?.distanceM).toBeCloseTo(2.001, 6);
  });

  it('lists at most twenty repealed features, the deepest first (D31)', async () => {
    const wkt = (i: number) => polygonWkt([box(X + 20 * i, Y, 20)]);
    const features = Array.from({ length: 30 }, (_, i) => ({
      id: `gone-${String(i).padStart(2, '0')}`,
      wkt: wkt(i),
      repealed: true,
    }));
    await publishLine(store, 'soe', features);
    const [measure] = await ask('soe', [at(X + 5, Y + 10)]);
    expect(measure).toMatchObject({ within: false, distanceM: null, count: 0, hit: null });
    expect(measure?.repealed).toHaveLength(20);
    expect(measure?.repealed[0]).toMatchObject({ objectId: 'gone-00', distanceM: -5 });
  });

  it('answers points and lines in the order asked, from one generation', async () => {
    const points = [at(X + 110, Y + 120), at(X - 10, Y + 120), at(X + 110, Y + 120)];
    const lines = [LINE_LAYERS.dige, LINE_LAYERS.strandbeskyttelse];
    const read = await readLines(store, { points, lines, radiusM: RADIUS_M });
    expect(read.generation).toBeGreaterThan(4);
    const rounded = read.measures.map(([, strand]) => Math.round(strand?.distanceM ?? NaN));
    expect(rounded).toEqual([-110, 10, -110]);
  });

  it('asks only the partition of the line it was asked for', async () => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (analyze, costs off, timing off)
      select ST_Distance(e.geom, p.geom)
      from (values ('natur'), ('natur')) as q(line),
        lateral (select ST_SetSRID(ST_MakePoint(${X}::float8, ${Y}::float8), 25832) as geom) p,
        lateral (select geom from line_zone_edge e where e.layer = q.line
          order by e.geom <-> p.geom limit 1) e`.execute(store.db);
    const text = rows.map((row) => row['QUERY PLAN']).join('\n');
    const scans = text.split('\n').filter((row) => / on line_zone_edge_/.test(row));
    expect(scans.filter((row) => !row.includes('never executed'))).toHaveLength(1);
  });
});
