/** Lists of areas and postcodes at points: memory held against the store, and both against the lookups. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { AREA_IDS, POSTAL, THEMES } from '../../src/layers/keys.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import { openMemoryBench } from '../support/memory.ts';
import { opened } from '../support/opened.ts';

let memory: LayerLoader;
const bench = await opened(openMemoryBench());
beforeAll(async () => {
  memory = bench.memoryIn(bench.newDirectory());
  await memory.refresh();
});
afterAll(() => memory.stop());

const listsOf = () => {
  const [held, stored] = [bench.lookups(memory), bench.lookups(null)];
  return { held, stored };
};

describe('a list of areas', () => {
  test.each(AREA_IDS)('is the same from memory and from the store: %s', async (area) => {
    const { held, stored } = listsOf();
    const [ours, theirs] = await Promise.all([held.areaList.all(area), stored.areaList.all(area)]);
    expect([ours.provenance[0]?.rung, theirs.provenance[0]?.rung]).toEqual(['snapshot', 'store']);
    expect(ours.value.length).toBeGreaterThan(1);
    const facts = ({ center: _center, ...rest }: (typeof ours.value)[number]) => rest;
    const byCode = theirs.value.map((each) => facts(each));
    // Districts tell no region, in memory and in the store.
    expect(ours.value.map((each) => facts(each))).toEqual(byCode);
  });

  test('has points inside each area, wherever they are from', async () => {
    const { held, stored } = listsOf();
    for (const { areaList } of [held, stored]) {
      for (const theme of THEMES) {
        const { value } = await areaList.all(theme);
        const points = value.flatMap(({ center }) => (center === null ? [] : [center]));
        expect(points).toHaveLength(value.length);
        const found = memory.current?.readCoveringAreas(points);
        for (const [n, { code }] of value.entries()) {
          const codes = (found?.byPoint[n] ?? []).map((each) => each.code);
          expect(codes, `${theme} ${code}`).toContain(code);
        }
      }
    }
  });
});

describe('changes of areas', () => {
  const parish = async () => {
    const { areaList } = listsOf().stored;
    const key = (await areaList.all('sogn')).value[0]!.key;
    return { key, change: (await areaList.changes('sogn', [key, 'none'])).get(key)! };
  };
  /** As it is published: deleted, and inserted again. */
  const publish = async (key: string, name: string, geom: string) => {
    const { pool } = bench.store;
    const { rows } = await pool.query<
      Record<'code' | 'region_code' | 'attributes' | 'geom', string>
    >(
      `delete from area where theme = 'sogn' and key = $1
      returning code, region_code, attributes, geom::text`,
      [key],
    );
    const { code, region_code: region, attributes, geom: was } = rows[0]!;
    await pool.query(
      `insert into area (theme, key, code, name, region_code, content_hash, attributes, geom)
      values ('sogn', $1, $2, $3::text, $4, decode(md5($3::text), 'hex'), $5, ${geom})`,
      [key, code, name, region, attributes, was],
    );
  };

  test('count surfaces, and the last one of its row', async () => {
    const first = await parish();
    expect(first.change.geometryVersion).toBe(1);
    expect(first.change.changedAt).toEqual(first.change.geometryChangedAt);
    await publish(first.key, 'Omdøbt', '$6::geometry');
    const renamed = (await parish()).change;
    expect(renamed.geometryVersion).toBe(1);
    expect(renamed.geometryChangedAt).toEqual(first.change.geometryChangedAt);
    expect(renamed.changedAt.getTime()).toBeGreaterThan(first.change.changedAt.getTime());
    await publish(first.key, 'Flyttet', 'ST_Translate($6::geometry, 1, 0)');
    const moved = (await parish()).change;
    expect(moved.geometryVersion).toBe(2);
    expect(moved.geometryChangedAt).toEqual(moved.changedAt);
  });
});

describe('postcodes at a point', () => {
  test('are the same from memory and from the store', async () => {
    const { held, stored } = listsOf();
    const { value: districts } = await held.areaList.all(POSTAL);
    let found = 0;
    for (const { boundsM, code, center } of districts) {
      const [west, south, east, north] = boundsM;
      const corner = { xUtm32: west, yUtm32: south };
      const across = { xUtm32: (west + east) / 2, yUtm32: (south + north) / 2 };
      for (const place of [corner, across, center ?? corner]) {
        const point = pointFromUtm32(place);
        const ours = await held.areaList.districtsAt(POSTAL, point);
        const theirs = await stored.areaList.districtsAt(POSTAL, point);
        const codes = ours.value.map((each) => each.code);
        expect(codes).toEqual(theirs.value.map((each) => each.code));
        found += ours.value.length;
        if (place === center) expect(codes).toContain(code);
      }
    }
    expect(found).toBeGreaterThan(districts.length);
  });

  test('are no answer where nothing is mirrored', async () => {
    const { catalogue, clock } = bench.deps;
    const { createAreaList } = await import('../../src/registers/areas/list.ts');
    const list = createAreaList({
      ...{ catalogue, clock, memory: () => null },
      readStore: () => Promise.resolve({ generation: 1, copy: null, areas: [] }),
      readShape: () => Promise.reject(new Error('The store is away.')),
      readChanges: () => Promise.reject(new Error('The store is away.')),
      readDistricts: () => Promise.reject(new Error('The store is away.')),
    });
    const point = pointFromUtm32({ xUtm32: 650_000, yUtm32: 6_300_000 });
    for (const asked of [list.all('kommune'), list.districtsAt(POSTAL, point)]) {
      const failure = await asked.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Failure);
      expect(failure).toMatchObject({ status: 503 });
    }
  });
});
