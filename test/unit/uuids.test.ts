import { expect, test } from 'vitest';
import { UUID, uuidDigitsOf, uuidOf } from '../../src/kernel/uuids.ts';

const STORED = '0a3f50b8-0042-32b8-e044-0003ba298018';
const DIGITS = STORED.replaceAll('-', '');

/** Whether it is as stored, one once its letters are small, one with dashes or without. */
test.each([
  [STORED, [true, true, true]],
  [STORED.toUpperCase(), [false, true, true]],
  [DIGITS, [false, false, true]],
  [DIGITS.toUpperCase(), [false, false, true]],
  [STORED.replace('-', ''), [false, false, true]],
  [`{${STORED}}`, [false, false, false]],
  [` ${STORED}`, [false, false, false]],
  [`${STORED}\n`, [false, false, false]],
  [`${DIGITS.slice(0, 4)}-${DIGITS.slice(4)}`, [false, false, false]],
  [STORED.replace('a', 'g'), [false, false, false]],
  [STORED.replace('0', '٠'), [false, false, false]],
  ['', [false, false, false]],
])('%j', (text, [isStored, isWritten, isTyped]) => {
  expect(UUID.test(text)).toBe(isStored);
  expect(uuidOf(text)).toBe(isWritten ? STORED : null);
  expect(uuidDigitsOf(text)).toBe(isTyped ? DIGITS : null);
});
