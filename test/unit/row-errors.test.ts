/** Why a row has no answer, in both languages: what is on file in English is found again in Danish. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pointFromQuery } from '../../src/answers/coordinates.ts';
import { rowError, rowErrorInDanish } from '../../src/core/rows/row-errors.ts';
import type { RowError } from '../../src/core/rows/row-errors.ts';
import { FAILURES, Failure } from '../../src/kernel/failures.ts';
import { outsideCoverage, unknownTo } from '../../src/core/land/covered-lands.ts';
import { ADDRESS_REGISTER } from '../../src/registers/addresses/mirror.ts';
import { CADASTRE_REGISTER } from '../../src/registers/cadastre/mirror.ts';
import { BBR_REGISTER } from '../../src/registers/property/mirror.ts';
import { notHere, tooOld, unreadableCopy } from '../../src/core/standing/standing.ts';

const SRC = join(import.meta.dirname, '../../src');
/** A sentence in English and then in Danish, as a Failure is given them. */
const PAIR = /['`](\w[^'`\n]* [^'`\n]*)['`],\s*(?:errorDa: )?['`](\w[^'`\n]* [^'`\n]*)['`]/g;

/** All there are: the compiler asks for one that is missing. */
const OF_KINDS: Readonly<Record<RowError, Readonly<Record<string, string | number>>>> = {
  ...{ noAccessAddress: {}, noAccessPoint: {}, noCondition: {}, noAddressAlike: {} },
  ...{ addressEmpty: {}, propertyEmpty: {}, noProperty: {}, propertyUnasked: {}, noLine: {} },
  ...{ halfPoint: {}, noRoom: {}, notReached: {}, unreadAddress: {}, oneGeometry: {} },
  ...{ wktEmpty: {}, noArea: {}, parcelUnplaced: {} },
  ...{ notLoaded: {}, addressesAwaited: {}, keyEnded: {} },
  columnEmpty: { column: '"x"', role: 'x' },
  cellUnreadable: { column: '"Adresse"', role: 'adresse' },
  noNumber: { column: '"holds (no) \\"number\\" {max}\n"', role: 'y' },
  noWhole: { column: '"Ejerlav"', role: 'ejerlav', min: 1, max: 99 },
  refused: { column: '"Omrids"', role: 'wkt', why: 'x' },
  rounded: { column: '"x"', role: 'x' },
  noBfeNumber: { max: 2_147_483_647 },
  addressTooLong: { max: 300 },
  addressUnsure: { nearest: 'Strandvejen 1, 9999 Prøveby; Strandvejen 2, 9999 Prøveby' },
  columnUnread: { column: '"Bogstav", "Side"', nearest: 'Strandvejen 1, 9999 Prøveby' },
  quotaUsed: { ceiling: 50_000 },
  unworkable: { first: 1, last: 1000 },
  untouched: { days: 30 },
  noneWithin: { radius: 250 },
  noneCovered: { name: 'kommune 0101' },
  outsideLand: { name: 'kommune 0101' },
  themeUnanswered: { theme: 'sogn' },
  areaUnread: { theme: 'sogn' },
  noPropertyInForce: { bfe: 1 },
  notInBbr: { bfe: 1, others: 'Matriklen, EBR' },
  tooManyPositions: { field: 'geometri', count: 10_001, max: 10_000 },
  areaTooLarge: { field: 'wkt', km2: '30.0', max: '25.0' },
  outsideDenmark: { field: 'wkt', x: 1, y: 2.5 },
  noSrid: { srid: 4258 },
  wktUnreadable: { reason: 'a collection of geometries' },
  areaInvalid: { reason: 'Self-intersection (EPSG:25832)' },
  noLayer: { named: '"x", "y"', keys: 'zone, skov' },
  noParcelNumber: { text: 'ø1 ?' },
  noParcel: { number: '12bø', district: 12_851 },
  propertyUnread: { bfe: 1 },
  tooManyRows: { most: 50_000 },
  bbrNotWhole: { tables: 'Enhed, Etage' },
  notInCadastre: { bfe: 1 },
  cadastreUnread: { bfe: 1 },
  tooManyParcels: { parcels: 3_000, mib: 8 },
  ofAPart: { what: '?', name: 'kommune 0101' },
};

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

describe('why a row has no answer', () => {
  test.each(Object.entries(OF_KINDS))('%s', (name, values) => {
    const { error, errorDa } = rowError(name as RowError, values);
    expect(error).not.toBe(errorDa);
    expect(rowErrorInDanish(error)).toBe(errorDa);
    for (const value of Object.values(values)) expect(errorDa).toContain(String(value));
  });

  test('what lookups say themselves is said in their own Danish', () => {
    const failures = [
      outsideCoverage('kommune 0101'),
      unknownTo({ name: 'kommune 0101' }, rowError('noAccessAddress')),
      unknownTo({ name: 'en del af landet' }, rowError('noAddressAlike')),
      failureOf(() => pointFromQuery({ x: 1, y: 2, srid: '25832' })),
      failureOf(() => pointFromQuery({ x: 6_314_760, y: 644_877, srid: '25832' })),
      failureOf(() => pointFromQuery({ x: 57, y: 11, srid: '4326' })),
    ];
    for (const { message, errorDa } of failures) {
      expect(errorDa).toBeDefined();
      expect(rowErrorInDanish(message)).toBe(errorDa);
    }
  });

  test.each([
    ['The line sources are not configured in this environment.', /^Kilderne til linjerne/],
    ['Addresses are not configured in this environment.', /^Adresser er ikke sat op/],
    [
      'Upstream not configured: the property register (BBR) is not mirrored here yet.',
      /^Ejendomsregistret \(BBR\)/,
    ],
  ])('what files of old jobs say has its Danish: %s', (error, danish) => {
    expect(rowErrorInDanish(error)).toMatch(danish);
  });

  test('so has what is said of a copy', () => {
    for (const register of [ADDRESS_REGISTER, BBR_REGISTER, CADASTRE_REGISTER]) {
      const unreadable = unreadableCopy({}, register, { cause: null });
      for (const { message, errorDa } of [tooOld(register), notHere(register), unreadable])
        expect(rowErrorInDanish(message)).toBe(errorDa);
    }
  });

  test('a class of failures is said in its own words, anything else as it stands', () => {
    for (const { en, da } of Object.values(FAILURES)) expect(rowErrorInDanish(en)).toBe(da);
    for (const text of ['', 'Something new.', 'No address like this one was found. Really.']) {
      expect(rowErrorInDanish(text)).toBe(text);
    }
  });

  test('no kind of job, and no lookup for one, says anything that is not in the catalogue', () => {
    for (const file of [
      ...['core/land/drawn-area', 'core/rows/points', 'core/rows/row-reader'],
      ...['registers/addresses/datavask-job', 'registers/addresses/reverse-job'],
      ...['registers/areas/job', 'registers/lines/job', 'registers/property/job'],
      ...['registers/addresses/reverse', 'registers/addresses/unread'],
      ...['registers/areas/reverse', 'registers/cadastre/lookup'],
      ...['registers/conditions/ground', 'registers/conditions/questions'],
      ...['registers/property/answers', 'registers/property/lookup'],
    ]) {
      const source = readFileSync(join(SRC, `${file}.ts`), 'utf8');
      // No row names a day.
      const said = [...source.matchAll(PAIR)].filter(([, en = '']) => !en.startsWith('asOf'));
      expect(said, file).toEqual([]);
    }
  });
});
