/** Place names over HTTP, of the sample mirrored into a real store (D121 to D123, D140): from memory and the store. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CENTRE } from '../../sample/data/island.ts';
import { createRandom } from '../../sample/data/random.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import MVT from 'ol/format/MVT.js';
import { LIMITS } from '../../src/kernel/limits.ts';
import { expectError } from '../edge/edge.ts';
import { tileAt } from '../support/map-tiles.ts';
import { openPlaceService } from '../support/place-service.ts';
import { withBroken } from '../support/property-store.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';
import { ISLETS, KNOWN_PLACE } from '../support/known-island.ts';

const service = await opened(openPlaceService());
beforeEach(() => {
  service.access.settled.length = 0;
});

interface Shown {
  readonly id: string;
  readonly navn: string;
  readonly hovedtype: string;
  readonly undertype: string | null;
  readonly koordinat: { readonly lon: number; readonly lat: number };
  readonly epsg25832: readonly [number, number];
  readonly bbox: readonly number[];
  readonly kommuner: readonly { readonly kode: string; readonly navn: string }[] | null;
  readonly indbyggertal: number | null;
  readonly afstand_m?: number;
  readonly geometri?: { readonly type: string; readonly coordinates: readonly unknown[] };
}

async function listOf(path: string): Promise<readonly Shown[]> {
  const response = await service.get(path);
  expect(response.statusCode, response.body).toBe(200);
  const { antal, stednavne } = response.json<{ antal: number; stednavne: Shown[] }>();
  expect(antal).toBe(stednavne.length);
  return stednavne;
}

const search = (q: string, more = '') => listOf(`/v1/stednavne?q=${encodeURIComponent(q)}${more}`);
const reverse = (x: number, y: number, more = '') =>
  listOf(`/v1/stednavne/reverse?x=${x}&y=${y}&srid=25832${more}`);
const oneOf = async (id: string) => (await service.get(`/v1/stednavne/${id}`)).json<Shown>();
const namesOf = (places: readonly Shown[]) => places.map(({ navn }) => navn);

const PATHS = [
  '/v1/stednavne?q=midtby',
  `/v1/stednavne/${KNOWN_PLACE.town.id}`,
  `/v1/stednavne/reverse?x=${CENTRE.x}&y=${CENTRE.y}&srid=25832`,
];

const tilePath = (z: number) => `/v1/kort/stednavne/${tileAt(CENTRE.x, CENTRE.y, z)}.mvt`;

describe('before anything is mirrored', () => {
  test('a map is told so, never that there are no names', async () => {
    expectError(await service.get(tilePath(11)), 'upstream_unavailable');
  });

  test.each(PATHS)('%s is 503 and costs nothing', async (path) => {
    const response = await service.get(path);
    expectError(response, 'upstream_unavailable');
    expect(response.headers).toHaveProperty('retry-after');
    expect(service.access.settled).toEqual([]);
  });
});

describe('without the municipalities', () => {
  beforeAll(async () => {
    expect((await service.sync('stednavne')).state).toBe('published');
    await service.loader.refresh();
  });

  test('places answer with null for them, never with none', async () => {
    const [town] = await search('midtby');
    expect(town).toMatchObject({ navn: 'Midtby', kommuner: null });
    expect(await oneOf(KNOWN_PLACE.town.id)).toMatchObject({ kommuner: null });
    const [near] = await reverse(CENTRE.x, CENTRE.y);
    expect(near).toMatchObject({ kommuner: null });
  });

  test('nothing can be kept to one of them: 503 and not an empty list', async () => {
    const response = await service.get('/v1/stednavne?q=midtby&kommunekode=0093');
    expectError(response, 'upstream_unavailable');
    expect(service.access.settled).toEqual([]);
  });
});

describe('on a map (D243)', () => {
  const namesAt = async (z: number) => {
    const answer = await service.get(tilePath(z), 'svc_live_only');
    expect(answer.statusCode, answer.body).toBe(200);
    return new MVT()
      .readFeatures(Uint8Array.from(answer.rawPayload).buffer)
      .map((feature) => feature.getProperties());
  };

  test('names come by rank: the town first, villages nearer, each in one tile, with its name to show', async () => {
    expect(await namesAt(7)).toEqual([]);
    const town = { layer: 'stednavne', id: KNOWN_PLACE.town.id, navn: 'Midtby', fra_zoom: 8 };
    expect(await namesAt(8)).toEqual([{ ...town, hovedtype: 'Bebyggelse', undertype: 'by' }]);
    const near = await namesAt(12);
    const ranks = near.map((place) => Number(place['fra_zoom']));
    expect(near[0]).toMatchObject(town);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(ranks).size).toBeGreaterThan(2);
    expect(near.map((place) => String(place['navn']))).toContain(KNOWN_PLACE.station.name);
    expect(near.length).toBeLessThanOrEqual(LIMITS.kort.names.perTile);
  });

  test('zooms without names are refused', async () => {
    expectError(await service.get(tilePath(LIMITS.kort.names.minZoom - 1)), 'invalid_request');
  });
});

describe('with them', () => {
  beforeAll(async () => {
    expect((await service.sync('kommune')).state).toBe('published');
    await service.loader.refresh();
  });

  test('the answers have headers, one unit each, to a key of the scope alone', async () => {
    for (const path of PATHS) {
      expect((await service.get(path, 'svc_live_only')).headers).toMatchObject({
        'x-service-generation': '2',
        'x-service-data-age': expect.any(String) as string,
        'cache-status': expect.stringContaining('snapshot') as string,
      });
      const refused = expectError(await service.get(path, 'svc_live_some'), 'forbidden');
      expect(refused['code']).toBe('key_scope_missing');
    }
    expect(service.access.settled.map(({ units }) => units)).toEqual([1, 1, 1]);
  });

  test('a town has its spellings, its point, its box and its municipalities (D121)', async () => {
    const [town] = await search('midtby');
    expect(town).toMatchObject({
      id: KNOWN_PLACE.town.id,
      navn: 'Midtby',
      navnestatus: 'suAutoriseret',
      andre_navne: [
        { navn: 'Prøve Midtby', navnestatus: 'officielt', brugsprioritet: 'sekundær' },
        { navn: 'Midby', navnestatus: 'uofficielt', brugsprioritet: 'sekundær' },
      ],
      hovedtype: 'Bebyggelse',
      undertype: 'by',
      kommuner: [{ kode: '0093', navn: 'Midtby Kommune (opdigtet)' }],
      indbyggertal: 4_120,
    });
    const [west = 0, south = 0, east = 0, north = 0] = town!.bbox;
    const { lon, lat } = town!.koordinat;
    expect(lon).toBeGreaterThan(west);
    expect(lon).toBeLessThan(east);
    expect(lat).toBeGreaterThan(south);
    expect(lat).toBeLessThan(north);
  });

  test('memory and store tell the same of every place', async () => {
    const ids = (await service.column(
      'select public_id from place where geom is not null order by id',
    )) as string[];
    const found = new Map<string, Shown>();
    for (const letter of 'abcdefghijklmnopqrstuvwxyzæøå') {
      for (let side = 1; side <= LIMITS.places.pages; side += 1) {
        const page = await search(letter, `&per_side=100&side=${side}`);
        for (const place of page) found.set(place.id, place);
        if (page.length < 100) break;
      }
    }
    expect([...found.keys()].toSorted()).toEqual(ids.toSorted());
    for (const [id, place] of found) {
      const { geometri, ...shown } = await oneOf(id);
      expect(geometri).toBeTruthy();
      expect(shown).toEqual({ ...place, meta: expect.anything() as unknown });
    }
    // The embedded store takes its time for each: every third, in whatever order letters find them.
    for (const id of [...found.keys()].filter((_, n) => n % 3 === 0)) {
      const [held, stored] = await Promise.all([
        service.places.find(id.toUpperCase()),
        service.storedPlaces.find(id),
      ]);
      expect(Buffer.from(held.value.wkb!).equals(Buffer.from(stored.value.wkb!))).toBe(true);
      expect(held.value.place).toEqual(stored.value.place);
    }
  });

  test('memory and store tell the same of what is around a point', async () => {
    const draw = createRandom(`places ${TEST_SEED}`);
    for (let i = 0; i < amountOf({ gate: 6, night: 1_000 }); i += 1) {
      const point = pointFromUtm32({
        xUtm32: draw.between(645_000, 655_000),
        yUtm32: draw.between(6_310_000, 6_318_000),
      });
      const radius = draw.integer(1, 1000);
      const [held, stored] = await Promise.all([
        service.places.near(point, radius),
        service.storedPlaces.near(point, radius),
      ]);
      expect(held.provenance[0]?.rung).toBe('snapshot');
      const [ours, theirs] = [held.value, stored.value];
      const said = `seed ${TEST_SEED}`;
      expect(
        ours.map(({ place }) => place),
        said,
      ).toEqual(theirs.map(({ place }) => place));
      // The embedded store counts in its own way, to the last bits.
      for (const [n, { distanceM }] of ours.entries()) {
        expect(Math.abs(distanceM - theirs[n]!.distanceM), said).toBeLessThan(1e-6);
      }
    }
  });

  test('exact names come before begun ones, and misspelt ones where none is (D122)', async () => {
    expect(namesOf(await search('midtby')).slice(0, 2)).toEqual(['Midtby', 'Midtby Station']);
    expect(namesOf(await search('Midtbx'))).toContain('Midtby');
    expect(namesOf(await search('MIDBY'))[0]).toBe('Midtby');
    const [first, second] = await search(KNOWN_PLACE.namesake.toUpperCase());
    expect([first?.navn, second?.navn]).toEqual(['Nørre Kilde', 'Nørre Kilde']);
    expect([first?.indbyggertal, second?.indbyggertal]).toEqual([640, 85]);
    expect((await search('nr kilde')).map(({ id }) => id)).toEqual([first?.id, second?.id]);
    expect(await search('gammel midtby')).toEqual([]);
    expect(await search('ingensted')).toEqual([]);
  });

  test('a search keeps to a type, to municipalities and to a page', async () => {
    const stations = await search('midtby', '&type=standsningssted');
    expect(namesOf(stations)).toEqual(['Midtby Station']);
    const towns = await search('s', '&type=BY&per_side=100');
    expect(new Set(towns.map(({ undertype }) => undertype))).toEqual(new Set(['by']));
    expect(await search('midtby', '&type=Lufthavn')).toEqual([]);
    expect(await search('midtby', '&kommunekode=0094')).toEqual([]);
    expect(namesOf(await search('midtby', '&kommunekode=94|93&type=by'))).toEqual(['Midtby']);
    const all = await search('s', '&per_side=20');
    const pages = [
      ...(await search('s', '&per_side=10&side=1')),
      ...(await search('s', '&per_side=10&side=2')),
    ];
    expect(pages).toEqual(all);
    // What is kept of a short text is of the same question alone.
    expect(await search('S')).toEqual(all);
    const some = await search('s', '&type=by');
    expect(some).toEqual(towns.slice(0, 20));
    expect(await search('s', '&type=BY&kommunekode=0093')).not.toEqual(some);
    expect(await search('s', '&per_side=5')).toEqual(all.slice(0, 5));
    expect(await search('s')).toEqual(all);
  });

  test('a line in several municipalities names each, a point in the middle of its longest piece', async () => {
    const stream = await oneOf(KNOWN_PLACE.stream.id);
    expect(stream.kommuner?.map(({ kode }) => kode)).toEqual(['0092', '0093', '0094']);
    expect(stream.geometri?.type).toBe('MultiLineString');
    // From its spring to the sea, as it was drawn.
    const [[spring, bend]] = stream.geometri!.coordinates as [[number[], number[]]];
    expect(spring[1]).toBeLessThan(bend[1]!);
  });

  test('geometry is GeoJSON in degrees: an area with its hole, a point', async () => {
    const lake = await oneOf(KNOWN_PLACE.lake.id);
    expect(lake.geometri).toMatchObject({ type: 'Polygon', coordinates: { length: 2 } });
    const station = await oneOf(KNOWN_PLACE.station.id);
    const [lon = 0, lat = 0] = station.geometri!.coordinates as number[];
    expect(lon).toBeCloseTo(station.koordinat.lon, 6);
    expect(lat).toBeCloseTo(station.koordinat.lat, 6);
    expect(await oneOf(String(KNOWN_PLACE.noId))).toMatchObject({ navn: 'Store Prøvebakke' });
  });

  test('around a point areas come first, the smallest first, then others by distance (D123)', async () => {
    const places = await reverse(CENTRE.x, CENTRE.y);
    expect(namesOf(places).slice(0, 2)).toEqual(['Midtby', 'Midtby Station']);
    expect(places.slice(0, 2).map((place) => place.afstand_m)).toEqual([0, 0]);
    const { x, y } = ISLETS.south.centre;
    expect(namesOf(await reverse(x, y))).toEqual(['Sønderø']);
    const outside = await reverse(x + ISLETS.south.radiusM + 100, y);
    expect(outside).toMatchObject([{ navn: 'Sønderø', afstand_m: 100 }]);
    expect(await reverse(x + ISLETS.south.radiusM + 100, y, '&radius=99')).toEqual([]);
    expect(service.access.settled.map(({ units }) => units)).toEqual([1, 1, 1, 1]);
  });

  test('are those of a circle at the DAWA door, of a type too, and none beside a text', async () => {
    const circle = (radiusM: number, more = '') =>
      `/dawa/steder?cirkel=${CENTRE.x},${CENTRE.y},${radiusM}&srid=25832${more}`;
    const idsIn = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort();
    const there = await reverse(CENTRE.x, CENTRE.y, '&radius=300');
    expect(there.length).toBeGreaterThan(1);
    const at = async (path: string) => (await service.get(path)).json<Shown[]>();
    expect(idsIn(await at(circle(300)))).toEqual(idsIn(there));
    const [{ hovedtype }] = there as [Shown];
    const ofType = there.filter((place) => place.hovedtype === hovedtype);
    const typed = `&hovedtype=${encodeURIComponent(hovedtype)}`;
    expect(idsIn(await at(circle(300, typed)))).toEqual(idsIn(ofType));
    for (const path of [circle(1_001), circle(300, '&q=by')]) {
      expect((await service.get(path)).statusCode, path).toBe(400);
    }
  });

  test('what is around any point is what PostGIS says of the raw rows', async () => {
    const shapes = (['Bebyggelse', 'Landskabsform', 'Soe', 'Standsningssted', 'Vandloeb'] as const)
      .flatMap((entity) => service.shelf.rows(entity))
      .filter((row) => row['objectid'] !== String(KNOWN_PLACE.bowTie))
      .map((row) => [row['id_lokalId'] ?? row['objectid'], row['geometri']]);
    for (let i = 0; i < 15; i += 1) {
      const [x, y] = [645_500 + ((i * 7919) % 9_000), 6_311_000 + ((i * 104_729) % 6_000)];
      const { rows } = await service.store.pool.query<{ id: string; m: number; holds: boolean }>(
        `select id, ST_Distance(g, p) as m, ST_Area(g) > 0 and ST_Intersects(g, p) as holds
        from (select r->>0 as id, ST_GeomFromText(r->>1, 25832) as g,
          ST_SetSRID(ST_MakePoint($2, $3), 25832) as p from json_array_elements($1::json) r) s
        where ST_Distance(g, p) <= 1000
        order by 3 desc, case when ST_Area(g) > 0 and ST_Intersects(g, p) then ST_Area(g)
          else ST_Distance(g, p) end`,
        [JSON.stringify(shapes), x, y],
      );
      const found = (await reverse(x, y, '&radius=1000')).filter(
        ({ navn }) => navn !== 'Sløjfesøen',
      );
      const expected = rows.slice(0, found.length);
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      if (rows.length > found.length) expect(found.length).toBeGreaterThanOrEqual(19);
      for (const [n, place] of found.entries()) {
        expect(Math.abs(place.afstand_m! - expected[n]!.m)).toBeLessThanOrEqual(0.05 + 1e-6);
      }
    }
  });

  test.each([
    ['q=', 'q'],
    ['q=%20%20', 'q'],
    ['q=%25', 'q'],
    ['q=%00', 'q'],
    [`q=${'a'.repeat(201)}`, 'q'],
    ['q=a&type=flyvehavn', 'type'],
    ['q=a&kommunekode=x', 'kommunekode'],
    ['q=a&side=0', 'side'],
    ['q=a&side=11', 'side'],
    ['q=a&per_side=101', 'per_side'],
    ['q=a&postnr=1', 'postnr'],
    ['', 'q'],
  ])('a search for %s is refused, naming %s', async (query, field) => {
    const refused = expectError(await service.get(`/v1/stednavne?${query}`), 'invalid_request');
    expect(refused['error']).toContain(field);
  });

  test.each(['radius=0', 'radius=1001', 'radius=1.5'])('reverse refuses %s', async (query) => {
    const path = `/v1/stednavne/reverse?lon=11.46&lat=56.94&${query}`;
    expect(expectError(await service.get(path), 'invalid_request')['error']).toContain('radius');
  });

  test('reverse refuses swapped axes and a point outside Denmark; an unknown id is 404', async () => {
    expectError(await service.get('/v1/stednavne/reverse?lon=56.9&lat=11.4'), 'invalid_request');
    expectError(await service.get('/v1/stednavne/reverse?lon=2&lat=48'), 'invalid_request');
    expectError(await service.get('/v1/stednavne/none'), 'not_found');
    expectError(await service.get('/v1/stednavne/%25'), 'not_found');
    expect(service.access.settled).toEqual([]);
  });

  test('with the table broken all goes on from memory, and nothing is told without it: 502', async () => {
    const answers = async () =>
      (await Promise.all(PATHS.map((path) => service.get(path)))).map(({ body }) => body);
    const before = await answers();
    await withBroken(service.store, 'place', async () => {
      expect(await answers()).toEqual(before);
      await expect(service.loader.refresh()).resolves.toBeUndefined();
      await expect(service.storedPlaces.find(KNOWN_PLACE.town.id)).rejects.toMatchObject({
        code: 'upstream_error',
      });
      await expect(
        service.storedPlaces.near(pointFromUtm32({ xUtm32: CENTRE.x, yUtm32: CENTRE.y }), 100),
      ).rejects.toMatchObject({ code: 'upstream_error' });
    });
  });

  test('a geometry that was damaged on the disk is never told: the store answers, or nothing does', async () => {
    const path = service.loader.pathInService('stednavne', 'wkb') ?? '';
    const sound = readFileSync(path);
    const answer = (await service.get(PATHS[1]!)).body;
    writeFileSync(path, Buffer.alloc(sound.length));
    try {
      const fromStore = await service.get(PATHS[1]!);
      expect(fromStore.body).toBe(answer);
      expect(fromStore.headers['cache-status']).toContain('store');
      const ask = () => service.get(PATHS[1]!);
      expectError(await withBroken(service.store, 'place', ask), 'upstream_error');
    } finally {
      writeFileSync(path, sound);
    }
  });

  test('an old copy answers marked stale, and past its hard limit not at all', async () => {
    const age = (layer: string, days: number) =>
      service.store.pool.query(
        `update layer_state set synced_at = synced_at - interval '${days} days' where layer = $1`,
        [layer],
      );
    await age('stednavne', 9);
    await service.loader.refresh();
    for (const path of PATHS) {
      expect((await service.get(path)).headers).toMatchObject({ 'x-service-stale': 'true' });
    }
    await age('stednavne', -9);
    await age('kommune', 40);
    await service.loader.refresh();
    expect((await search('midtby'))[0]).toMatchObject({ navn: 'Midtby', kommuner: null });
    expect(await oneOf(KNOWN_PLACE.town.id)).toMatchObject({ kommuner: null });
    await age('kommune', -40);
    await age('stednavne', 40);
    await service.loader.refresh();
    for (const path of PATHS) expectError(await service.get(path), 'upstream_unavailable');
    await age('stednavne', -40);
  });
});
