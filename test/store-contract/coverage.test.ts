/**
 * Asked outside the land that a copy covers (D142): from memory, the store and the registers, by every way. And lists of
 * areas and postcodes at points: memory held against the store, and both against the lookups.
 */
import { testLookups } from '../support/lookups.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Watcher } from '../../src/answers/answer.ts';
import { pointFromUtm32, pointFromWgs84 } from '../../src/geo/project.ts';
import type { Point } from '../../src/geo/point.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import type { Coverage } from '../../src/layers/coverage.ts';
import { AREA_IDS, LINE_KEYS, POSTAL, THEMES } from '../../src/layers/keys.ts';
import { MIRROR_IDS } from '../../src/layers/mirror-ids.ts';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import { createAreaList } from '../../src/registers/areas/list.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import { samplePoint } from '../../sample/points.ts';
import { openMemoryBench } from '../support/memory.ts';
import { opened } from '../support/opened.ts';
import { portOf } from '../support/free-port.ts';

const COPENHAGEN = { lon: 12.57, lat: 55.676 };
const { signal } = new AbortController();

const bench = await opened(openMemoryBench());
const loader = bench.memoryIn(bench.newDirectory());
beforeAll(() => loader.refresh());

/** The lookups of a service that covers less; `memory` null: `LOOKUPS=store`. */
function lookupsOf(coverage: Coverage, memory: LayerLoader | null) {
  const { deps, store, workers } = bench;
  const wfs = createWfsClient({ clock: deps.clock });
  const asked: string[] = [];
  const counted: string[] = [];
  const watcher: Watcher = {
    answered: (layer, by, times = 1) => counted.push(`${layer} ${by} ${times}`),
    originFailed: (layer) => counted.push(`${layer} failed`),
  };
  const lookups = testLookups(
    {
      catalogue: overrideCatalogue(
        deps.catalogue,
        Object.fromEntries(MIRROR_IDS.map((id) => [id, { coverage }])),
      ),
      keys: deps.keys,
      clock: deps.clock,
      searchRadiusM: 500,
      onExpired: (layer) => asked.push(layer),
    },
    { store, workers, wfs, memory, watcher },
  );
  return { ...lookups, counted, close: () => wfs.close() };
}

const WAYS = [
  ['memory', () => loader],
  ['the store', () => null],
] as const;

describe.each(WAYS)('outside the land of the sample, from %s', (_, memory) => {
  test('ten lines are unavailable and name what is covered', async () => {
    const lines = await bench
      .lookups(memory())
      .buildingLines.at(
        [pointFromWgs84(COPENHAGEN), pointFromUtm32(samplePoint('forest').utm32)],
        LINE_KEYS,
        { signal },
      );
    expect(lines.value[0]?.lines).toEqual(
      LINE_KEYS.map((line) => ({ status: 'unavailable', line, covered: 'Prøveholm (opdigtet)' })),
    );
    expect(lines.value[1]?.lines.every(({ status }) => status === 'ok')).toBe(true);
  });

  test('its code is that of a 404, and the message names the land', async () => {
    const app = await bench.edge(memory());
    const known = await app.inject('/v1/dagi/kommune/0101');
    expect(known.statusCode).toBe(404);
    expect(known.json()).toMatchObject({ type: 'not_found', code: 'outside_coverage' });
    expect(known.json<{ message: string }>().message).toContain('Prøveholm');
    const [lines, areas] = await Promise.all([
      app.inject(`/v1/natur/byggelinjer?lon=${COPENHAGEN.lon}&lat=${COPENHAGEN.lat}`),
      app.inject(`/v1/dagi/reverse?lon=${COPENHAGEN.lon}&lat=${COPENHAGEN.lat}`),
    ]);
    expect(lines.statusCode).toBe(200);
    expect(lines.json()).toMatchObject({ antal_i_kraft: 0, utilgaengelige: LINE_KEYS });
    expect(areas.statusCode).toBe(503);
    expect(areas.json()).toMatchObject({ type: 'upstream_unavailable', code: 'outside_coverage' });
    await app.close();
  });
});

test.each(WAYS)('outside it no question counts as one that failed, from %s', async (_, memory) => {
  const { coverage } = bench.deps.catalogue.lines.skov;
  const lookups = lookupsOf(coverage!, memory());
  const { buildingLines, linePages, reverseAreas, parcels, counted } = lookups;
  const { sharedLabels: labels } = lookups;
  const outside = pointFromWgs84(COPENHAGEN);
  await buildingLines.at([outside], LINE_KEYS, { signal });
  buildingLines.tryAnswerSync?.(LINE_KEYS)?.at(outside);
  await reverseAreas.at([outside], { signal });
  reverseAreas.tryAnswerSync?.()?.at(outside);
  await expect(parcels.at(outside)).rejects.toMatchObject({ code: 'outside_coverage' });
  const inside = pointFromUtm32(samplePoint('forest').utm32);
  const points = [...Array.from({ length: 10 }, () => outside), inside];
  const page = await linePages?.render(points, { ids: null, labels }, { signal });
  const once = !page ? [] : LINE_KEYS.map((line) => `${line} snapshot 1`);
  expect(counted).toEqual(once);
  await lookups.close();
});

test('no register is asked about what it does not cover', async () => {
  const before = bench.upstream.requests().length;
  const day = 24 * 3_600_000;
  const { buildingLines, reverseAreas } = bench.lookups(null, bench.store, {
    nowMs: () => Date.now() + 9 * day,
  });
  const point = pointFromWgs84(COPENHAGEN);
  const [lines, areas] = await Promise.all([
    buildingLines.at([point], LINE_KEYS, { signal }),
    reverseAreas.at([point], { signal }),
  ]);
  expect(lines.value[0]?.lines.map(({ status }) => status)).toEqual(
    LINE_KEYS.map(() => 'unavailable'),
  );
  expect(areas.value[0]).toMatchObject({ code: 'outside_coverage' });
  expect(bench.upstream.requests()).toHaveLength(before);
  // Where it does, the register answers beside the old copy.
  const here = await buildingLines.at([pointFromUtm32(samplePoint('forest').utm32)], ['skov'], {
    signal,
  });
  expect(here.value[0]?.lines[0]).toMatchObject({ within: true, provenance: { rung: 'origin' } });
});

test('the fast path, the full pipeline and a batch in a thread say the same', async () => {
  const app = await bench.edge(loader);
  const port = await portOf(app);
  // Inside, where the radius reaches over the border, at the border, and outside.
  const points = [
    650_000, 660_000, 662_000, 662_400, 662_600, 662_800, 663_000, 664_000, 670_000,
  ].map((xUtm32) => pointFromUtm32({ xUtm32, yUtm32: 6_314_000 }).wgs84);
  const batch = await app.inject({
    method: 'POST',
    url: '/v1/natur/byggelinjer:batch',
    payload: { punkter: points },
  });
  const { results } = batch.json<{ results: { byggelinjer: unknown }[] }>();
  const statuses = new Set<string>();
  for (const [n, { lon, lat }] of points.entries()) {
    for (const path of ['natur/byggelinjer', 'dagi/reverse']) {
      const url = `/v1/${path}?lon=${lon}&lat=${lat}`;
      const full = await app.inject(url);
      const fast = await fetch(`http://127.0.0.1:${port}${url}`);
      expect(await fast.text()).toBe(full.body);
      expect(fast.status).toBe(full.statusCode);
      expect(fast.headers.get('x-service-data-age') === null).toBe(
        full.headers['x-service-data-age'] === undefined,
      );
      if (path === 'natur/byggelinjer') {
        expect(results[n]?.byggelinjer).toEqual(full.json<{ linjer: unknown }>());
        statuses.add(full.json<{ utilgaengelige: string[] }>().utilgaengelige.join());
      }
    }
  }
  expect(statuses.size).toBeGreaterThan(1);
  await app.close();
});

describe.each(WAYS)('a mirror of some municipalities, from %s', (_, memory) => {
  const MIDST = { kind: 'municipalities', name: 'kommune 0091', codes: ['0091'] } as const;

  test('answers within them, and nowhere else', async () => {
    const lookups = lookupsOf(MIDST, memory());
    const inside = pointFromUtm32(samplePoint('quiet').utm32);
    const beside = pointFromUtm32(samplePoint('dyke').utm32);
    const { value } = await lookups.reverseAreas.at([inside, beside], { signal });
    expect(value[0]).not.toBeInstanceOf(Failure);
    expect(value[1]).toMatchObject({ code: 'outside_coverage' });
    const lines = await lookups.buildingLines.at([inside, beside], LINE_KEYS, { signal });
    expect(new Set(lines.value[1]?.lines.map(({ status }) => status))).toEqual(
      new Set(['unavailable']),
    );
    await lookups.close();
  });

  test('has no border between two of them', async () => {
    const all: Coverage = {
      kind: 'municipalities',
      name: 'midt og øst',
      codes: ['0091', '0092', '0093', '0094'],
    };
    const one = lookupsOf(MIDST, memory());
    const both = lookupsOf(all, memory());
    const border = await borderPoint();
    const of = async ({ buildingLines }: typeof one) =>
      (await buildingLines.at([border], LINE_KEYS, { signal })).value[0]?.lines.filter(
        ({ status }) => status === 'ok',
      ).length;
    expect(await of(one)).toBeLessThan(10);
    expect(await of(both)).toBe(10);
    await Promise.all([one.close(), both.close()]);
  });

  test('covers nothing as long as none of them is mirrored', async () => {
    const none = lookupsOf(
      { kind: 'municipalities', name: 'kommune 0999', codes: ['0999'] },
      memory(),
    );
    const { value } = await none.buildingLines.at(
      [pointFromUtm32(samplePoint('forest').utm32)],
      LINE_KEYS,
      { signal },
    );
    expect(new Set(value[0]?.lines.map(({ status }) => status))).toEqual(new Set(['unavailable']));
    await none.close();
  });
});

/** A point inland whose municipality is not that of a point a few metres off. */
async function borderPoint(): Promise<Point> {
  const { reverseAreas } = bench.lookups(null);
  const points = Array.from({ length: 200 }, (_, n) =>
    pointFromUtm32({ xUtm32: 647_650 + 2 * n, yUtm32: 6_314_000 }),
  );
  const { value } = await reverseAreas.at(points, { signal });
  const codes = value.map((each) =>
    each instanceof Failure
      ? null
      : (each.areas.find(({ theme }) => theme === 'kommune')?.code ?? null),
  );
  const n = codes.findIndex((code, i) => code === '0091' && codes[i + 1] !== '0091');
  expect(n).toBeGreaterThan(-1);
  return points[n]!;
}

const listsOf = () => {
  const [held, stored] = [bench.lookups(loader), bench.lookups(null)];
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
        const found = loader.current?.readCoveringAreas(points);
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
    return { key, change: (await areaList.changes('sogn', [key, 'none']))!.get(key)! };
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
