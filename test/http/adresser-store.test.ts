/**
 * Addresses over the mirrored sample: the store where there is no index, and index and store held against
 * each other.
 */
import { describe, expect, test } from 'vitest';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { readNearestAddresses } from '../../src/registers/addresses/reverse-store.ts';
import { openAddressService } from '../support/address-service.ts';
import { amountOf } from '../support/run-settings.ts';
import { expectError } from '../edge/edge.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { opened } from '../support/opened.ts';

/** What is asked of the island, and of each address by itself. */
const POINTS =
  process.env['TEST_STORE'] === 'postgres' ? amountOf({ gate: 700, night: 10_000 }) : 2_000;
const PER_STATEMENT = 500;

const service = await opened(openAddressService());

describe('without an index', () => {
  const { place } = KNOWN_ADDRESS;
  const one = (radius: number) =>
    `/v1/adresser/reverse?x=${place.x + 3}&y=${place.y}&srid=25832&radius=${radius}`;

  test('reverse answers from the store what the address index would have', async () => {
    const fast = await service.app.inject(one(100));
    const slow = await service.slow.inject(one(100));
    expect(slow.statusCode).toBe(200);
    expect(slow.body).toBe(fast.body);
    expect(slow.headers['cache-status']).toBe('geoopslag; hit; detail=store');
    expect(fast.headers['cache-status']).toBe('geoopslag; hit; detail=snapshot');
    expect(slow.headers['x-service-generation']).toBe(fast.headers['x-service-generation']);
    expectError(await service.slow.inject(one(1)), 'not_found');
  });

  test('a batch is answered alike, the points without an address as errors', async () => {
    const { punkt } = (await service.app.inject(one(100))).json<{ punkt: object }>();
    const payload = {
      punkter: [
        { lon: 11.3, lat: 56.8 },
        { id: 'a', ...punkt },
      ],
      radius: 100,
    };
    const ask = { method: 'POST' as const, url: '/v1/adresser/reverse:batch', payload };
    const [fast, slow] = await Promise.all([service.app.inject(ask), service.slow.inject(ask)]);
    expect(slow.body).toBe(fast.body);
    expect(slow.json()).toMatchObject({ requested: 2, succeeded: 1, failed: 1 });
  });

  test('a batch of points in metres is answered as the single lookup, in degrees', async () => {
    const near = { id: 'a', x: place.x + 3, y: place.y, srid: 25832 };
    const far = { id: 'b', x: place.x + 40_000, y: place.y, srid: 25832 };
    const ask = {
      method: 'POST' as const,
      url: '/v1/adresser/reverse:batch',
      payload: { punkter: [far, near], radius: 100 },
    };
    const single = (await service.app.inject(one(100))).json<{ punkt: object; adresse: object }>();
    for (const app of [service.app, service.slow]) {
      const batch = (await app.inject(ask)).json<{ results: object[]; errors: object[] }>();
      const { punkt, adresse } = single;
      expect(batch.results).toEqual([{ id: 'a', punkt, adresse }]);
      const degrees = { lon: expect.any(Number) as number, lat: expect.any(Number) as number };
      expect(batch.errors).toMatchObject([{ id: 'b', punkt: degrees, status: 404 }]);
    }
  });

  test.each([
    '/v1/adresser?q=x',
    '/v1/adresser/autocomplete?q=x',
    `/v1/adresser/${KNOWN_ADDRESS.unitId}`,
    '/v1/datavask?betegnelse=x',
    '/v1/postnumre',
    '/v1/postnumre/0093',
  ])('%s is 503, never empty and never unknown', async (url) => {
    const response = await service.slow.inject(url);
    expectError(response, 'upstream_unavailable');
    expect(response.headers['retry-after']).toBe('60');
  });
});

test('the datavask pads a postcode that has lost its zeros, as lists of them are padded', async () => {
  const { roadName, houseNumber, accessId } = KNOWN_ADDRESS;
  const ask = (postnr: string) => {
    const query = new URLSearchParams({ vej: roadName, husnr: houseNumber, postnr });
    return service.app.inject(`/v1/datavask?${query.toString()}&type=adgangsadresse`);
  };
  const padded = await ask('93');
  expect(padded.json()).toMatchObject({ resultater: [{ adresse: { id: accessId } }] });
  expect(padded.body).toBe((await ask('0093')).body);
  expect(padded.body).not.toBe((await ask('9300')).body);
});

test('a retired address names what took its place, one in force nothing', async () => {
  const { roadName, postcode, retiredAccessId, accessId } = KNOWN_ADDRESS;
  const retired = await service.app.inject(`/v1/adresser/${retiredAccessId}`);
  const { efterfoelgere, husnr } = retired.json<{ efterfoelgere: object[]; husnr: string }>();
  expect(efterfoelgere).toBeInstanceOf(Array);
  const living = await service.app.inject(`/v1/adresser/${accessId}`);
  expect(living.json()).not.toHaveProperty('efterfoelgere');
  const betegnelse = encodeURIComponent(`${roadName} ${husnr}, ${postcode}`);
  const cleansed = await service.app.inject(
    `/v1/datavask?betegnelse=${betegnelse}&type=adgangsadresse`,
  );
  const { resultater } = cleansed.json<{ resultater: { aktueladresse: object }[] }>();
  expect(resultater[0]).toMatchObject({ aktueladresse: { id: retiredAccessId, efterfoelgere } });
});

test('the datavask answers the house where neither floor nor door is written', async () => {
  const { roadName, houseNumber, postcode, postcodeName, accessId } = KNOWN_ADDRESS;
  const text = `${roadName} ${houseNumber}, ${postcode} ${postcodeName}`;
  const ask = async (type: string) => {
    const url = `/v1/datavask?betegnelse=${encodeURIComponent(text)}${type}`;
    const response = await service.app.inject(url);
    return response.json<{ kategori: string; resultater: { adresse: { type: string } }[] }>();
  };
  const house = await ask('');
  expect(house.kategori).toBe('A');
  expect(house.resultater[0]).toMatchObject({
    adresse: { type: 'adgangsadresse', id: accessId },
  });
  const units = await ask('&type=adresse');
  expect(new Set(units.resultater.map(({ adresse }) => adresse.type))).toEqual(
    new Set(['adresse']),
  );
  expect(house.resultater.length).toBe(1 + units.resultater.length);
});

const addressIndex = () => service.loader.current!.finder.addressIndex;

/** Doors in force that have a point. */
async function doors(): Promise<{ id: string; xUtm32: number; yUtm32: number }[]> {
  const { rows } = await service.store.pool.query<{ id: string; x: number; y: number }>(`
    select a.id, ST_X(p.geom) as x, ST_Y(p.geom) as y
    from address_access a join address_point p on p.id = a.point_id
    where a.status = 3 and p.geom is not null order by a.id`);
  return rows.map(({ id, x, y }) => ({ id, xUtm32: x, yUtm32: y }));
}

test('both agree on random points, and on points between two doors, ties included', async () => {
  const all = await doors();
  expect(all.length).toBeGreaterThan(100);
  const random = randomFrom(47);
  const [west, east] = extent(all.map(({ xUtm32 }) => xUtm32));
  const [south, north] = extent(all.map(({ yUtm32 }) => yUtm32));
  const points = Array.from({ length: POINTS }, (_, n) => {
    const one = all[Math.floor(random() * all.length)]!;
    const other = all[Math.floor(random() * all.length)]!;
    // Half anywhere, a quarter in the middle between two doors, a quarter at a door.
    if (n % 4 === 0) {
      return { xUtm32: (one.xUtm32 + other.xUtm32) / 2, yUtm32: (one.yUtm32 + other.yUtm32) / 2 };
    }
    if (n % 4 === 1) return { xUtm32: one.xUtm32, yUtm32: one.yUtm32 };
    return {
      xUtm32: west - 200 + random() * (east - west + 400),
      yUtm32: south - 200 + random() * (north - south + 400),
    };
  });
  let found = 0;
  for (let from = 0; from < POINTS; from += PER_STATEMENT) {
    const radiusM = [1, 50, 250, 1000][(from / PER_STATEMENT) % 4]!;
    const asked = points.slice(from, from + PER_STATEMENT);
    const { nearest } = await readNearestAddresses(service.store, asked, radiusM);
    for (const [n, point] of asked.entries()) {
      const inMemory = addressIndex().nearest(point, radiusM);
      const stored = nearest[n] ?? null;
      expect(inMemory?.address.id ?? null, JSON.stringify(point)).toBe(stored?.address.id ?? null);
      if (inMemory === null || stored === null) continue;
      found += 1;
      expect(inMemory.distanceM).toBeCloseTo(stored.distanceM, 6);
      const { roadCode: _code, ...road } = inMemory.address.road;
      expect({ ...inMemory.address, road: { ...road, roadCode: null } }).toEqual(stored.address);
    }
  }
  expect(found).toBeGreaterThan(POINTS / 4);
});

function extent(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}
