/** Real parcels through the mirror of the cadastre: as many as GDAL counts, as large as it measures. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunOutcome } from '../../sync/deps.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import { readParcelExtract } from '../support/parcel-extract.ts';
import type { ParcelExtract } from '../support/parcel-extract.ts';
import { describeReal } from '../support/real-data.ts';

describeReal('real parcels', ['gdal'], () => {
  let bench: AddressBench;
  let extract: ParcelExtract;
  let outcome: RunOutcome;
  beforeAll(async () => {
    extract = readParcelExtract();
    const { areaM2: _area, ...tables } = extract;
    bench = await openAddressBench();
    bench.shelf.spoil({
      rows: (entity, rows) => Object.entries(tables).find(([name]) => name === entity)?.[1] ?? rows,
    });
    outcome = await bench.syncParcels();
  });
  afterAll(() => bench.close());

  test('are mirrored whole, with the district and the property of each', async () => {
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
  });

  test('are as large as GDAL measures', async () => {
    const [areaM2] = await bench.column('select sum(ST_Area(geom)) from cadastre_face');
    expect(extract.areaM2).toBeGreaterThan(1e6);
    expect(areaM2).toBeCloseTo(extract.areaM2, 1);
  });
});
