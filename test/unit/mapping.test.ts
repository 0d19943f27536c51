import { describe, expect, test } from 'vitest';
import { AREA_LAYERS } from '../../src/registers/areas/mirror.ts';
import type { MappingId } from '../../src/layers/catalogue.ts';
import type { AreaAttributes, LineAttributes, Mapped } from '../../src/layers/feature.ts';
import { ONLY_IN_FORCE } from '../../src/layers/mappings/columns.ts';
import { mappingOf } from '../../src/layers/mappings/index.ts';
import { instantOf } from '../../src/layers/mappings/times.ts';

type Row = Record<string, unknown>;

const KEYS: Partial<Record<MappingId, string>> = {
  cadastre: 'id.lokalId',
  heritage: 'beskyttelse_areal_lbnr',
};

function map(id: MappingId, row: Row, dagiScale: string | null = '1:10.000'): Mapped<never> {
  const isTheme = id in AREA_LAYERS;
  const keyProperty = KEYS[id] ?? (isTheme ? 'id.lokalId' : 'Objekt_id');
  return mappingOf(id, { keyProperty, dagiScale })(row) as Mapped<never>;
}
function feature(id: MappingId, row: Row, dagiScale?: string | null) {
  const mapped = map(id, row, dagiScale);
  if (mapped.kind !== 'feature') throw new Error(JSON.stringify(mapped));
  return mapped;
}
const line = (id: MappingId, row: Row): LineAttributes => feature(id, row).attributes;
const area = (id: MappingId, row: Row): AreaAttributes => feature(id, row).attributes;

/** A row of § 3 nature as Miljøportalen publishes it, shapefile spelling. */
const NATURE: Row = {
  Temakode: '2013',
  Objekt_id: 'b4a8216b-5351-11e2-befd-00155d01e765',
  Version_id: '0004b6c3-9a7d-4192-80ab-4088ba6f7ad0',
  Systid_fra: '2021/05/16 20:12:11.283',
  Systid_til: null,
  Oprettet: '2006/12/31 01:00:00.000',
  Statuskode: '3',
  Status: 'Gældende / Vedtaget',
  Off_kode: '1',
  CVR_kode: '29188386',
  CVR_navn: 'Egedal kommune',
  Bruger_id: 'fa82377c-personal',
  Sagsbeh: 'ABC-initials',
  Link: null,
  Natyp_kode: '6',
  Natyp_navn: 'Sø',
  Vedligehol: 'Ok - gennemgået',
};

describe('the portal layers', () => {
  test('read a real row', () => {
    expect(feature('portal-natur', NATURE)).toEqual({
      kind: 'feature',
      key: 'b4a8216b-5351-11e2-befd-00155d01e765',
      objectId: 'b4a8216b-5351-11e2-befd-00155d01e765',
      standing: 'in_force',
      adopted: true,
      attributes: {
        ...ONLY_IN_FORCE,
        ...{ statusCode: '3', statusName: 'Gældende / Vedtaget', natureType: 'Sø' },
        ...{ validFrom: '2021-05-16T18:12:11.283Z', registeredAt: '2006-12-31T00:00:00.000Z' },
        ...{ municipalityName: 'Egedal kommune', municipalityCvr: '29188386' },
      },
    });
  });

  test.each([
    ...[3, '3', '3.0', 3.0, ' 3 ', '3.', '3,0'].map((code) => [code, true] as const),
    ...[0, 1, '2.0'].map((code) => [code, false] as const),
    ...[undefined, null, ''].map((none) => [none, false] as const),
  ])('take Statuskode %j as in force, adopted: %s', (Statuskode, adopted) => {
    expect(feature('portal', { ...NATURE, Statuskode })).toMatchObject({
      standing: 'in_force',
      adopted,
    });
  });

  test('give the code as integer text and the register’s own name for it', () => {
    const row = { ...NATURE, Statuskode: '2.0', Status: undefined };
    expect(line('portal', row)).toMatchObject({ statusCode: '2', statusName: 'Forslag' });
  });

  test('report a row without a key, or of unreadable audience, instead of guessing', () => {
    expect(map('portal', { ...NATURE, Objekt_id: null })).toMatchObject({
      kind: 'issue',
      key: null,
    });
    expect(map('portal', { ...NATURE, Off_kode: 'alle' })).toMatchObject({
      kind: 'issue',
      key: NATURE['Objekt_id'],
    });
    expect(map('portal', { ...NATURE, Off_kode: undefined }).kind).toBe('feature');
  });

  test('find columns in any case, and prefer the spelling that holds a value', () => {
    const lower = Object.fromEntries(Object.entries(NATURE).map(([k, v]) => [k.toLowerCase(), v]));
    expect(feature('portal-natur', lower)).toEqual(feature('portal-natur', NATURE));
    expect(feature('portal', { STATUSKODE: null, ...NATURE }).adopted).toBe(true);
    expect(feature('portal', { ...NATURE, statuskode: '' }).adopted).toBe(true);
  });

  test.each([
    [29188386, '29188386'],
    ['25798376.0', '25798376'],
    ['1234567', '01234567'],
    [null, null],
    ['ukendt', null],
    [0, null],
    [123456789, null],
  ])('write the CVR number %j as %j', (CVR_kode, expected) => {
    expect(line('portal', { ...NATURE, CVR_kode }).municipalityCvr).toBe(expected);
  });

  test.each([
    ['https://www2.blst.dk/nfr/07757.00.pdf', 'https://www2.blst.dk/nfr/07757.00.pdf'],
    ['http://a.dk/x y', 'http://a.dk/x y'],
    ['javascript:alert(1)', null],
    ['ftp://a.dk/x', null],
    ['sag 12', null],
    ['', null],
  ])('let the link %j through as %j', (Link, expected) => {
    expect(line('portal', { ...NATURE, Link }).documentUrl).toBe(expected);
  });

  test('never carry the user or the case worker on', () => {
    for (const id of ['portal', 'portal-skov', 'portal-natur', 'portal-dige'] as const) {
      expect(JSON.stringify(map(id, NATURE))).not.toMatch(/personal|initials/);
    }
  });

  test.each([
    [{ Skov_eje_k: '1.0' }, 'Privat'],
    [{ Skov_eje_k: 2, Skov_eje_n: 'Offentlig' }, 'Offentlig'],
    [{ Skov_eje_k: 0, Skov_eje_n: 'Ikke udfyldt' }, null],
    [{ Skov_eje_k: 0 }, null],
    [{}, null],
  ])('read the owner of a forest from %j as %j', (change, expected) => {
    expect(line('portal-skov', { ...NATURE, ...change }).category).toBe(expected);
    expect(line('portal', { ...NATURE, ...change }).category).toBeNull();
  });

  test('read the nature type from its code when the name is missing', () => {
    const row = { ...NATURE, Natyp_navn: null, Natyp_kode: '3.0' };
    expect(line('portal-natur', row).natureType).toBe('Mose');
    expect(line('portal', NATURE).natureType).toBeNull();
  });

  test.each([
    [{ Beskyt_kode: '1' }, 'Stendige'],
    [{ Beskyt_kode: '1;4' }, 'Stendige, På 4 cm-kort'],
    [{ beskyt_kode: '{1,4,4}' }, 'Stendige, På 4 cm-kort'],
    [{ Beskyt_kode: [1, '2.0'] }, 'Stendige, På §3 naturtype'],
    [{ Beskyt_kode: 6.0 }, 'Erstatningsdige'],
    [{ Beskyttelsesårsag: 'Konkret udpeget' }, 'Konkret udpeget'],
    [{ Beskyt_navn: 'Stendige|Konkret udpeget', Beskyt_kode: '1|5' }, 'Stendige, Konkret udpeget'],
    [{ Beskyt_kode: null }, null],
    [{}, null],
  ])('read the reasons of a dyke from %j as %j', (change, expected) => {
    const attributes = line('portal-dige', { ...NATURE, ...change });
    expect(attributes.protectionReason).toBe(expected);
  });

  test('read the type of a dyke, also under its ten letters', () => {
    for (const column of ['Digetypebeskrivelse', 'digetypebeskrivelse', 'Digetypebe']) {
      const row = { ...NATURE, [column]: 'Jorddige med sten' };
      expect(line('portal-dige', row).dykeType).toBe('Jorddige med sten');
    }
  });
});

describe('times', () => {
  test.each([
    ['2024-03-14T14:26:58.966', '2024-03-14T13:26:58.966Z'],
    ['2024/07/14 14:26:58.966', '2024-07-14T12:26:58.966Z'],
    ['2018-06-04T00:14:58.562Z', '2018-06-04T00:14:58.562Z'],
    ['2018-01-22T00:00:00.000+01:00', '2018-01-21T23:00:00.000Z'],
    ['2018-01-22T00:00:00-0230', '2018-01-22T02:30:00.000Z'],
    ['2012-09-17', '2012-09-16T22:00:00.000Z'],
    ['2012-09-17T08:05', '2012-09-17T06:05:00.000Z'],
    ['2021-05-16T20:12:11.2831234', '2021-05-16T18:12:11.283Z'],
    // The night summer begins, either side of 2 o'clock, and the hour that never was.
    ['2024-03-31T01:59:59', '2024-03-31T00:59:59.000Z'],
    ['2024-03-31T03:00:00', '2024-03-31T01:00:00.000Z'],
    ['2024-03-31T02:30:00', '2024-03-31T01:30:00.000Z'],
    // The night it ends: the hour that was twice is taken the first time.
    ['2024-10-27T01:59:59', '2024-10-26T23:59:59.000Z'],
    ['2024-10-27T02:30:00', '2024-10-27T00:30:00.000Z'],
    ['2024-10-27T03:00:00', '2024-10-27T02:00:00.000Z'],
    // Denmark had no summer time in 1975 and another rule in 1985.
    ['1975-07-01T12:00:00', '1975-07-01T11:00:00.000Z'],
    ['1985-10-01T12:00:00', '1985-10-01T11:00:00.000Z'],
  ])('read %s as %s', (text, expected) => {
    expect(instantOf(text)).toBe(expected);
  });

  // standing-columns.test.ts has every spelling of no time.
  test.each([null, '', '1800/01/01 04:00:00.000', 'ukendt', '2024-06-31'])('%j as none', (text) => {
    expect(instantOf(text)).toBeNull();
  });
});

describe('the cadastre', () => {
  const PIECE: Row = {
    'id.namespace': 'http://data.gov.dk/Matriklen/JordstykkeTemaflade',
    'id.lokalId': '263574_23',
    registreringFra: '2018-06-04T00:14:58.562Z',
    virkningFra: '2000-11-08T23:00:00.000Z',
    temaFladeID: 23.0,
  };

  test('gives every piece as in force and adopted, without a status code', () => {
    expect(feature('cadastre', PIECE)).toMatchObject({
      key: '263574_23',
      objectId: '263574_23',
      standing: 'in_force',
      adopted: true,
      attributes: {
        statusCode: null,
        statusName: 'Gældende',
        validFrom: '2000-11-08T23:00:00.000Z',
        registeredAt: '2018-06-04T00:14:58.562Z',
        municipalityCvr: null,
      },
    });
  });

  test('takes another key where the operator names one, and keeps the object id', () => {
    const mapping = mappingOf('cadastre', { keyProperty: 'fid', dagiScale: null });
    expect(mapping({ ...PIECE, fid: '7' })).toMatchObject({ key: '7', objectId: '263574_23' });
    expect(mapping(PIECE)).toMatchObject({ kind: 'issue', reason: 'no fid' });
  });

  test('finds dots spelled as underscores and names cut to ten letters', () => {
    const row = { id_lokalId: '1_2', registreri: '2024/10/29 12:40:02.159' };
    expect(feature('cadastre', row)).toMatchObject({
      key: '1_2',
      attributes: { registeredAt: '2024-10-29T11:40:02.159Z' },
    });
  });
});

describe('the heritage zones', () => {
  const ZONE: Row = {
    beskyttelse_areal_lbnr: 70638,
    systemnr: 96116,
    anlaegstyp: 'Rundhøj',
    datering: 'Oldtid',
    url: 'http://www.kulturarv.dk/fundogfortidsminder/Lokalitet/96116',
  };

  test('show the locality and keep the zone as key', () => {
    expect(feature('heritage', ZONE)).toMatchObject({
      key: '70638',
      objectId: '96116',
      standing: 'in_force',
      adopted: true,
      attributes: {
        statusCode: null,
        statusName: 'Gældende',
        monumentType: 'Rundhøj',
        dating: 'Oldtid',
        protectionStatus: null,
        documentUrl: ZONE['url'],
        validFrom: null,
        registeredAt: null,
      },
    });
  });

  test('build the address of the page from the locality when none is given', () => {
    const row = { ...ZONE, systemnr: '96116.0', url: null };
    const { objectId, attributes } = feature('heritage', row);
    expect(objectId).toBe('96116');
    expect((attributes as LineAttributes).documentUrl).toBe(
      'https://www.kulturarv.dk/fundogfortidsminder/Lokalitet/96116',
    );
    expect(line('heritage', { ...ZONE, url: 'javascript:x', systemnr: 'a/b' }).documentUrl).toBe(
      null,
    );
  });

  test('pass the protection status on', () => {
    const row = { ...ZONE, fred_status: 'Fredet' };
    expect(line('heritage', row)).toMatchObject({
      protectionStatus: 'Fredet',
      statusName: 'Fredet',
    });
  });
});

describe('the DAGI themes', () => {
  const AREA: Row = {
    'id.namespace': 'http://data.gov.dk/dagi',
    'id.lokalId': '389099',
    navn: 'Fanø',
    skala: '1:10.000',
  };

  test.each([
    ['region', { regionskode: '1084' }, '1084', '1084'],
    ['kommune', { kommunekode: 563, regionskode: 1083, LAU1vaerdi: 1 }, '0563', '1083'],
    ['kommune', { kommunekode: '0563' }, '0563', null],
    ['sogn', { sognekode: '7002.0' }, '7002', null],
    ['retskreds', { myndighedskode: 1113, retskredsnummer: 19 }, '1113', null],
    ['politikreds', { myndighedskode: 1471, politikredsnummer: 12 }, '1471', null],
    ['opstillingskreds', { opstillingskredsnummer: 3 }, '0003', null],
  ] as const)('read %s %j', (theme, codes, code, regionCode) => {
    expect(feature(theme, { ...AREA, ...codes })).toMatchObject({
      key: '389099',
      objectId: code,
      adopted: true,
    });
    expect(area(theme, { ...AREA, ...codes })).toEqual({ code, name: 'Fanø', regionCode });
  });

  test.each([[0], [-5], [10000], ['12a'], [null], [undefined], [1.5], ['']])(
    'report the code %j',
    (kommunekode) => {
      expect(map('kommune', { ...AREA, kommunekode })).toMatchObject({
        kind: 'issue',
        key: '389099',
      });
    },
  );

  test('report an area without a name or a key', () => {
    const row = { ...AREA, kommunekode: 1 };
    expect(map('kommune', { ...row, navn: ' ' })).toMatchObject({ kind: 'issue' });
    expect(map('kommune', { ...row, 'id.lokalId': null })).toMatchObject({ kind: 'issue' });
  });

  test.each([
    [{ skala: '1:2.000.000' }, '1:10.000', 'skipped'],
    [{ skala: '1:2.000.000' }, '1:2.000.000', 'feature'],
    [{ skala: '1:2 000 000' }, '1:2.000.000', 'feature'],
    [{ skala: '1:2.000.000' }, null, 'feature'],
    [{ skala: '1:10.000' }, '1:2.000.000', 'skipped'],
    [{ skala: null, 'id.namespace': 'http://data.gov.dk/dagi2000k' }, '1:10.000', 'skipped'],
    [{ skala: null, 'id.namespace': 'http://data.gov.dk/dagi0250k' }, '1:250.000', 'feature'],
    [{ skala: null, 'id.namespace': 'http://data.gov.dk/dagi' }, '1:10.000', 'feature'],
    [{ skala: null, 'id.namespace': null }, '1:10.000', 'feature'],
    [{ skala: 'ukendt' }, '1:10.000', 'feature'],
    [{ skala: '1:10.000,0' }, '1:10.000', 'feature'],
    [{ skala: '1:10.000.00' }, '1:10.000', 'feature'],
    [{ skala: '1:10' }, '1:10.000', 'feature'],
    [{ skala: null, 'id.namespace': 'dagi0100k' }, '1:10.000', 'feature'],
    [{ skala: '1:10000' }, '1:10.000', 'feature'],
  ])('take a row of %j from a source of scale %j: %s', (change, scale, kind) => {
    expect(map('kommune', { ...AREA, kommunekode: 101, ...change }, scale).kind).toBe(kind);
  });
});

describe('polling districts', () => {
  const ROW = {
    ...{ 'id.lokalId': '9971001', 'id.namespace': 'http://data.gov.dk/dagi', navn: 'Prøveskolen' },
    ...{ afstemningsomraadenummer: '05', MRafstemningsomraadenummer: 7, kommuneLokalId: 9920001 },
  };
  const PARISH = 'menighedsraadsafstemningsomraade';

  test('have codes of their municipality, their number and their id', () => {
    const named = { name: 'Prøveskolen', regionCode: null };
    expect(area('afstemningsomraade', ROW)).toEqual({ code: '9920001-5-9971001', ...named });
    expect(area(PARISH, ROW)).toEqual({ code: '9920001-7-9971001', ...named });
    const unnumbered = { ...ROW, MRafstemningsomraadenummer: null };
    expect(area(PARISH, unnumbered)).toEqual({ code: '9920001--9971001', ...named });
  });

  test.each([{ kommuneLokalId: null }, { afstemningsomraadenummer: 'fem' }, { navn: '' }])(
    'are unreadable with %j',
    (change) => expect(map('afstemningsomraade', { ...ROW, ...change }).kind).toBe('issue'),
  );
});

test('a bitemporal row is taken as it comes where the service answers with the present only', () => {
  const options = { keyProperty: 'id_lokalId', dagiScale: '1:10.000', nowMs: null };
  const row = { id_lokalId: '389103', navn: 'Region', regionskode: 1084 };
  const later = { ...row, virkningFra: '2027-01-01T00:00:00+01:00' };
  expect(mappingOf('region', options)(later)).toMatchObject({ kind: 'feature' });
});
