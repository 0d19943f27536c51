/**
 * Memory against PostGIS: the engines read what the mirror holds and must answer as its statements
 * do, on random points and above all on edges, corners and a hair beside them.
 */
import type { LineMeasure as StoreMeasure } from '../../src/core/held/layer-reads.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { multiPolygonWkb } from '../../src/geo/wkb.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { AreaEngine } from '../../src/snapshot/areas.ts';
import { LayerSnapshotBuilder } from '../../src/snapshot/build-layer.ts';
import type { SnapshotFeature } from '../../src/snapshot/build-layer.ts';
import { openLayerSnapshot } from '../../src/snapshot/layer.ts';
import { LineEngine } from '../../src/snapshot/lines.ts';
import type { LineMeasure } from '../../src/snapshot/lines.ts';
import { sharedStore } from '../support/store.ts';
import { box, lineWkt, polygonWkt, publishLine, star } from './lines-fixture.ts';
import type { GivenFeature } from './lines-fixture.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

const X = 600_000;
const Y = 6_200_000;
const RADIUS_M = 500;

const store = await sharedStore();

/** The snapshot of a published line, from the rows the statement answers from. */
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

/**
 * Corners, points on edges, a nanometre to a metre beside them, and anywhere around. On which side
 * of an edge a point a nanometre away lies is rounding, and PostGIS rounds in another way since 3.5;
 * the engines round as the PostGIS of the server, so such points are for it alone.
 */
async function probesOf(line: LineKey, count: number): Promise<PointUtm32[]> {
  const { rows } = await sql<{ x: number; y: number; x2: number; y2: number }>`
    select ST_X(ST_StartPoint(s.geom)) as x, ST_Y(ST_StartPoint(s.geom)) as y,
      ST_X(ST_EndPoint(s.geom)) as x2, ST_Y(ST_EndPoint(s.geom)) as y2
    from line_feature f cross join lateral ST_DumpSegments(f.geom) s
    where f.layer = ${line} order by 1, 2, 3, 4`.execute(store.db);
  const random = randomFrom(count);
  return Array.from({ length: count }, (_, i) => {
    const edge = rows[Math.floor(random() * rows.length)]!;
    const kind = store.kind === 'postgres' ? i % 6 : [0, 4, 5][i % 3]!;
    const along = [0, random(), 0.5, random(), random(), random()][kind]!;
    const off = [0, 0, 0, 1e-9, 3, 900][kind]! * (2 * random() - 1);
    return {
      xUtm32: edge.x + along * (edge.x2 - edge.x) + off,
      yUtm32: edge.y + along * (edge.y2 - edge.y) + off * (2 * random() - 1),
    };
  });
}

/** What the two must share, in one shape. `category` of the fixture is the feature's key. */
function ofStore(measure: StoreMeasure) {
  const keyOf = (attributes: StoreMeasure['hit']) => attributes?.attributes.category ?? null;
  return {
    within: measure.within,
    uncertain: measure.uncertain,
    count: measure.count,
    hit: keyOf(measure.hit),
    repealed: measure.repealed.map((feature) => keyOf(feature)),
    distances: [measure.distanceM, ...measure.repealed.map(({ distanceM }) => distanceM)],
  };
}

function ofMemory({ snapshot }: LineEngine, measure: LineMeasure): ReturnType<typeof ofStore> {
  return {
    within: measure.within,
    uncertain: measure.uncertain,
    count: measure.count,
    hit: measure.hit === null ? null : snapshot.feature(measure.hit).key,
    repealed: measure.repealed.map(({ feature }) => snapshot.feature(feature).key),
    distances: [measure.distanceM, ...measure.repealed.map(({ distanceM }) => distanceM)],
  };
}

/** Publishes, then compares every probe; the distances to a micrometre, the rest exactly. */
async function expectAlike(
  line: LineKey,
  features: readonly GivenFeature[],
  probes: number | readonly PointUtm32[],
): Promise<void> {
  await publishLine(store, line, features);
  const engine = await engineOf(line);
  const points = typeof probes === 'number' ? await probesOf(line, probes) : probes;
  const asked = [{ id: line, geometry: LINE_LAYERS[line].geometry }];
  for (let from = 0; from < points.length; from += 500) {
    const some = points.slice(from, from + 500);
    const { measures } = await readLines(store, { points: some, lines: asked, radiusM: RADIUS_M });
    for (const [i, point] of some.entries()) {
      const { distances: theirs, ...truth } = ofStore(measures[i]![0]!);
      const { distances: ours, ...answer } = ofMemory(engine, engine.measure(point, RADIUS_M));
      expect({ point, ...answer }).toEqual({ point, ...truth });
      expectNear(ours, theirs);
    }
  }
}

function expectNear(ours: readonly (number | null)[], theirs: readonly (number | null)[]): void {
  expect(ours).toHaveLength(theirs.length);
  for (const [j, distanceM] of theirs.entries()) {
    if (distanceM === null) expect(ours[j]).toBeNull();
    else expect(Math.abs(ours[j]! - distanceM)).toBeLessThan(1e-6);
  }
}

describe('a building line in memory, against the statement', () => {
  it('agrees over overlapping areas of every standing', async () => {
    const random = randomFrom(11);
    const features = Array.from({ length: 60 }, (_, i): GivenFeature => {
      const centre = [X + 2400 * random(), Y + 2400 * random()] as const;
      const ring = star(centre, 100 + 300 * random(), { corners: 24, random });
      const id = `forest-${String(i % 50).padStart(2, '0')}`;
      return {
        id,
        key: `${id}-${i}`,
        wkt: polygonWkt([ring]),
        repealed: i % 7 === 0,
        adopted: i % 3 !== 0,
      };
    });
    await expectAlike('skov', features, 3_000);
  });

  it('agrees over areas with holes', async () => {
    const random = randomFrom(5);
    const features = Array.from({ length: 80 }, (_, i): GivenFeature => {
      const centre = [X + 3000 * random(), Y + 3000 * random()] as const;
      const shell = star(centre, 60 + 200 * random(), { corners: 40, random, least: 0.6 });
      const hole = star(centre, 30, { corners: 9, random });
      return { id: `n${i}`, wkt: polygonWkt([shell, hole]), repealed: i % 5 === 0 };
    });
    await expectAlike('natur', features, 3_000);
  });

  it('agrees over parcels that share their fences', async () => {
    const features: GivenFeature[] = [];
    for (let i = 0; i < 12; i++) {
      for (let j = 0; j < 8; j++) {
        if (j === 4 && (i === 5 || i === 6)) continue;
        features.push({ id: `p${i}-${j}`, wkt: polygonWkt([box(X + 40 * i, Y + 50 * j, 40, 50)]) });
      }
    }
    await expectAlike('strandbeskyttelse', features, 2_000);
  });

  it('agrees over lines, also two metres beside them', async () => {
    const random = randomFrom(3);
    const features = Array.from({ length: 120 }, (_, i): GivenFeature => {
      const line: number[] = [];
      let [x, y] = [X + 2000 * random(), Y + 2000 * random()];
      for (let j = 0; j < 12; j++) {
        line.push(Math.round(100 * x) / 100, Math.round(100 * y) / 100);
        x += 60 * random() - 20;
        y += 60 * random() - 30;
      }
      return { id: `d${i}`, wkt: lineWkt(line), repealed: i % 9 === 0, adopted: i % 2 === 0 };
    });
    await expectAlike('dige', features, 3_000);
  });

  it('agrees on degenerate features', async () => {
    const [x0, y0] = [X + 0.37, Y + 0.29];
    const at = (x: number, y: number): PointUtm32 => ({ xUtm32: x0 + x, yUtm32: y0 + y });
    const ring = (...path: number[]) => path.map((v, i) => v + (i % 2 === 0 ? x0 : y0));
    const square = box(x0 + 600, y0, 50);
    const features: GivenFeature[] = [
      { id: 'doubled', wkt: polygonWkt([ring(0, 0, 0, 0, 90, 0, 90, 0, 90, 90, 0, 90, 0, 0)]) },
      {
        id: 'touching',
        wkt: polygonWkt([box(x0 + 300, y0, 100), ring(300, 50, 330, 40, 330, 60, 300, 50)]),
      },
      ...Array.from({ length: 300 }, (_, i): GivenFeature => {
        return { id: `same-${i}`, wkt: polygonWkt([square]), repealed: i % 3 === 0 };
      }),
    ];
    const points = [at(45, 45), at(0, 0), at(90, 45), at(300, 50), at(315, 50), at(625, 25)];
    await expectAlike('kirke', features, [...points, at(650, 50), at(800, 25), at(-500, 45)]);
    await expectAlike('kirke', features, 600);
    await expectAlike('kirke', [], points);
  });

  it('agrees at exactly the tolerance and the radius', async () => {
    const features = [{ id: 'd', wkt: lineWkt([X, Y, X + 100, Y]) }];
    const beside = [2, 2.0000001, 1.9999999, 500, 500.0000001, 499.9999999];
    const points = beside.map((off) => ({ xUtm32: X + 33.3, yUtm32: Y + off }));
    const slanted = [{ id: 's', wkt: lineWkt([X, Y, X + 300, Y + 400]) }];
    await expectAlike('vandloeb', features, points);
    // 2 m and 500 m beside a 3-4-5 slope: the foot is rounded, and both must round it alike.
    const along = Array.from({ length: 400 }, (_, i) => i / 400);
    const normal = (t: number, off: number) => ({
      xUtm32: X + 300 * t - 0.8 * off,
      yUtm32: Y + 400 * t + 0.6 * off,
    });
    const exact = along.flatMap((t) => [normal(t, 2), normal(t, 500)]);
    await expectAlike('vandloeb', slanted, exact);
  });
});

describe('areas in memory, against ST_Covers', () => {
  it('agree on corners, on borders and a hair beside them', async () => {
    const random = randomFrom(4);
    const corners = Array.from({ length: 81 }, () => [
      Math.round(50_000 * random()) / 100,
      Math.round(50_000 * random()) / 100,
    ]);
    const corner = (i: number, j: number) => {
      const [dx, dy] = corners[9 * i + j]!;
      return [X + 900 * i + dx!, Y + 900 * j + dy!];
    };
    const rings: number[][] = [];
    for (let i = 0; i < 8; i++) {
      for (let j = 0; j < 8; j++) {
        const around = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        rings.push([...around, around[0]!].flat());
      }
    }
    const builder = new LayerSnapshotBuilder({ layer: 'sogn', geometry: 'area', version: 1 });
    for (const [i, ring] of rings.entries()) {
      const code = String(i).padStart(4, '0');
      builder.add({
        key: code,
        objectId: code,
        standing: 'in_force',
        adopted: true,
        attributes: JSON.stringify({ code, name: code, regionCode: null }),
        wkb: multiPolygonWkb([[ring]]),
        areaM2: 1,
      });
    }
    const engine = new AreaEngine(openLayerSnapshot(builder.finish()));
    const points = Array.from({ length: 4_000 }, (_, i): PointUtm32 => {
      const ring = rings[Math.floor(random() * rings.length)]!;
      const edge = 2 * Math.floor(random() * 4);
      const along = [0, random(), 0.5, random()][i % 4]!;
      const off = [0, 0, 1e-9, 500][i % 4]! * (random() - 0.5);
      return {
        xUtm32: ring[edge]! + along * (ring[edge + 2]! - ring[edge]!) + off,
        yUtm32: ring[edge + 1]! + along * (ring[edge + 3]! - ring[edge + 1]!) + off * random(),
      };
    });
    const { rows } = await sql<{ codes: string[] }>`
      with area as materialized (
        select lpad((no - 1)::text, 4, '0') as code, ST_GeomFromText(wkt, 25832) as geom
        from unnest(${rings.map((ring) => polygonWkt([ring]))}::text[]) with ordinality as a (wkt, no)
      )
      select array(select code from area where ST_Covers(area.geom,
        ST_SetSRID(ST_MakePoint(p.x, p.y), 25832)) order by code) as codes
      from unnest(${points.map((p) => p.xUtm32)}::float8[],
        ${points.map((p) => p.yUtm32)}::float8[]) with ordinality as p (x, y, no)
      order by p.no`.execute(store.db);
    for (const [i, point] of points.entries()) {
      const codes = engine.covering(point).map(({ code }) => code);
      expect({ point, codes }).toEqual({ point, codes: rows[i]!.codes });
    }
  });
});
