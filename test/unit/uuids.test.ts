import { expect, test } from 'vitest';
import { UUID, uuidDigitsOf, uuidOf } from '../../src/kernel/uuids.ts';

const STORED = '0a3f50b8-0042-32b8-e044-0003ba298018';
const DIGITS = STORED.replaceAll('-', '');
const NONE = [`{${STORED}}`, ` ${STORED}`, `${STORED}\n`, STORED.replace('a', 'g'), ''];

const CASES: readonly (readonly [string, readonly unknown[]])[] = [
  [STORED, [true, STORED, DIGITS]],
  [STORED.toUpperCase(), [false, STORED, DIGITS]],
  [DIGITS, [false, null, DIGITS]],
  [STORED.replace('-', ''), [false, null, DIGITS]],
  ...[...NONE, `0a3f-${DIGITS.slice(4)}`].map((text) => [text, [false, null, null]] as const),
];

test.each(CASES)('%j', (text, read) => {
  expect([UUID.test(text), uuidOf(text), uuidDigitsOf(text)]).toEqual(read);
});
