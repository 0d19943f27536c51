/** The way to a zone's edge where boxes and edges lie equally far. */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { sharedStore } from '../support/store.ts';

const square = (x: number, y: number, half: number): string => {
  const corners = [
    [x - half, y - half],
    [x - half, y + half],
    [x + half, y + half],
    [x + half, y - half],
    [x - half, y - half],
  ];
  return corners.map((corner) => corner.join(' ')).join(',');
};

const store = await sharedStore();
beforeAll(async () => {
  await sql`
    insert into layer_state (layer, version, generation, synced_at, published_at, row_count, area_m2)
    values ('skov', 1, 1, now(), now(), 3, 0)`.execute(store.db);
  const zones = [
    square(600_000, 6_200_000, 45),
    square(600_300, 6_200_000, 50),
    square(640_000, 6_230_000, 9_000),
  ];
  for (const [n, ring] of zones.entries()) {
    await sql`
      insert into line_feature (layer, key, object_id, standing, adopted, content_hash, attributes, area_m2, geom)
      values ('skov', ${String(n)}, ${String(n)}, 'in_force', true, '', '{}', 1,
        ST_GeomFromText(${`MULTIPOLYGON(((${ring})))`}, 25832))`.execute(store.db);
    await sql`
      insert into line_zone_edge (layer, zone_key, geom)
      values ('skov', ${Buffer.from([n])}, ST_GeomFromText(${`LINESTRING(${ring})`}, 25832))`.execute(
      store.db,
    );
  }
});

async function distanceAt(xUtm32: number, yUtm32: number): Promise<number | null | undefined> {
  const read = await readLines(store, {
    points: [{ xUtm32, yUtm32 }],
    lines: [LINE_LAYERS.skov],
    radiusM: 500,
  });
  return read.measures[0]?.[0]?.distanceM;
}

test('is found where a box of another edge lies exactly as far as the edge', async () => {
  expect(await distanceAt(600_045, 6_200_045)).toBe(0);
  expect(await distanceAt(600_000, 6_200_000)).toBe(-45);
  expect(await distanceAt(600_299, 6_200_000)).toBe(-49);
});

test('is found however far the edge is', async () => {
  expect(await distanceAt(640_000, 6_230_000)).toBe(-9_000);
  expect(await distanceAt(640_000, 6_238_999)).toBe(-1);
});
