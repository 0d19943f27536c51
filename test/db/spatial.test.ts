import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pointGeometry, pointRows, unnestRows } from '../../src/db/spatial.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

test('rows go in as arrays and come back as they were, nulls, quotes and bytes included', async () => {
  const rows = [
    { key: `a "b", {c} \\ 'd'`, bytes: Buffer.from([0, 1, 255]), size: 1.5, ok: true },
    { key: 'NULL', bytes: new Uint8Array([9]), size: -0.1, ok: false },
    { key: '', bytes: Buffer.alloc(0), size: null, ok: null },
  ];
  const given = unnestRows(rows, {
    key: { type: 'text', of: (row) => row.key },
    bytes: { type: 'bytea', of: (row) => row.bytes },
    size: { type: 'float8', of: (row) => row.size },
    ok: { type: 'boolean', of: (row) => row.ok },
  });
  const result = await sql<{ bytes: Buffer }>`select * from ${given}`.execute(store.db);
  expect(result.rows).toEqual(rows.map((row) => ({ ...row, bytes: Buffer.from(row.bytes) })));
});

test('points keep their order and every digit', async () => {
  const points = [
    { xUtm32: 724_321.123456789, yUtm32: 6_176_000.987654321 },
    { xUtm32: 441_000.1, yUtm32: 6_049_000.2 },
  ];
  const { rows } = await sql`
    select n, ST_X(geom) as x, ST_Y(geom) as y, ST_SRID(geom) as srid,
      ST_Equals(geom, ${pointGeometry(points[0]!)}) as first
    from ${pointRows(points)} order by n`.execute(store.db);
  expect(rows).toEqual([
    { n: 0, x: points[0]!.xUtm32, y: points[0]!.yUtm32, srid: 25832, first: true },
    { n: 1, x: points[1]!.xUtm32, y: points[1]!.yUtm32, srid: 25832, first: false },
  ]);
});
