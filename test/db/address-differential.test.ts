/** The address nearest to a point, from the book in memory and from PostGIS: never two answers. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeAddressMemory } from '../../src/compose-addresses.ts';
import { openAddressBook } from '../../src/snapshot/addresses/book.ts';
import { createAddressFinder } from '../../src/snapshot/addresses/finder.ts';
import type { AddressBook } from '../../src/layers/addresses.ts';
import type { AddressKeeper } from '../../src/lookups/address-keeper.ts';
import { readNearestAddresses } from '../../src/registers/addresses/reverse-store.ts';
import { createWorkers } from '../../workers/pool.ts';
import type { Workers } from '../../workers/pool.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import { randomFrom } from '../support/layer-fixture.ts';

/** What is asked of the island, and of each address by itself. */
const POINTS = 10_000;
const PER_STATEMENT = 1_000;

let bench: AddressBench;
let workers: Workers;
let keeper: AddressKeeper;
let book: AddressBook;
beforeAll(async () => {
  bench = await openAddressBench();
  const outcome = await bench.sync();
  expect(outcome.state).toBe('published');
  workers = createWorkers({ threads: 1 });
  keeper = composeAddressMemory({
    store: bench.store,
    workers,
    directory: mkdtempSync(join(bench.store.dataDir, 'books-')),
    storeName: 'test',
    open: (buffer, options) => createAddressFinder(openAddressBook(buffer, options)),
    log: (message) => console.error(message),
  });
  await keeper.refresh();
  book = keeper.current!.finder.book;
});
afterAll(async () => {
  await keeper.stop();
  await workers.close();
  await bench.close();
});

/** Doors in force that have a point. */
async function doors(): Promise<{ id: string; xUtm32: number; yUtm32: number }[]> {
  const { rows } = await bench.store.pool.query<{ id: string; x: number; y: number }>(`
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
    const { nearest } = await readNearestAddresses(bench.store, asked, radiusM);
    for (const [n, point] of asked.entries()) {
      const inMemory = book.nearest(point, radiusM);
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

test('every door asked at its own place answers itself, or its twin with a lower id', async () => {
  const all = await doors();
  const first = new Map<string, string>();
  for (const { id, xUtm32, yUtm32 } of all) {
    const place = `${xUtm32} ${yUtm32}`;
    if (!first.has(place)) first.set(place, id);
  }
  for (const { xUtm32, yUtm32 } of all) {
    const nearest = book.nearest({ xUtm32, yUtm32 }, 1);
    expect(nearest?.address.id).toBe(first.get(`${xUtm32} ${yUtm32}`));
    expect(nearest?.distanceM).toBe(0);
  }
});

function extent(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}
