/** What a condition takes from a row: standing, days and fields, on invented rows and on real samples. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CONDITIONS } from '../../src/layers/conditions/index.ts';
import type { ConditionId } from '../../src/layers/conditions/condition.ts';
import { REAL_DATA } from '../support/real-data.ts';
import { conditionMapping, isoDay } from '../../src/layers/mappings/condition.ts';

const READ_AT_MS = Date.UTC(2026, 10, 28, 12);

const rowOf = (id: ConditionId, properties: Readonly<Record<string, unknown>>) =>
  conditionMapping(id, { keyProperty: 'id', dagiScale: null, readAtMs: READ_AT_MS })(properties);

const PLAN = {
  ...{ id: 7, planid: 20, plannr: '142', status: 'V', anvgen: 11, bebygpct: '30.0' },
  ...{ datoikraft: 20180406, datoaflyst: null, datogslut: null, iomfangreg: 'false' },
  doklink: 'https://dokument.example.org/a.pdf;javascript:alert(1)',
};

test('numbers as text, booleans as text or as such, compact days and the first of several links', () => {
  expect(rowOf('forhold_lokalplan', PLAN)).toMatchObject({
    ...{ kind: 'feature', key: '7', objectId: '20' },
    attributes: {
      ...{ validFrom: '2018-04-06', validTo: null },
      values: {
        ...{ plannr: '142', anvendelse: '11', bebyggelsesprocent: 30, i_kraft: '2018-04-06' },
        ...{ bebyggelse_efter_tegning: false, dokument: 'https://dokument.example.org/a.pdf' },
      },
    },
  });
  expect(rowOf('forhold_lokalplan', { ...PLAN, iomfangreg: true, bebygpct: '' })).toMatchObject({
    attributes: { values: { bebyggelse_efter_tegning: true, bebyggelsesprocent: null } },
  });
  for (const [bebygpct, read] of [
    ['1.25E7', 12_500_000],
    ['3,5', 3.5],
    ['1.0E-4', 0.0001],
    ['1e7', null],
  ])
    expect(rowOf('forhold_lokalplan', { ...PLAN, bebygpct })).toMatchObject({
      attributes: { values: { bebyggelsesprocent: read } },
    });
});

test.each([
  [{ status: 'F' }, 'skipped'],
  [{ status: 'A' }, 'skipped'],
  [{ status: undefined, planstatus: 'V' }, 'feature'],
  [{ status: undefined }, 'issue'],
  [{ status: 'Vedtagetish' }, 'issue'],
  [{ datoaflyst: '20200101' }, 'skipped'],
  [{ datoaflyst: '2099-10-30' }, 'feature'],
  [{ datoikraft: 'fra i morgen' }, 'issue'],
  [{ datoikraft: 20950101 }, 'feature'],
  [{ datogslut: '2026/11/28 00:00:00.000' }, 'skipped'],
  [{ datogslut: '2026/11/29 00:00:00.000' }, 'feature'],
  // As a GeoServer writes days, and MapServer what is empty.
  [{ datogslut: '2026-11-28Z' }, 'skipped'],
  [{ datogslut: '' }, 'feature'],
  [{ id: null }, 'issue'],
  // As Java writes a double of ten millions in GML.
  [{ datoaflyst: '2.0200101E7' }, 'skipped'],
  [{ datoikraft: '2.0180406E7' }, 'feature'],
  // What is elsewhere, written twice or in parts may end the plan.
  [{ datoaflyst: { 'xlink:href': '#d' } }, 'issue'],
  [{ datoaflyst: ['20200101', '20990101'] }, 'issue'],
  [{ datogslut: { TimeInstant: { timePosition: '2020-01-01' } } }, 'issue'],
  [{ datogslut: 1577836800000 }, 'issue'],
  [{ datogslut: true }, 'issue'],
])('an adopted plan with %j is a %s', (given, kind) => {
  expect(rowOf('forhold_lokalplan', { ...PLAN, ...given }).kind).toBe(kind);
});

test('a proposal lapses after three years, and its ban after one', () => {
  const proposal = { ...PLAN, status: 'F', datoforsl: '20240229' };
  expect(rowOf('forhold_lokalplan_forslag', proposal)).toMatchObject({
    attributes: { validTo: '2027-03-01', values: { midlertidigt_forbud_til: '2025-03-01' } },
  });
  const old = { ...proposal, datoforsl: '20231101' };
  expect(rowOf('forhold_lokalplan_forslag', old)).toEqual({ kind: 'skipped', reason: 'ended' });
});

test('a duty to stay on natural gas has no effect', () => {
  const duty = { objekt_id: 3, statuskode: 3.0, vaerd1204a: 'Naturgas' };
  const read = conditionMapping('forhold_tilslutningspligt', {
    ...{ keyProperty: 'objekt_id', dagiScale: null, readAtMs: READ_AT_MS },
  });
  expect(read(duty).kind).toBe('skipped');
  expect(read({ ...duty, vaerd1204a: 'Fjernvarme' }).kind).toBe('feature');
});

test.each([[{ 'xlink:href': '#intern' }], [['1', '2']], [true]])(
  'an audience as %j is not "not filled in"',
  (Off_kode) => {
    const nature = { id: 1, Statuskode: 3, Off_kode };
    expect(rowOf('forhold_fredning', nature).kind).toBe('issue');
  },
);

test('keys and names are each of one condition, and every text is there', () => {
  const keys = CONDITIONS.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => !/^[a-z_0-9]+$/.test(key))).toEqual([]);
  for (const { absenceText, credit, provision, fields, key } of CONDITIONS) {
    expect([key, absenceText, credit, provision].filter((text) => text === '')).toEqual([]);
    const names = fields.map(({ name }) => name);
    expect([key, new Set(names).size]).toEqual([key, names.length]);
  }
});

const REAL = join(REAL_DATA, 'conditions');

describe.skipIf(!existsSync(REAL))(
  'real samples (skipped where ../shared/data/real is missing)',
  () => {
    test.each([
      ['forhold_lokalplan', 'lokalplan_vedtaget_hvidovre_2026-04_fuld', 'id', 183],
      ['forhold_jord_v1', 'dkjord_v1_hvidovre_2026', 'Objekt_id', 218],
      ['forhold_jord_v2', 'dkjord_v2_hvidovre_2026', 'Objekt_id', 245],
      ['forhold_drikkevandsinteresse', 'drikkevandsinteresser_albertslund_2026', 'id', 3],
      ['forhold_habitatomraade', 'habitatomraade_127_hvidovre_2026', 'Objekt_id', 1],
      ['forhold_kloakopland', 'kloakopland_ukloakeret_hvidovre_2026', 'objekt_id', 14],
    ] as const)('%s takes every row of %s', (id, file, keyProperty, count) => {
      const bytes = gunzipSync(readFileSync(join(REAL, `${file}.geojson.gz`)));
      const { features } = JSON.parse(bytes.toString('utf8')) as {
        readonly features: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
      };
      const map = conditionMapping(id, { keyProperty, dagiScale: null, readAtMs: READ_AT_MS });
      const mapped = features.map(({ properties }) => map(properties));
      expect(mapped.filter(({ kind }) => kind !== 'feature')).toEqual([]);
      expect(mapped).toHaveLength(count);
    });
  },
);

test('a day is the Danish one', () => {
  expect(isoDay(Date.UTC(2026, 6, 1, 22, 30))).toBe('2026-07-02');
});
