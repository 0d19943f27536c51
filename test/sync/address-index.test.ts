/** The index of the mirrored sample: built from the store, kept on disk, in service at once. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createAddressLoader } from '../../src/registers/addresses/load.ts';
import type { AddressLoader, AddressLoaderOptions } from '../../src/registers/addresses/load.ts';
import type { OpenAddressIndex } from '../../src/registers/addresses/index/address-index.ts';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { readNearestAddresses } from '../../src/registers/addresses/reverse-store.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { createWorkers } from '../../workers/pool.ts';
import { openAddressBench } from './addresses-bench.ts';
import { opened } from '../support/opened.ts';

const workers = createWorkers({ threads: 1 });
const said: string[] = [];
const bench = await opened(openAddressBench());
await bench.syncParcels();
await bench.sync();
afterAll(() => workers.close());
beforeEach(() => said.splice(0));

const newDirectory = () => mkdtempSync(join(bench.store.dataDir, 'index-'));
const indexFilesIn = (directory: string) =>
  readdirSync(directory).filter((name) => name.endsWith('.book'));

/** A loader whose finder is its index alone. */
function loaderIn(directory: string, parts: Partial<AddressLoaderOptions> = {}): AddressLoader {
  return createAddressLoader({
    store: bench.store,
    workers,
    directory,
    storeName: 'a-test',
    log: (message) => {
      said.push(message);
    },
    ...parts,
  });
}

function addressIndexOf(loader: AddressLoader): OpenAddressIndex {
  const { current } = loader;
  if (current === null) throw new Error('Nothing is in service.');
  return current.finder.addressIndex as OpenAddressIndex;
}

const away: AddressLoaderOptions['store'] = new Proxy({} as AddressLoaderOptions['store'], {
  get: () => {
    throw new Error('the store is away');
  },
});

const { accessId, unitId, bfe, unitBfe, place, stacked, stackedIds, formerRoadName } =
  KNOWN_ADDRESS;

describe('the address index of what is published', () => {
  test('holds every address with all that is known of it', async () => {
    const loader = loaderIn(newDirectory());
    expect(loader.current).toBeNull();
    await loader.refresh();
    expect(loader.current).toMatchObject({ generation: 2, copy: { version: 1, held: false } });
    const addressIndex = addressIndexOf(loader);
    expect([addressIndex.accessCount, addressIndex.unitCount]).toEqual([1_193, 2_052]);
    expect(addressIndex.unit(unitId)).toMatchObject({
      status: 3,
      bfe: unitBfe,
      floor: '2',
      door: 'tv',
      designation: 'Ny Prøvegade 12A, 2. tv, 0093 Midtprøve',
      access: {
        id: accessId,
        houseNumber: '12A',
        designation: 'Ny Prøvegade 12A, 0093 Midtprøve',
        road: { name: 'Ny Prøvegade', roadCode: '0012', municipalityCode: '0093' },
        postcode: { code: '0093', name: 'Midtprøve' },
        position: { xUtm32: place.x, yUtm32: place.y },
        bfe,
      },
    });
    expect(said).toEqual([]);
  });

  test('knows of every flat the property it is, and of every other home that of its parcel', async () => {
    const loader = loaderIn(newDirectory());
    await loader.refresh();
    const addressIndex = addressIndexOf(loader);
    const rows = (entity: SampleEntity) => bench.shelf.rows(entity);
    const byUnit = new Map(
      rows('Ejendomsbeliggenhed')
        .filter(({ status }) => status === 'gældende')
        .map((row) => [row['adresseLokalId'], Number(row['bestemtFastEjendomBFENr'])]),
    );
    const parcelOf = new Map(
      rows('Husnummer').map((row) => [row['id_lokalId'], row['jordstykke']]),
    );
    const byParcel = new Map(
      rows('Jordstykke').map((row) => [row['id_lokalId'], Number(row['samletFastEjendomLokalId'])]),
    );
    let own = 0;
    for (const row of rows('Adresse')) {
      const unit = addressIndex.unit(row['id_lokalId'] ?? '')!;
      const ofParcel = byParcel.get(parcelOf.get(row['husnummer'] ?? '') ?? '') ?? null;
      expect(unit.bfe).toBe(byUnit.get(unit.id) ?? ofParcel);
      expect(unit.access.bfe).toBe(ofParcel);
      if (unit.bfe !== ofParcel) own += 1;
    }
    expect(own).toBeGreaterThan(100);
  });

  test('follows the parcels: another property of one is told, though no address changed', async () => {
    const directory = newDirectory();
    const loader = loaderIn(directory);
    await loader.refresh();
    const row = bench.shelf.rows('Jordstykke')[0]!;
    const at = '2026-11-03T00:00:00.000000Z';
    const other = { ...row, samletFastEjendomLokalId: '9199999' };
    bench.shelf.change('Jordstykke', { at, close: [row], open: [other] });
    expect(await bench.syncParcels()).toMatchObject({ state: 'published' });
    await loader.refresh();
    expect(addressIndexOf(loader).unit(unitId)?.access.bfe).toBe(9_199_999);
    expect(indexFilesIn(directory)).toHaveLength(1);
    const changed = bench.shelf.rows('Jordstykke').at(-1)!;
    const later = '2026-11-04T00:00:00.000000Z';
    bench.shelf.change('Jordstykke', { at: later, close: [changed], open: [row] });
    expect(await bench.syncParcels()).toMatchObject({ state: 'published' });
    await loader.refresh();
    expect(addressIndexOf(loader).unit(unitId)?.access.bfe).toBe(bfe);
  });

  test('answers with the nearest in force, of stacked ones the lowest id', async () => {
    const loader = loaderIn(newDirectory());
    await loader.refresh();
    const near = addressIndexOf(loader).nearest({ xUtm32: stacked.x, yUtm32: stacked.y + 1 }, 50);
    expect(near).toMatchObject({ distanceM: 1, address: { id: stackedIds[0] } });
  });

  test('knows by which name a door was called before', async () => {
    const loader = loaderIn(newDirectory());
    await loader.refresh();
    const addressIndex = addressIndexOf(loader);
    const all = Array.from({ length: addressIndex.formerCount }, (_, i) =>
      addressIndex.formerAt(i),
    );
    expect(all.find(({ id }) => id === unitId)).toMatchObject({
      kind: 'unit',
      roadName: formerRoadName,
      houseNumber: '12A',
      floor: '2',
      door: 'tv',
      postcode: '0093',
      validTo: '2021-06-01T00:00:00Z',
    });
  });
});

describe('an address index on disk', () => {
  test('is loaded as it lies, and built anew when it is damaged', async () => {
    const directory = newDirectory();
    await loaderIn(directory).refresh();
    const [name = ''] = indexFilesIn(directory);
    const idle = { run: () => Promise.reject(new Error('no thread')) };
    const second = loaderIn(directory, { workers: idle });
    await second.refresh();
    expect(addressIndexOf(second).accessCount).toBe(1_193);
    const bytes = readFileSync(join(directory, name));
    bytes[bytes.length >> 1]! ^= 0x40;
    writeFileSync(join(directory, name), bytes);
    const third = loaderIn(directory, { workers: idle });
    await third.refresh();
    expect(third.current).toBeNull();
    expect(said.join()).toContain('is not used');
    const fourth = loaderIn(directory);
    await fourth.refresh();
    expect(addressIndexOf(fourth).accessCount).toBe(1_193);
  });

  test('answers at a start without the store, if it was of this store', async () => {
    const directory = newDirectory();
    await loaderIn(directory).refresh();
    const alone = loaderIn(directory, { store: away });
    alone.start();
    await expect.poll(() => alone.current?.copy.version).toBe(1);
    expect(said.join()).toContain('The store does not answer');
    await alone.stop();
    const stranger = loaderIn(directory, { store: away, storeName: 'another' });
    stranger.start();
    await expect.poll(() => said.join()).toContain('it is of another store');
    expect(stranger.current).toBeNull();
    await stranger.stop();
  });
});

test('the index knows the property that EBR has at a house number where no parcel tells one', async () => {
  const { pool } = bench.store;
  const { rows: doors } = await pool.query<{ id: string; x: number; y: number }>(
    `select a.id, ST_X(g.geom) as x, ST_Y(g.geom) as y
     from address_access a join address_point g on g.id = a.point_id
     where a.status = 3 and a.parcel_id is not null order by a.id limit 5`,
  );
  const [named, flatOnly, gone, several, unknown] = doors.map(({ id }) => id) as [
    ...[string, string, string, string, string],
  ];
  // Not of the house: a row of a flat that has its house number too. Not in force.
  const rows = [
    [named, null, 3, 9_300_001],
    [flatOnly, unitId, 3, 9_300_002],
    [gone, null, 4, 9_300_003],
    [several, null, 3, 9_300_005],
    [several, null, 3, 9_300_004],
  ];
  const expected = [9_300_001, null, null, 9_300_004, null];
  await pool.query('delete from address_property');
  for (const row of rows) {
    await pool.query(
      `insert into address_property (id, access_id, unit_id, status, bfe, registered_from, valid_from)
       values (gen_random_uuid(), $1, $2, $3, $4, now(), now())`,
      row,
    );
  }
  const told = async () => {
    const loader = loaderIn(newDirectory());
    await loader.refresh();
    const addressIndex = addressIndexOf(loader);
    const { nearest } = await readNearestAddresses(
      bench.store,
      doors.map(({ x, y }) => ({ xUtm32: x, yUtm32: y })),
      1,
    );
    for (const [i, id] of doors.map((door) => door.id).entries()) {
      const access = addressIndex.access(id)!;
      // Another door may be at the same point.
      if (nearest[i]?.address.id === id) expect(nearest[i].address.bfe).toBe(access.bfe);
      for (const unit of addressIndex.unitsOf(id)) {
        expect(unit.bfe).toBe(unit.id === unitId ? 9_300_002 : access.bfe);
      }
    }
    return [named, flatOnly, gone, several, unknown].map((id) => addressIndex.access(id)!.bfe);
  };
  const ofParcels = await told();
  expect(ofParcels).not.toContain(null);
  await pool.query('update address_access set parcel_id = null where id = any($1::uuid[])', [
    doors.map(({ id }) => id),
  ]);
  expect(await told()).toEqual(expected);
});

describe('a publication', () => {
  test('swaps the address index at once and forgets the one before', async () => {
    const directory = newDirectory();
    const loader = loaderIn(directory);
    loader.start();
    await expect.poll(() => loader.current?.copy.version).toBe(1);
    const before = addressIndexOf(loader);
    const unit = bench.shelf.rows('Adresse').find((row) => row['id_lokalId'] === unitId)!;
    const gone = { at: '2026-11-04T00:00:00Z', close: [unit] };
    bench.shelf.change('Adresse', gone);
    await bench.sync();
    loader.nudge();
    await expect.poll(() => loader.current?.copy.version).toBe(2);
    expect(addressIndexOf(loader).unit(unitId)).toBeNull();
    expect(before.unit(unitId)).not.toBeNull();
    await expect.poll(() => indexFilesIn(directory)).toHaveLength(1);
    await loader.stop();
    expect(said).toEqual([]);
  });
});
