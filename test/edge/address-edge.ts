/** A handful of addresses for tests of the edge, so that errors and bills can be looked at one by one. */
import type { AccessRow, FormerName, IndexRows } from '../../src/registers/addresses/addresses.ts';
import { createAddresses } from '../../src/registers/addresses/lookup.ts';
import type { Addresses, AddressesDeps } from '../../src/registers/addresses/lookup.ts';
import type { AddressesInMemory } from '../../src/registers/addresses/copy.ts';
import { ADDRESS_REGISTER } from '../../src/registers/addresses/mirror.ts';
import { buildAddressIndex } from '../../src/registers/addresses/index/build-index.ts';
import { createAddressFinder } from '../../src/registers/addresses/index/finder.ts';
import { openAddressIndex } from '../../src/registers/addresses/index/address-index.ts';
import type { MunicipalitiesRead } from '../../src/registers/areas/municipalities.ts';
import { GENERATION, atGeneration } from './edge.ts';

export const X = 650_000;
export const Y = 6_300_000;

/** `…0001` is an access address, `…1001` a unit of it. */
export function idOf(n: number): string {
  return `0a3f507a-0000-32b8-e044-${String(n).padStart(12, '0')}`;
}

const UNIT = { status: 3, access: 0, designation: null } as const;
const ROAD = { roadId: idOf(9001), municipalityCode: '0999', roadCode: '0010', shortName: null };

const FORMER: FormerName = {
  kind: 'unit',
  id: idOf(1001),
  roadName: 'Gammel Ågade',
  houseNumber: '1',
  floor: 'st',
  door: 'tv',
  supplementaryTown: null,
  postcode: '9990',
  validFrom: '1998-03-01T00:00:00.000Z',
  validTo: '2011-06-30T22:00:00.000Z',
};

const ROWS: IndexRows = {
  postcodes: [
    { code: '9990', name: 'Prøveby' },
    { code: '9991', name: 'Æblehavn' },
  ],
  roads: [
    { ...ROAD, name: 'Ågade' },
    { ...ROAD, roadId: idOf(9002), municipalityCode: '0998', name: 'Østre "Allé"' },
  ],
  accesses: [
    access(1, { xUtm32: X, yUtm32: Y }, { bfe: 5_000_001 }),
    // Two doors at one place: the lower id answers (D47).
    access(2, { xUtm32: X + 100, yUtm32: Y }, { houseNumber: '3' }),
    access(3, { xUtm32: X + 100, yUtm32: Y }, { houseNumber: '3A' }),
    access(4, { xUtm32: X + 50, yUtm32: Y }, { status: 4, houseNumber: '2' }),
    access(5, null, { houseNumber: '7', postcode: null }),
    access(6, { xUtm32: X, yUtm32: Y + 5_000 }, { road: 1, postcode: 1, supplementaryTown: 'Næs' }),
  ],
  units: [
    { ...UNIT, id: idOf(1001), floor: 'st', door: 'tv', bfe: null },
    { ...UNIT, id: idOf(1002), floor: '1', door: null, bfe: 7_000_002 },
  ],
  formerNames: [FORMER],
  towns: [
    {
      ...{ name: 'Næs', status: 3, dagiId: '690001', municipalityCode: '0998' },
      postcodes: [{ code: '9991', name: 'Æblehavn' }],
    },
    { name: 'Ny Næs', status: 2, dagiId: '690002', municipalityCode: null, postcodes: [] },
    {
      ...{ name: 'Næs', status: 3, dagiId: '700003', municipalityCode: '0999' },
      postcodes: [{ code: '9990', name: 'Prøveby' }],
    },
  ],
};

function access(
  n: number,
  position: AccessRow['position'],
  more: Partial<AccessRow> = {},
): AccessRow {
  return {
    id: idOf(n),
    status: 3,
    road: 0,
    houseNumber: '1',
    supplementaryTown: null,
    postcode: 0,
    designation: null,
    position,
    bfe: null,
    ...more,
  };
}

export const SYNCED_AT_MS = 1_700_000_000_000;

export const MUNICIPALITIES: MunicipalitiesRead = {
  ...{ generation: GENERATION, by: 'store' },
  copy: { version: 1, syncedAtMs: SYNCED_AT_MS, held: false },
  byCode: new Map([['0999', { kommune: { kode: '0999', navn: 'Prøveholm' }, region: null }]]),
};

const finder = createAddressFinder(openAddressIndex(buildAddressIndex(1, ROWS)));

export function toldAddresses(
  {
    ageS = 60,
    memory,
    lacksJoined = false,
  }: {
    readonly ageS?: number;
    readonly memory?: AddressesInMemory | null;
    readonly lacksJoined?: boolean;
  } = {},
  changes: Partial<AddressesDeps> = {},
): Addresses {
  const copy = { version: 1, syncedAtMs: SYNCED_AT_MS, held: false, lacksJoined };
  const held = { finder, generation: GENERATION, copy };
  return createAddresses({
    clock: { nowMs: () => SYNCED_AT_MS + 1000 * ageS },
    register: { ...ADDRESS_REGISTER, freshness: { limitS: 2 * 86_400, hardLimitS: 30 * 86_400 } },
    memory: () => (memory === undefined ? held : memory),
    readNearest: () => Promise.reject(new Error('The store is away.')),
    readDetails: () => Promise.reject(new Error('The store is away.')),
    areas: {
      at: (points) =>
        atGeneration(
          points.map((point) => ({
            point,
            areas: [{ theme: 'kommune' as const, name: 'Prøveholm "Kommune"', code: '0999' }],
            provenance: [{ rung: 'snapshot' as const, ageS: 90 }],
          })),
        ),
    },
    districts: { current: () => Promise.resolve(null) },
    municipalities: () => ({ read: () => Promise.resolve(MUNICIPALITIES) }),
    municipalityFreshness: { limitS: 2 * 86_400, hardLimitS: 30 * 86_400 },
    ...changes,
  });
}
