/** The property record from its rows: the traps of the register, and null, absent and empty (D50 to D57, D89 to D95). */
import { describe, expect, it } from 'vitest';
import { codeText } from '../../src/layers/code-lists.ts';
import { CodeLabels } from '../../src/answers/codes.ts';
import { propertyRecord } from '../../src/registers/property/record/record.ts';
import type { RecordSurroundings } from '../../src/registers/property/record/record.ts';
import type { UnitAddress } from '../../src/registers/addresses/addresses.ts';
import type { PropertyRows } from '../../src/registers/property/property.ts';
import {
  buildingRow,
  facilityRow,
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

function addressOf(id: string, of: Partial<UnitAddress> & { readonly houseNumber?: string } = {}) {
  const { houseNumber = '1', ...more } = of;
  return {
    id,
    status: 3,
    floor: null,
    door: null,
    designation: `Eksempelvej ${houseNumber}`,
    bfe: null,
    access: {
      id: `${id}-access`,
      status: 3,
      road: {
        roadId: 'r',
        municipalityCode: '9001',
        roadCode: null,
        name: 'Eksempelvej',
        shortName: null,
      },
      houseNumber,
      supplementaryTown: null,
      postcode: { code: '9999', name: 'Opdigtet' },
      designation: `Eksempelvej ${houseNumber}`,
      position: { xUtm32: 600_000, yUtm32: 6_200_000 },
      bfe: null,
    },
    ...more,
  } satisfies UnitAddress;
}

describe('codes', () => {
  it('have their official text without the mark of being phased out', () => {
    expect(codeText('BygAnvendelse', '120')).toBe('Fritliggende enfamiliehus');
    expect(codeText('SupplerendeVarme', '90')).toBe('Bygningen har ingen supplerende varme');
    for (const list of ['YdervaeggenesMateriale', 'Tagdaekningsmateriale'] as const) {
      expect(codeText(list, '3')).toBe('Fibercement herunder asbest');
    }
  });

  it('that no list holds are labelled as unknown and told, never an error', () => {
    const told: string[] = [];
    const labels = new CodeLabels((list) => told.push(list));
    expect(labels.field('Sloejfning', '0')).toEqual({ kode: '0', tekst: 'Ukendt kode' });
    expect(labels.field('BygAnvendelse', 'constructor')).toMatchObject({ tekst: 'Ukendt kode' });
    expect(labels.field('BygAnvendelse', null)).toBeNull();
    expect(told).toEqual(['Sloejfning', 'BygAnvendelse']);
  });
});

describe('buildings', () => {
  it('tell years, storeys and areas as the register has them: 0 and 1000 too', () => {
    const row = buildingRow({ id: 'b1', builtYear: 1000, storeys: 0, businessArea: null });
    const [building] = recordOf({ buildings: [row] }).bygninger;
    expect(building).toMatchObject({
      opfoerelsesaar: 1000,
      om_tilbygningsaar: 0,
      antal_etager: 0,
      areal: { samlet_bygningsareal_m2: 120, samlet_erhvervsareal_m2: null },
      afvigende_etager: null,
      asbest: null,
      fredning: null,
      materialer: { ydervaeg_supplerende: null, tag_supplerende: null },
    });
    expect(building?.afloeb).toMatchObject({ afloebsforhold: null, paabud_frist: null });
  });

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

  const garage = buildingRow({ id: 'b1', number: 1, use: '910', totalArea: 900 });
  const shop = buildingRow({ id: 'b2', number: 2, use: '322', totalArea: 500 });
  const house = buildingRow({ id: 'b3', number: 3, use: '120', totalArea: 90 });
  const larger = buildingRow({ id: 'b4', number: 4, use: '130', totalArea: 100 });
  it.each([
    ['the largest dwelling', [garage, shop, house, larger], 3],
    ['else the largest that is no outbuilding', [garage, shop], 1],
    ['else the first', [garage, { ...garage, id: 'b9', number: 9, totalArea: 1 }], 0],
    ['a dwelling without an area before a larger shop', [shop, { ...house, totalArea: null }], 1],
    ['a holiday house is no dwelling of 110 to 199', [shop, { ...house, use: '510' }], 0],
    ['null without buildings', [], null],
  ])('main building: %s', (_, buildings, expected) => {
    expect(recordOf({ buildings }).hovedbygning_index).toBe(expected);
  });
});

describe('floors', () => {
  const etager = (floors: PropertyRows['floors']) =>
    recordOf({ buildings: [buildingRow({ id: 'b1' })], floors }).bygninger[0]?.etager;

  it('are null where the table is not there, and empty for an ordinary house', () => {
    expect(etager(null)).toBeNull();
    expect(etager([floorRow({ id: 'f1' }), floorRow({ id: 'f2', area: null })])).toEqual({
      registreringer: [],
      kaelder_m2: null,
      kaelder_lavloftet_m2: null,
      udnyttet_tagetage_m2: null,
      beboelse_i_kaelder_m2: null,
    });
  });

  it('are listed where they register something, basements first', () => {
    const told = etager([
      floorRow({ id: 'attic', designation: '01', type: '1', area: 60, atticArea: 40 }),
      floorRow({ id: 'ordinary' }),
      floorRow({ id: 'second', designation: 'k2', area: 20 }),
      floorRow({ id: 'basement', designation: 'kl', area: 50, lowBasementArea: 10 }),
      floorRow({ id: 'newer', designation: 'kl', type: '2', area: 5, basementDwellingArea: 3 }),
      floorRow({ id: 'typeless', designation: null, type: null, area: null, atticArea: null }),
    ]);
    expect(told?.registreringer.map(({ id }) => id)).toEqual([
      'basement',
      'newer',
      'second',
      'attic',
      'typeless',
    ]);
    expect(told).toMatchObject({
      kaelder_m2: 75,
      kaelder_lavloftet_m2: 10,
      udnyttet_tagetage_m2: 40,
      beboelse_i_kaelder_m2: 3,
    });
    expect(told?.registreringer[3]?.type).toEqual({ kode: '1', tekst: 'Tagetage' });
    expect(told?.registreringer[4]?.type).toBeNull();
  });

  it('have no basement area where no basement is listed: null, not 0', () => {
    const told = etager([floorRow({ id: 'attic', designation: '01', type: '1', atticArea: 40 })]);
    expect(told).toMatchObject({ kaelder_m2: null, kaelder_lavloftet_m2: 0 });
  });
});

describe('units', () => {
  const rows = {
    buildings: [buildingRow({ id: 'b1' })],
    floors: [floorRow({ id: 'f1', designation: '01', type: '0' })],
  };

  it('name the floor they are on, listed or not; unresolved is null and no ground floor', () => {
    const units = [
      unitRow({ id: 'u1', floorId: 'f1' }),
      unitRow({ id: 'u2', floorId: 'gone' }),
      unitRow({ id: 'u3' }),
    ];
    const { enheder = [] } = recordOf({ ...rows, units }).bygninger[0] ?? {};
    expect(enheder.map(({ etage }) => etage)).toEqual([
      { betegnelse: '01', type: { kode: '0', tekst: 'Ikke tagetage' } },
      null,
      null,
    ]);
  });

  it('do not take the heating of their building', () => {
    const buildings = [buildingRow({ id: 'b1', heating: '1' })];
    const [building] = recordOf({ buildings, units: [unitRow({ id: 'u1' })] }).bygninger;
    expect(building?.varme.installation?.kode).toBe('1');
    expect(building?.enheder[0]?.varme).toEqual({ installation: null, opvarmningsmiddel: null });
  });

  it('come by address: house number, floor and door, then those without one by id', () => {
    const known = new Map(
      [
        addressOf('a10', { houseNumber: '10' }),
        addressOf('a2-st-tv', { houseNumber: '2', floor: 'st', door: 'tv' }),
        addressOf('a2-1-th', { houseNumber: '2', floor: '1', door: 'th' }),
        addressOf('a2-1-tv', { houseNumber: '2', floor: '1', door: 'tv' }),
      ].map((address) => [address.id, address]),
    );
    const ids = ['none', 'a10', 'a2-1-th', 'a2-st-tv', 'a2-1-tv'];
    const units = ids.map((id) => unitRow({ id, addressId: id }));
    const findAddress = (id: string) => known.get(id) ?? null;
    const [building] = recordOf({ ...rows, units }, { findAddress }).bygninger;
    expect(building?.enheder.map(({ id }) => id)).toEqual([
      'a2-st-tv',
      'a2-1-tv',
      'a2-1-th',
      'a10',
      'none',
    ]);
    expect(building?.enheder[0]?.adresse).toEqual({
      id: 'a2-st-tv',
      betegnelse: 'Eksempelvej 2',
      vejnavn: 'Eksempelvej',
      husnr: '2',
      etage: 'st',
      doer: 'tv',
      postnr: '9999',
      postnrnavn: 'Opdigtet',
      kommunekode: '9001',
      koordinat: expect.anything() as unknown,
    });
  });

  it('say of their address that the index is away, that it is unknown, or that it is of today', () => {
    const units = [unitRow({ id: 'u1', addressId: 'a1' })];
    const adresse = (around: Partial<RecordSurroundings>) =>
      recordOf({ ...rows, units }, around).bygninger[0]?.enheder[0]?.adresse;
    const away = adresse({ findAddress: null });
    expect(away).toEqual({ id: 'a1', betegnelse: null, _error: expect.any(String) as unknown });
    expect(adresse({})).toEqual({
      id: 'a1',
      betegnelse: null,
      _note: expect.any(String) as unknown,
    });
    const findAddress = (id: string) => addressOf(id);
    expect(adresse({ findAddress })).not.toHaveProperty('_note');
    expect(adresse({ findAddress, asOf: '2020-01-01T00:00:00Z' })).toHaveProperty('_note');
  });
});

describe('technical facilities', () => {
  const shown = (of: Parameters<typeof facilityRow>[0]) =>
    recordOf({ facilities: [facilityRow(of)] }).tekniske_anlaeg?.[0];

  it('are absent, null or empty, and these are three things', () => {
    expect(recordOf({ facilities: undefined })).not.toHaveProperty('tekniske_anlaeg');
    expect(recordOf({ facilities: null }).tekniske_anlaeg).toBeNull();
    expect(recordOf({ facilities: [] }).tekniske_anlaeg).toEqual([]);
  });

  it('have no tank where every number is 0 and every code empty or 0', () => {
    expect(shown({ id: 't' })?.tank).toBeNull();
    expect(shown({ id: 't', placement: '0', decommissioning: '0' })?.tank).toBeNull();
  });

  it.each([
    [{ placement: '1' }, { placering: { kode: '1', tekst: 'Nedgravet' } }],
    [{ size: 2500 }, { stoerrelse: 2500, rumfang: null, sloejfningsaar: null }],
    [{ madeYear: 1975 }, { fabrikationsaar: 1975, stoerrelse: 0 }],
    [{ decommissioningDue: '2048-12-31' }, { sloejfningsfrist: '2048-12-31' }],
    [{ decommissioning: '77', size: 1 }, { sloejfning: { kode: '77', tekst: 'Ukendt kode' } }],
  ])('have a tank by one real field: %o', (of, tank) => {
    expect(shown({ id: 't', ...of })?.tank).toMatchObject(tank);
  });

  it('tell 0 as not registered, and one out of use as any other', () => {
    expect(shown({ id: 't', operation: '2', x: 600_000.256, y: 6_200_000 })).toMatchObject({
      etableringsaar: null,
      ombygningsaar: null,
      areal_m2: null,
      hoejde_m: null,
      rotordiameter_m: null,
      driftstatus: { kode: '2', tekst: 'Ikke i drift' },
      punkt: [600_000.26, 6_200_000],
    });
    expect(shown({ id: 't', height: 30 })).toMatchObject({ hoejde_m: 30, punkt: null });
  });

  it('are listed by class, number and id', () => {
    const rows = [
      facilityRow({ id: 'd', class: '1230' }),
      facilityRow({ id: 'c', number: 2 }),
      facilityRow({ id: 'b' }),
      facilityRow({ id: 'a' }),
    ];
    const { tekniske_anlaeg } = recordOf({ facilities: rows });
    expect(tekniske_anlaeg?.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('ground and municipality', () => {
  it('is the ground with most buildings, then the lowest id', () => {
    const grounds = [
      groundRow({ id: 'g3' }),
      groundRow({ id: 'g2', municipalityCode: '9003', drainage: '10', dischargePermit: '3' }),
      groundRow({ id: 'g1' }),
    ];
    const buildings = [
      buildingRow({ id: 'b1', groundId: 'g2' }),
      buildingRow({ id: 'b2', groundId: 'g3' }),
      buildingRow({ id: 'b3', groundId: 'g2' }),
    ];
    const record = recordOf({ grounds, buildings });
    expect(record).toMatchObject({ grund_id: 'g2', kommunekode: '9003' });
    expect(record.grund_afloeb?.afloebsforhold?.tekst).toBe('Afløb til offentligt kloaksystem');
    expect(record.grund_afloeb?.udledningstilladelse?.kode).toBe('3');
    expect(recordOf({ grounds }).grund_id).toBe('g1');
  });

  it('of a building on somebody else’s ground is context, its drainage not told', () => {
    const buildings = [buildingRow({ id: 'b1' })];
    const record = recordOf({ kind: 'foreign-building', buildings });
    expect(record.grund_id).toBe('g1');
    expect(record).not.toHaveProperty('grund_afloeb');
    expect(recordOf({ kind: 'flat', buildings })).toHaveProperty('grund_afloeb');
    expect(recordOf({ grounds: [] })).not.toHaveProperty('grund_afloeb');
  });

  it('takes the municipality of the property where no ground tells one', () => {
    expect(recordOf({ grounds: [] })).toMatchObject({
      grund_id: null,
      kommunekode: '9002',
      dagi: { kommune: { kode: '9002' }, region: null },
    });
    expect(recordOf({ grounds: [], municipalityCode: null })).toMatchObject({
      kommunekode: null,
      dagi: { kommune: null, region: null },
    });
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

  it('are nulls while the cadastre is away, one for each relation; empty only where there is none', () => {
    const nothing = { matrikelnummer: null, ejerlav_kode: null, ejerlav_navn: null };
    const away = recordOf({ groundParcels: relate(1, 2, null), parcels: null });
    expect(away.jordstykker).toEqual([nothing, nothing, nothing]);
    expect(away.jordstykke).toEqual(nothing);
    const none = recordOf({ parcels: known });
    expect(none).toMatchObject({ jordstykker: [], jordstykke: nothing });
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

  it('are the cadastre’s own where BBR does not know the number', () => {
    const rows = { kind: null, municipalityCode: null, grounds: [], ownParcels: [p(2, '2b')] };
    expect(recordOf(rows)).toMatchObject({
      grund_id: null,
      kommunekode: '9001',
      antal_bygninger: 0,
      hovedbygning_index: null,
      bygninger: [],
      jordstykker: [{ matrikelnummer: '2b' }],
    });
  });
});

it('says of which instant it is only where one was asked for', () => {
  expect(recordOf({}).meta).not.toHaveProperty('as_of');
  expect(recordOf({}, { asOf: '2020-01-01T00:00:00Z' }).meta.as_of).toBe('2020-01-01T00:00:00Z');
});
