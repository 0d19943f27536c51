/** Places with rows that cannot be read (D143): nobody is told that there are none, by id, text or point. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { syncLayer } from '../../sync/run.ts';
import { KNOWN_PLACE } from '../../sample/registers/places/rows.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { openPlaceService } from '../support/place-service.ts';
import { told } from '../support/run-outcome.ts';
import { breakRows } from '../sync/addresses-bench.ts';
import { opened } from '../support/opened.ts';

const { station, lake } = KNOWN_PLACE;

const service = await opened(openPlaceService());
let point: string;
beforeAll(async () => {
  expect(await sync()).toBe('published');
  const { koordinat } = (await service.get(`/v1/stednavne/${station.id}`)).json<{
    readonly koordinat: { readonly lon: number; readonly lat: number };
  }>();
  const { lon, lat } = koordinat;
  point = `lon=${lon}&lat=${lat}`;
});
afterEach(() => service.shelf.spoil());

/** The sample is small: a row is a large share of it. */
async function sync(lifted: readonly 'unplaced'[] = []): Promise<string> {
  const outcome = await syncLayer(service.deps, 'stednavne', {
    trigger: 'command',
    liftedGuards: ['change-share', 'issues', ...lifted],
  });
  await service.loader.refresh();
  return told(outcome);
}

const statusOf = async (path: string) => (await service.get(`/v1/stednavne${path}`)).statusCode;
const search = (text: string) => statusOf(`?q=${encodeURIComponent(text)}`);
/** With two letters changed places, as a finger does it. */
const misspelt = (name: string) => `${name.slice(0, 2)}${name[3]}${name[2]}${name.slice(4)}`;
const near = (radiusM: number) => statusOf(`/reverse?${point}&radius=${radiusM}`);

const breaks = (entity: SampleEntity, fits: (row: TableRow) => boolean, cells: TableRow) =>
  breakRows(service, entity, { fits, cells });

const isStation = (row: TableRow) => Number(row['objectid']) === station.object;

test('all are told while every row can be read', async () => {
  expect([await statusOf(`/${station.id}`), await search(station.name)]).toEqual([200, 200]);
  expect(await search(misspelt(station.name))).toBe(200);
  expect(await near(1)).toBe(200);
});

describe.each([
  ['a time that cannot be read', { registreringFra: 'i går' }],
  ['a geometry that cannot be read', { geometri: 'POINT (' }],
])('a place with %s', (_what, cells) => {
  test('is answered by nobody, and every other is', async () => {
    breaks('Standsningssted', isStation, cells);
    expect(await sync()).toBe('published');
    expect([await statusOf(`/${station.id}`), await statusOf(`/${lake.id}`)]).toEqual([503, 200]);
    expect(await statusOf('/5e1c0de0-0091-4a00-8000-00000000ffff')).toBe(404);
    expect([await search(station.name), await search(lake.name)]).toEqual([503, 200]);
    expect(await search(misspelt(station.name))).toBe(503);
    expect(await near(1)).toBe(503);
    // Read again as it came: where the version before had it stays known.
    service.shelf.renew('Standsningssted');
    expect(await sync()).toMatch(/published|unchanged/);
    expect(await near(1)).toBe(503);
  });

  test('until it comes whole', async () => {
    service.shelf.renew('Standsningssted');
    expect(await sync()).toBe('published');
    expect([await statusOf(`/${station.id}`), await search(station.name), await near(1)]).toEqual([
      200, 200, 200,
    ]);
  });
});

test('a place whose name cannot be read is as one that cannot', async () => {
  const isIts = (row: TableRow) => Number(row['navngivetSted_objectid']) === station.object;
  breaks('Stednavn', isIts, { registreringFra: 'i går' });
  expect(await sync()).toBe('published');
  expect([await statusOf(`/${station.id}`), await search(station.name), await near(1)]).toEqual([
    503, 503, 503,
  ]);
  expect(await statusOf(`/${lake.id}`)).toBe(200);
  service.shelf.spoil();
  service.shelf.renew('Stednavn');
  expect(await sync()).toBe('published');
});

test('a place whose name is missing is refused until a person releases it', async () => {
  const isIts = (row: TableRow) => Number(row['navngivetSted_objectid']) === station.object;
  breaks('Stednavn', isIts, { skrivemaade: null });
  expect(await sync()).toMatch(/^refused: .*unplaced/);
  expect(await search(station.name)).toBe(200);
  expect(await sync(['unplaced'])).toBe('published');
  expect([await statusOf(`/${station.id}`), await search(station.name)]).toEqual([503, 503]);
  expect([await statusOf(`/${lake.id}`), await search(lake.name)]).toEqual([200, 200]);
  service.shelf.spoil();
  service.shelf.renew('Stednavn');
  expect(await sync()).toBe('published');
});

test('a place that nothing tells the place of is refused until a person releases it', async () => {
  breaks('Standsningssted', isStation, { objectid: 'ukendt', geometri: 'POINT (' });
  expect(await sync()).toMatch(/^refused: .*unplaced/);
  expect(await sync(['unplaced'])).toBe('published');
  expect([await statusOf(`/${station.id}`), await search('Findes Slet Ikke')]).toEqual([503, 503]);
  expect(await near(1)).toBe(503);
  // What is like a text may not be what is meant.
  expect(await search(misspelt(lake.name))).toBe(503);
  expect(await search(lake.name)).toBe(200);
});
