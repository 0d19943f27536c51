/** The property record from its rows: the traps of the register, and null, absent and empty (D50 to D57, D89 to D95). */
import { describe, expect, it } from 'vitest';
import { CodeLabels } from '../../src/answers/codes.ts';
import { propertyRecord } from '../../src/registers/property/record/record.ts';
import type { RecordSurroundings } from '../../src/registers/property/record/record.ts';
import { finderOver, smallIndex } from '../addresses/small-index.ts';
import type { PropertyRows } from '../../src/registers/property/property.ts';
import {
  buildingRow,
  floorRow,
  groundRow,
  parcelRow,
  propertyRows,
  unitRow,
} from '../support/property-rows.ts';

function recordOf(rows: Partial<PropertyRows>, around: Partial<RecordSurroundings> = {}) {
  return propertyRecord(propertyRows(rows), {
    labels: new CodeLabels(() => undefined),
    findAddress: () => null,
    findMunicipality: (kode) => ({ kommune: { kode, navn: 'Opdigtet' }, region: null }),
    source: 'BBR',
    asOf: null,
    ...around,
  });
}

/** Of each of two houses: ground floor, and two doors on the first. */
const ADDRESSES = smallIndex([
  { road: 'Eksempelvej', place: '9999 Opdigtet', numbers: '2 10', units: 'st.tv 1.th 1.tv' },
]);
const { addressIndex } = finderOver(ADDRESSES);
const findAddress = (id: string) => addressIndex.unit(id);
const [GROUND = '', RIGHT = '', LEFT = '', OF_TEN = ''] = Array.from(
  ADDRESSES.units,
  ({ id }) => id,
);

it('codes that no list holds are labelled as unknown and told, never an error', () => {
  const told: string[] = [];
  const labels = new CodeLabels((list) => told.push(list));
  expect(labels.field('Sloejfning', '0')).toEqual({ kode: '0', tekst: 'Ukendt kode' });
  expect(labels.field('BygAnvendelse', 'constructor')).toMatchObject({ tekst: 'Ukendt kode' });
  expect(labels.field('BygAnvendelse', null)).toBeNull();
  expect(told).toEqual(['Sloejfning', 'BygAnvendelse']);
});

describe('buildings', () => {
  it('have no geometry without a point, nor with one in another system', () => {
    const rows = [
      buildingRow({ id: 'b1', number: 1 }),
      buildingRow({ id: 'b2', number: 2, x: null, y: null }),
      buildingRow({ id: 'b3', number: 3, coordinateSystem: '0' }),
      buildingRow({ id: 'b4', number: 4, coordinateSystem: null }),
    ];
    const places = recordOf({ buildings: rows }).bygninger.map(({ geometri }) => geometri);
    expect(places[0]?.epsg25832).toEqual([600_000.13, 6_200_000.5]);
    for (const degrees of places[0]?.coordinates ?? []) {
      expect(String(degrees)).toMatch(/^\d+\.\d{1,7}$/);
    }
    expect(places.map((place) => place === null)).toEqual([false, true, true, false]);
  });

  it('are listed by number, then id, those without a number last', () => {
    const rows = [
      buildingRow({ id: 'd', number: null }),
      buildingRow({ id: 'c', number: 2 }),
      buildingRow({ id: 'b', number: 10 }),
      buildingRow({ id: 'a', number: 2 }),
    ];
    const { bygninger, antal_bygninger } = recordOf({ buildings: rows });
    expect(bygninger.map(({ id }) => id)).toEqual(['a', 'c', 'b', 'd']);
    expect(antal_bygninger).toBe(4);
  });
});

it('floors are listed unless they are ordinary, basements of the newest list whatever they are called', () => {
  const floors = [
    floorRow({ id: 'f1', designation: '01', type: '2', area: 20 }),
    floorRow({ id: 'f2', designation: null, type: null, area: null }),
  ];
  const [building] = recordOf({ buildings: [buildingRow({ id: 'b1' })], floors }).bygninger;
  expect(building?.etager).toMatchObject({ registreringer: floors.map(({ id }) => ({ id })) });
  expect(building?.etager?.kaelder_m2).toBe(20);
});

describe('units', () => {
  const rows = {
    buildings: [buildingRow({ id: 'b1' })],
    floors: [floorRow({ id: 'f1', designation: '01', type: '0' })],
  };

  it('come by address: house number, floor and door, then those without one by id', () => {
    const ids = { none: 'none', 'of ten': OF_TEN, right: RIGHT, ground: GROUND, left: LEFT };
    const units = Object.entries(ids).map(([id, addressId]) => unitRow({ id, addressId }));
    const [building] = recordOf({ ...rows, units }, { findAddress }).bygninger;
    const order = building?.enheder.map(({ id }) => id);
    expect(order).toEqual(['ground', 'left', 'right', 'of ten', 'none']);
    expect(building?.enheder[0]?.adresse).toEqual({
      id: GROUND,
      betegnelse: 'Eksempelvej 2, st. tv, 9999 Opdigtet',
      vejnavn: 'Eksempelvej',
      husnr: '2',
      etage: 'st',
      doer: 'tv',
      postnr: '9999',
      postnrnavn: 'Opdigtet',
      kommunekode: '0101',
      koordinat: expect.anything() as unknown,
    });
  });

  it('say of their address that the index is away, that it is unknown, or that it is of today', () => {
    const units = [unitRow({ id: 'u1', addressId: GROUND })];
    const adresse = (around: Partial<RecordSurroundings>) =>
      recordOf({ ...rows, units }, around).bygninger[0]?.enheder[0]?.adresse;
    const away = adresse({ findAddress: null });
    expect(away).toEqual({ id: GROUND, betegnelse: null, _error: expect.any(String) as unknown });
    const unknown = { id: GROUND, betegnelse: null, _note: expect.any(String) as unknown };
    expect(adresse({})).toEqual(unknown);
    expect(adresse({ findAddress })).not.toHaveProperty('_note');
    expect(adresse({ findAddress, asOf: '2020-01-01T00:00:00Z' })).toHaveProperty('_note');
  });
});

describe('parcels', () => {
  const p = (id: number, number: string, area = 100) => parcelRow({ id, number, area });
  const known = new Map([p(1, '10a'), p(2, '2b', 900), p(3, '2ø')].map((row) => [row.id, row]));
  const relate = (...ids: readonly (number | null)[]) =>
    ids.map((parcelId) => ({ groundId: 'g1', parcelId }));

  it('come by district and number as people count; the main one is that of the main building', () => {
    const groundParcels = relate(1, 2, 3, 2);
    const buildings = [buildingRow({ id: 'b1', parcelId: 3 })];
    const record = recordOf({ groundParcels, parcels: known, buildings });
    expect(record.jordstykker.map(({ matrikelnummer }) => matrikelnummer)).toEqual([
      '2b',
      '2ø',
      '10a',
    ]);
    expect(record.jordstykke.matrikelnummer).toBe('2ø');
  });

  it('have the largest as main one where no building tells', () => {
    expect(recordOf({ groundParcels: relate(1, 2), parcels: known }).jordstykke).toEqual({
      matrikelnummer: '2b',
      ejerlav_kode: 9_999_901,
      ejerlav_navn: 'Opdigtet By, Eksempelø',
    });
  });

  it('are those of every ground that it stands on, of a building and of a flat too', () => {
    const rows = {
      grounds: [groundRow({ id: 'g1' }), groundRow({ id: 'g2' })],
      buildings: [buildingRow({ id: 'b1', groundId: 'g1' })],
      groundParcels: [...relate(1), { groundId: 'g2', parcelId: 2 }],
      parcels: known,
    };
    for (const kind of ['ground', 'foreign-building', 'flat'] as const) {
      expect(recordOf({ ...rows, kind })).toMatchObject({
        grund_id: 'g1',
        jordstykker: [2, 1].map((n) => ({ matrikelnummer: known.get(n)?.number })),
      });
    }
  });
});

it('says of which instant it is only where one was asked for', () => {
  expect(recordOf({}).meta).not.toHaveProperty('as_of');
  expect(recordOf({}, { asOf: '2020-01-01T00:00:00Z' }).meta.as_of).toBe('2020-01-01T00:00:00Z');
});
