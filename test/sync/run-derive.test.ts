/** What a publication brings along: pieces and regions of the areas. Zones of lines: test/db/lines-zones.test.ts. */
import { afterEach, describe, expect, test } from 'vitest';
import { openSyncBench } from '../support/sync-bench.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openSyncBench());
afterEach(() => bench.upstream.holdings.restore());

async function query<R>(text: string): Promise<R[]> {
  const { rows } = await bench.store.pool.query(text);
  return rows as R[];
}

describe('the areas', () => {
  const regions = () =>
    query<{ region_code: string | null }>(
      "select distinct region_code from area where theme = 'kommune'",
    );

  test('have pieces that cover them, and no region before the regions are there', async () => {
    expect((await bench.sync('kommune')).state).toBe('published');
    const [worst] = await query<{ off: number }>(
      `select max(abs(ST_Area(a.geom) - (
         select sum(ST_Area(p.geom)) from area_piece p where p.theme = a.theme and p.key = a.key)))
         as off
       from area a where a.theme = 'kommune'`,
    );
    expect(worst?.off).toBeLessThan(0.01);
    expect(await regions()).toEqual([{ region_code: null }]);
  });

  test('get their region when the regions are published', async () => {
    expect((await bench.sync('region')).state).toBe('published');
    const codes = (await regions()).map(({ region_code: code }) => code);
    expect(codes).not.toContain(null);
    expect(codes.length).toBeGreaterThan(1);
    // By the whole areas, and without the pieces and the short cuts among them.
    const wrong = await query(
      `select a.theme, a.key from area a
       where a.theme <> 'region' and a.region_code is distinct from (
         select r.code from area r where r.theme = 'region' and ST_Intersects(r.geom, a.geom)
         order by ST_Area(ST_Intersection(r.geom, a.geom)) desc, r.code limit 1)`,
    );
    expect(wrong).toEqual([]);
  });

  test('keep region and pieces when only a name changes, for that area and the others', async () => {
    const before = await query('select key, region_code from area order by theme, key');
    const [first] = await query<{ key: string }>(
      "select key from area where theme = 'kommune' order by key limit 1",
    );
    bench.upstream.holdings.assign('kommune', first?.key ?? '', { navn: 'Nynavn' });
    expect(await bench.sync('kommune')).toMatchObject({
      state: 'published',
      counts: { inserted: 0, changed: 1, removed: 0 },
    });
    expect(await query('select key, region_code from area order by theme, key')).toEqual(before);
    const bare = await query(
      `select from area a where not exists (
         select from area_piece p where p.theme = a.theme and p.key = a.key)`,
    );
    expect(bare).toEqual([]);
  });
});
