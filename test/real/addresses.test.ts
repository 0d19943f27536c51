/**
 * The real DAR 1.0 extract, imported as any files of the register are, and asked about itself; real parcels, as many as
 * GDAL counts and as large as it measures.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INDEX_LISTS, indexRowsOf } from '../../src/registers/addresses/address-lines.ts';
import type { IndexList } from '../../src/registers/addresses/address-lines.ts';
import { createAddressLoader } from '../../src/registers/addresses/load.ts';
import { createAddressFinder } from '../../src/registers/addresses/index/finder.ts';
import { exportLines } from '../../src/registers/addresses/export.ts';
import type { OpenAddressIndex } from '../../src/registers/addresses/index/address-index.ts';
import type { RunOutcome } from '../../sync/deps.ts';
import { createWorkers } from '../../workers/pool.ts';
import { answererOf } from '../addresses/answerers.ts';
import { questions, score } from '../addresses/score.ts';
import { Truth } from '../addresses/truth.ts';
import { readDarExtract } from '../support/dar-extract.ts';
import { describeReal } from '../support/real-data.ts';
import { opened } from '../support/opened.ts';
import { readParcelExtract } from '../support/parcel-extract.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';

const bench = await opened(openAddressBench());

describeReal('the real extract of DAR 1.0', [], () => {
  const workers = createWorkers({ threads: 1 });
  let outcome: RunOutcome;
  let addressIndex: OpenAddressIndex;
  beforeAll(async () => {
    const tables = readDarExtract();
    bench.shelf.spoil({ rows: (entity, rows) => tables[entity] ?? rows });
    outcome = await bench.sync();
    const loader = createAddressLoader({
      store: bench.store,
      workers,
      directory: mkdtempSync(join(bench.store.dataDir, 'index-')),
      storeName: 'real',
      log: (message) => {
        throw new Error(message);
      },
    });
    await loader.refresh();
    addressIndex = loader.current?.finder.addressIndex as OpenAddressIndex;
  });
  afterAll(() => workers.close());

  test('is mirrored whole: one row an id, every access address in the index', async () => {
    expect(outcome).toMatchObject({ state: 'published', counts: { unreadable: 0 } });
    expect(
      await bench.column(`
        select count(*)::int from address_access union all select count(*)::int from address_unit
        union all select count(*)::int from address_point
        union all select count(*)::int from address_postcode`),
    ).toEqual([1_327, 2_820, 2_660, 34]);
    // Three units belong to access addresses that the extract has not.
    expect([addressIndex.accessCount, addressIndex.unitCount]).toEqual([1_327, 2_817]);
  });

  test('agrees with PostGIS about the nearest address of ten thousand points', async () => {
    const { rows: seeds } = await bench.store.pool.query<{ x: number; y: number }>(`
      select ST_X(g.geom) as x, ST_Y(g.geom) as y from address_access a
      join address_point g on g.id = a.point_id where a.status = 3 order by a.id`);
    const points = Array.from({ length: 10_000 }, (_, i) => {
      const { x, y } = seeds[(i * 7) % seeds.length]!;
      const [dx, dy] = [((i * 7_919) % 401) - 200, ((i * 104_729) % 401) - 200];
      return { xUtm32: x + dx * 1.37, yUtm32: y + dy * 1.13 };
    });
    const { rows } = await bench.store.pool.query<{ id: string | null }>(
      `select f.id from unnest($1::float8[], $2::float8[]) with ordinality as p(x, y, n)
       cross join lateral (select ST_SetSRID(ST_MakePoint(p.x, p.y), 25832) as at) q
       left join lateral (
         select a.id from address_point g join address_access a on a.point_id = g.id
         where a.status = 3 and ST_DWithin(g.geom, q.at, 100)
         order by g.geom <-> q.at, a.id limit 1) f on true
       order by p.n`,
      [points.map(({ xUtm32 }) => xUtm32), points.map(({ yUtm32 }) => yUtm32)],
    );
    const ours = points.map((point) => addressIndex.nearest(point, 100)?.address.id ?? null);
    const wrong = ours.filter((id, i) => id !== rows[i]?.id);
    expect(wrong).toEqual([]);
    expect(ours.filter((id) => id !== null).length).toBeGreaterThan(5_000);
  });

  test('gives every unit the text the register wrote', async () => {
    const { rows } = await bench.store.pool.query<{ id: string; designation: string }>(
      'select id, designation from address_unit where designation is not null',
    );
    const wrong = rows.flatMap(({ id, designation }) => {
      const unit = addressIndex.unit(id);
      return unit === null || unit.designation === designation ? [] : [[unit, designation]];
    });
    expect(wrong).toEqual([]);
  });

  test('finds what was meant by the ways in which people write its addresses', async () => {
    const lines = new Map<IndexList, string[]>();
    await bench.store.db.transaction().execute(async (trx) => {
      for (const list of INDEX_LISTS) {
        const batches: string[] = [];
        for await (const batch of exportLines(trx, list)) batches.push(batch);
        lines.set(list, batches);
      }
    });
    const truth = new Truth(indexRowsOf((list) => lines.get(list) ?? []));
    expect(truth.units.length).toBeGreaterThan(2_500);
    const asked = questions(truth, amountOf({ gate: 5, night: 20 }), TEST_SEED);
    const scores = await score(asked, answererOf(createAddressFinder(addressIndex)));
    const misses = scores.flatMap(({ kind, misses: own }) => own.map((miss) => [kind.name, miss]));
    const sum = (of: (each: (typeof scores)[number]) => number): number =>
      scores.reduce((total, each) => total + of(each), 0);
    expect(scores.length).toBeGreaterThan(80);
    expect([sum(({ wrongA }) => wrongA), sum(({ falseB }) => falseB), misses]).toEqual([
      0,
      0,
      misses,
    ]);
    expect(sum(({ first }) => first) / sum(({ count }) => count), String(misses)).toBeGreaterThan(
      0.98,
    );
  });
});

describeReal('real parcels', ['gdal'], () => {
  test('are mirrored whole, with the district and the property of each, as large as GDAL measures', async () => {
    const { areaM2: measured, ...tables } = readParcelExtract();
    bench.shelf.spoil({
      rows: (entity, rows) => Object.entries(tables).find(([name]) => name === entity)?.[1] ?? rows,
    });
    const outcome = await bench.syncParcels();
    expect(outcome).toMatchObject({ state: 'published', counts: { unreadable: 0 } });
    const counts = `select count(*)::integer from cadastre_district
      union all select count(*)::integer from cadastre_parcel
      union all select count(*)::integer from cadastre_face
      union all select count(*)::integer from cadastre_parcel p
        join cadastre_district d on d.code = p.district_id and d.id = p.district_id`;
    expect(await bench.column(counts)).toEqual([9_034, 24 + 1_059, 24 + 1_059, 24 + 1_059]);
    const parcel = `select concat_ws(' ', p.number, p.bfe, p.municipality_code, d.name)
      from cadastre_parcel p join cadastre_district d on d.id = p.district_id
      where p.id = 1878670`;
    expect(await bench.column(parcel)).toEqual(['621 7040573 0791 Viborg Markjorder']);
    const [areaM2] = await bench.column('select sum(ST_Area(geom)) from cadastre_face');
    expect(measured).toBeGreaterThan(1e6);
    expect(areaM2).toBeCloseTo(measured, 1);
  });
});
