/** Why a row has no answer, in both languages: what is on file in English is found again in Danish. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pointFromQuery } from '../../src/answers/coordinates.ts';
import { rowError, rowErrorInDanish } from '../../src/core/rows/row-errors.ts';
import type { RowError } from '../../src/core/rows/row-errors.ts';
import { FAILURES, Failure } from '../../src/kernel/failures.ts';
import { outsideCoverage, unknownTo } from '../../src/core/land/covered-lands.ts';
import { Land, edgesOf } from '../../src/geo/land.ts';
import { nearestWithin, noneWithin } from '../../src/registers/addresses/reverse.ts';
import { placeUnanswered } from '../../src/registers/areas/reverse.ts';
import { unreadAddress } from '../../src/registers/addresses/unread.ts';
import { BBR_REGISTER } from '../../src/registers/property/mirror.ts';
import { notHere, tooOld } from '../../src/core/standing/copies.ts';

const SRC = join(import.meta.dirname, '../../src');

/** All there are: the compiler asks for one that is missing. */
const OF_KINDS: Readonly<Record<RowError, Readonly<Record<string, string | number>>>> = {
  noAccessAddress: {},
  noAccessPoint: {},
  columnEmpty: { column: '"x"', role: 'x' },
  noNumber: { column: '"holds (no) \\"number\\" {max}\n"', role: 'y' },
  noWhole: { column: '"Ejerlav"', role: 'ejerlav', min: 1, max: 99 },
  refused: { column: '"Omrids"', role: 'wkt', why: 'x' },
  noCondition: {},
  rounded: { column: '"x"', role: 'x' },
  noBfeNumber: { max: 2_147_483_647 },
  noAddressAlike: {},
  addressEmpty: {},
  addressTooLong: { max: 300 },
  propertyEmpty: {},
  addressUnsure: { nearest: 'Strandvejen 1, 9999 Prøveby; Strandvejen 2, 9999 Prøveby' },
  columnUnread: { column: '"Bogstav", "Side"', nearest: 'Strandvejen 1, 9999 Prøveby' },
  noProperty: {},
  propertyUnasked: {},
  noLine: {},
  halfPoint: {},
  quotaUsed: { ceiling: 50_000 },
  noRoom: {},
  unworkable: { first: 1, last: 1000 },
  untouched: { days: 30 },
  notReached: {},
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

/** Of a copy that covers nothing. */
function nearestOutside(): Failure {
  const judge = nearestWithin(new Land('kommune 0101', edgesOf([])), 500);
  return judge({ xUtm32: 0, yUtm32: 0 }, null) as Failure;
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
      noneWithin(500),
      placeUnanswered({ theme: 'sogn', kind: 'unreadable' }),
      tooOld(BBR_REGISTER),
      notHere(BBR_REGISTER, 'store'),
      unreadAddress(),
      nearestOutside(),
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
    ['areas/reverse', 'The DAGI theme {} could not be answered at this point.'],
    ['property/answers', 'No property in force has the BFE number {}.'],
    [
      'property/answers',
      'BBR does not hold the property {}, and a register that may cannot be asked: {}.',
    ],
  ])('%s says: %s', (file, error) => {
    const source = readFileSync(join(SRC, `registers/${file}.ts`), 'utf8');
    const plain = source.replaceAll(/\$\{[^}]*\}/g, '{}');
    expect(plain).toContain(error);
    const danish = rowErrorInDanish(error);
    expect(danish).not.toBe(error);
    expect(plain).toContain(danish);
  });

  test('a class of failures is said in its own words, anything else as it stands', () => {
    for (const { en, da } of Object.values(FAILURES)) expect(rowErrorInDanish(en)).toBe(da);
    for (const text of ['', 'Something new.', 'No address like this one was found. Really.']) {
      expect(rowErrorInDanish(text)).toBe(text);
    }
  });

  test('no kind of job says anything that is not in the catalogue', () => {
    for (const file of [
      'core/rows/points',
      'core/rows/row-reader',
      'registers/addresses/datavask-job',
      'registers/addresses/reverse-job',
      'registers/areas/job',
      'registers/lines/job',
      'registers/property/job',
    ]) {
      const source = readFileSync(join(SRC, `${file}.ts`), 'utf8');
      expect(source).not.toMatch(/\berror(Da)?: ['"`]/);
    }
  });
});
