import { describe, expect, it } from 'vitest';
import type { AccessRow, IndexRows, UnitRow } from '../../src/registers/addresses/addresses.ts';
import { SnapshotRefused } from '../../src/snapshot/format.ts';
import { openAddressIndex } from '../../src/registers/addresses/index/address-index.ts';
import { buildAddressIndex } from '../../src/registers/addresses/index/build-index.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

const X = 600_000;
const Y = 6_200_000;

function id(kind: number, i: number): string {
  return `${kind}${String(i).padStart(7, '0')}-0000-4000-8000-00000000000${kind}`;
}

/** Addresses on a lattice, so that many are as near as each other; every status among them. */
function manyRows(count: number): IndexRows & { accesses: AccessRow[]; units: UnitRow[] } {
  const random = randomFrom(6);
  const below = (n: number): number => Math.floor(n * random());
  const accesses = Array.from({ length: count }, (_, i): AccessRow => {
    const point = { xUtm32: X + 2 * below(150), yUtm32: Y + 2 * below(150) };
    return {
      ...{ id: id(1, i), status: ([3, 3, 3, 2, 4] as const)[below(5)]!, road: below(3) },
      houseNumber: `${1 + below(40)}${below(3) === 0 ? 'B' : ''}`,
      supplementaryTown: below(4) === 0 ? 'Strandby' : null,
      postcode: below(5) === 0 ? null : below(2),
      designation: below(20) === 0 ? `Eget navn ${i}` : null,
      position: below(10) === 0 ? null : point,
      bfe: below(2) === 0 ? null : 1 + i,
    };
  });
  const units = Array.from({ length: 2 * count }, (_, i): UnitRow => {
    const floor = [null, 'st', '1', '2', '10', 'kl'][below(6)]!;
    const door = [null, 'tv', 'mf', 'th', '4', '12'][below(6)]!;
    const status = below(6) === 0 ? 4 : 3;
    const bfe = below(3) === 0 ? 100_000 + i : null;
    return { id: id(2, i), status, access: below(count), floor, door, designation: null, bfe };
  });
  const roads = ['Ager Allé', 'Åvej', 'Ørnevej'].map((name, i) => ({
    roadId: id(3, i),
    municipalityCode: `010${i}`,
    roadCode: i === 0 ? null : `000${i}`,
    name,
    shortName: i === 1 ? 'Åv' : null,
  }));
  const postcodes = [
    { code: '5000', name: 'Odense C' },
    { code: '5200', name: 'Odense V' },
  ];
  return { postcodes, roads, accesses, units, formerNames: [] };
}

describe('the address index', () => {
  const rows = manyRows(1_000);
  const buffer = buildAddressIndex(7, rows);
  const addressIndex = openAddressIndex(buffer);

  it('says of every address what went in', () => {
    expect([addressIndex.version, addressIndex.accessCount, addressIndex.unitCount]).toEqual([
      7, 1_000, 2_000,
    ]);
    const roads = [...rows.roads];
    const postcodes = [...rows.postcodes];
    for (const row of rows.accesses) {
      const { road, postcode, designation, ...rest } = addressIndex.access(row.id)!;
      const { postcode: _place, designation: _own, ...given } = row;
      expect({ ...given, road: roads[row.road] }).toEqual({ ...rest, road });
      expect(postcode).toEqual(row.postcode === null ? null : postcodes[row.postcode]);
      const town = row.supplementaryTown === null ? '' : `, ${row.supplementaryTown}`;
      const post = postcode === null ? '' : `, ${postcode.code} ${postcode.name}`;
      expect(designation).toBe(row.designation ?? `${road.name} ${row.houseNumber}${town}${post}`);
    }
    for (const row of rows.units) {
      const unit = addressIndex.unit(row.id)!;
      expect(unit.access).toEqual(addressIndex.access(rows.accesses[row.access]!.id));
      expect([unit.floor, unit.door, unit.status]).toEqual([row.floor, row.door, row.status]);
      expect(unit.bfe).toBe(row.bfe ?? unit.access.bfe);
    }
    expect(addressIndex.access(id(9, 1))).toBeNull();
    expect(addressIndex.unit('nothing of the kind')).toBeNull();
  });

  it('answers what is nearest as looking at every address does, ties by the lowest id', () => {
    const random = randomFrom(9);
    const both = openAddressIndex(buffer, { provisional: true });
    for (let i = 0; i < 500; i++) {
      const point = {
        xUtm32: X - 60 + Math.floor(420 * random()),
        yUtm32: Y - 60 + Math.floor(420 * random()),
      };
      const radiusM = [1, 5, 40, 250][i % 4]!;
      for (const [asked, statuses] of [
        [addressIndex, [3]],
        [both, [2, 3]],
      ] as const) {
        const plain = plainNearest(rows.accesses, { point, radiusM, statuses });
        const nearest = asked.nearest(point, radiusM);
        expect(nearest?.address.id ?? null).toBe(plain);
        if (nearest === null) continue;
        const { xUtm32, yUtm32 } = nearest.address.position!;
        const metres = Math.hypot(xUtm32 - point.xUtm32, yUtm32 - point.yUtm32);
        expect(nearest.distanceM).toBeCloseTo(metres, 9);
      }
    }
  });

  it('lists the units of an address by floor and door, without those that are gone', () => {
    const floors = [null, 'st', '1', '2', '10', 'kl'];
    const doors = [null, 'tv', 'mf', 'th', '4', '12'];
    for (const [place, access] of rows.accesses.entries()) {
      const units = addressIndex.unitsOf(access.id);
      const living = rows.units.filter((row) => row.access === place && row.status === 3);
      const order = (unit: { floor: string | null; door: string | null; id: string }): string =>
        `${floors.indexOf(unit.floor)} ${doors.indexOf(unit.door)} ${unit.id}`;
      expect(units.map(order)).toEqual(living.map(order).sort());
      if (place > 300) break;
    }
    expect(addressIndex.unitsOf(id(9, 9))).toEqual([]);
  });

  it('tells of each postcode its municipalities and the box of those in force', () => {
    for (const [place, entry] of addressIndex.postcodes.entries()) {
      const mine = rows.accesses.filter((row) => row.postcode === place && row.status === 3);
      expect(entry.municipalityCodes).toEqual(['0100', '0101', '0102']);
      const xs = mine.flatMap(({ position }) => (position === null ? [] : [position.xUtm32]));
      expect([entry.box![0], entry.box![2]]).toEqual([Math.min(...xs), Math.max(...xs)]);
    }
  });

  it('keeps former names of the addresses it has', () => {
    const former = {
      ...{ kind: 'access' as const, id: id(1, 5), roadName: 'Gamle Ager Allé', houseNumber: '7' },
      ...{ floor: null, door: null, supplementaryTown: null, postcode: '5999' },
      ...{ validFrom: null, validTo: '2010-01-01T00:00:00Z' },
    };
    const gone = { ...former, id: id(1, 9_999_999) };
    const home = { kind: 'unit' as const, id: id(2, 1), houseNumber: '3', floor: '1' };
    const earlier = { ...former, ...home };
    const made = openAddressIndex(
      buildAddressIndex(1, { ...rows, formerNames: [former, gone, earlier] }),
    );
    expect([made.formerAt(0), made.formerAt(1)]).toEqual([earlier, former]);
    expect(made.formerCount).toBe(2);
  });

  it('has nothing to say when it is empty', () => {
    const none = { postcodes: [], roads: [], accesses: [], units: [], formerNames: [] };
    const empty = openAddressIndex(buildAddressIndex(1, none));
    expect(empty.nearest({ xUtm32: X, yUtm32: Y }, 1_000)).toBeNull();
    expect(empty.access(id(1, 1))).toBeNull();
  });

  it('refuses to be built of ids out of order, and to be opened bent', () => {
    const { accesses } = rows;
    const turned = { ...rows, accesses: [accesses[1]!, accesses[0]!], units: [] };
    expect(() => buildAddressIndex(1, turned)).toThrow('do not ascend');
    const bent = buildAddressIndex(1, rows);
    new Uint8Array(bent)[bent.byteLength - 90]! ^= 4;
    expect(() => openAddressIndex(bent)).toThrow(SnapshotRefused);
  });
});

function plainNearest(
  rows: readonly AccessRow[],
  asked: {
    readonly point: { readonly xUtm32: number; readonly yUtm32: number };
    readonly radiusM: number;
    readonly statuses: readonly number[];
  },
): string | null {
  let best: string | null = null;
  let least = asked.radiusM ** 2;
  for (const { id: own, position, status } of rows) {
    if (position === null || !asked.statuses.includes(status)) continue;
    const x = position.xUtm32 - asked.point.xUtm32;
    const y = position.yUtm32 - asked.point.yUtm32;
    const square = x * x + y * y;
    if (square < least || (square === least && best === null)) {
      best = own;
      least = square;
    }
  }
  return best;
}
