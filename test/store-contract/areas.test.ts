/** The mirrored areas at points and by code, against plain ST_Covers on the whole geometries. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { THEMES } from '../../src/layers/keys.ts';
import type { Theme } from '../../src/layers/keys.ts';
import { assignRegions, cutNewAreas } from '../../src/registers/areas/derive.ts';
import { readAreas, readCoveringAreas } from '../../src/registers/areas/store.ts';
import { amountOf } from '../support/run-settings.ts';
import { sharedStore } from '../support/store.ts';
import { polygonWkt } from '../db/lines-fixture.ts';
import { box, star } from '../support/layer-fixture.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

const X = 600_000;
const Y = 6_200_000;

const store = await sharedStore();
beforeAll(async () => {
  const random = randomFrom(41);
  // Two regions side by side; in the first a hole that holds an enclave of the second.
  await publish('region', [
    ['1081', polygonWkt([box(X, Y, 1000, 2000), box(X + 400, Y + 400, 200)])],
    [
      '1082',
      `MULTIPOLYGON(${shell(box(X + 1000, Y, 1000, 2000))},${shell(box(X + 400, Y + 400, 200))})`,
    ],
  ]);
  const straddling = [X + 800, Y + 100, X + 1100, Y + 100, X + 1100, Y + 300, X + 800, Y + 300];
  await publish('kommune', [
    ['0101', polygonWkt([[...straddling, X + 800, Y + 100]])],
    ['0102', polygonWkt([box(X + 450, Y + 450, 50)])],
    ['0103', polygonWkt([box(X - 500, Y, 100)])],
  ]);
  // Thousands of vertices, so that there are cuts to fall on; overlapping, as no theme should.
  await publish(
    'sogn',
    Array.from({ length: 6 }, (_, i) => {
      const centre = at(X + 300 + 300 * i, Y + 900);
      const ring = star(centre, { radiusM: 400, corners: 1500, random, least: 0.9 });
      return [`700${i}`, polygonWkt([ring])] as const;
    }),
  );
});

function shell(ring: readonly number[]): string {
  return polygonWkt([ring]).replace('POLYGON', '');
}

async function publish(theme: Theme, areas: readonly (readonly [string, string])[]): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    await sql`delete from area where theme = ${theme}`.execute(trx);
    await sql`
      insert into area (theme, key, code, name, content_hash, attributes, geom)
      select ${theme}, 'key-' || code, code, 'Area ' || code, sha256(wkt::bytea), '{}',
        ST_Multi(ST_GeomFromText(wkt, 25832))
      from unnest(${areas.map(([code]) => code)}::text[], ${areas.map(([, wkt]) => wkt)}::text[])
        as given(code, wkt)`.execute(trx);
    await cutNewAreas(trx, theme);
    await assignRegions(trx, theme);
    await sql`
      insert into layer_state
        (layer, version, generation, synced_at, published_at, row_count, area_m2)
      values (${theme}, 3, 3, to_timestamp(1700000000.5), now(), ${areas.length}::integer, 0)
      on conflict (layer) do nothing`.execute(trx);
  });
}

const at = (x: number, y: number): PointUtm32 => ({ xUtm32: x, yUtm32: y });

async function covering(points: readonly PointUtm32[]): Promise<string[][]> {
  const { byPoint } = await readCoveringAreas(store, points);
  return byPoint.map((areas) => areas.map(({ theme, code }) => `${theme} ${code}`));
}

async function truths(points: readonly PointUtm32[]): Promise<string[][]> {
  const { rows } = await sql<{ areas: string[] }>`
    select array(select theme || ' ' || code from area a where ST_Covers(a.geom, p.geom)
      order by array_position(${[...THEMES]}::text[], theme), code) as areas
    from (select n, ST_SetSRID(ST_MakePoint(x, y), 25832) as geom
      from unnest(${points.map(({ xUtm32 }) => xUtm32)}::float8[],
        ${points.map(({ yUtm32 }) => yUtm32)}::float8[]) with ordinality as u(x, y, n)) p
    order by n`.execute(store.db);
  return rows.map(({ areas }) => areas);
}

describe('the areas at a point', () => {
  it('are those that cover it, at random points', async () => {
    const random = randomFrom(7);
    const many = store.kind === 'postgres' ? amountOf({ gate: 1_000, night: 3_000 }) : 500;
    const points = Array.from({ length: many }, () =>
      at(X - 600 + 2700 * random(), Y - 100 + 2200 * random()),
    );
    const expected = await truths(points);
    expect(expected.some((areas) => areas.length > 2)).toBe(true);
    expect(await covering(points)).toEqual(expected);
  });

  it('are those that cover it, on the cuts between pieces and a hair beside them', async () => {
    const { rows } = await sql<{ x: number; y: number }>`
      select ST_X(p) as x, ST_Y(p) as y from (
        select ST_LineInterpolatePoint(geom, 0.37) as p
        from (select (ST_DumpSegments(ST_ExteriorRing(geom))).geom from area_piece
          where theme = 'sogn') edge
        where ST_Length(geom) > 20) q`.execute(store.db);
    expect(rows.length).toBeGreaterThan(100);
    const points = rows.slice(0, 400).flatMap(({ x, y }) => [at(x, y), at(x + 1e-9, y)]);
    expect(await covering(points)).toEqual(await truths(points));
  });

  it('are both neighbours on a shared edge, by theme then code (D44)', async () => {
    expect(await covering([at(X + 1000, Y + 200), at(X + 500, Y + 600)])).toEqual([
      ['region 1081', 'region 1082', 'kommune 0101'],
      ['region 1081', 'region 1082', 'sogn 7000', 'sogn 7001'],
    ]);
  });

  it('are none at sea, which is an answer (D45)', async () => {
    const read = await readCoveringAreas(store, [at(X - 5000, Y)]);
    expect(read.byPoint).toEqual([[]]);
    const sogn = { version: 3, syncedAtMs: 1_700_000_000_500, held: false };
    expect(read.states.get('sogn')).toMatchObject({ ...sogn, sourceRows: null });
    expect(read.states.has('politikreds')).toBe(false);
  });
});

describe('the region of an area (D41)', () => {
  it('is the one with the largest overlap, its own for a region, none for an area outside', async () => {
    const kommune = await readAreas(store, 'kommune', ['0103', '0102', '0101', '9999']);
    const regions = kommune.areas.map(({ code, regionCode }) => [code, regionCode]);
    expect(regions.sort()).toEqual([
      ['0101', '1081'],
      ['0102', '1082'],
      ['0103', null],
    ]);
    const region = await readAreas(store, 'region', ['1082']);
    expect(region.areas[0]).toMatchObject({ name: 'Area 1082', regionCode: '1082' });
  });

  it('is worked out again when the regions change', async () => {
    await publish('region', [
      ['1081', polygonWkt([box(X, Y, 850, 2000)])],
      ['1082', polygonWkt([box(X + 850, Y, 1150, 2000)])],
    ]);
    const { areas } = await readAreas(store, 'kommune', ['0101', '0102']);
    expect(areas.map(({ code, regionCode }) => `${code} ${regionCode ?? ''}`).sort()).toEqual([
      '0101 1082',
      '0102 1081',
    ]);
  });
});
