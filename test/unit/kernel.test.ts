import { expect, test } from 'vitest';
import { Last } from '../../src/kernel/last.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { storableText } from '../../src/kernel/text.ts';
import { Slice, nextTurn } from '../../src/kernel/turns.ts';
import { UUID, uuidDigitsOf, uuidOf } from '../../src/kernel/uuids.ts';

test.each([
  ['a\u0000b', 'a\uFFFDb'],
  ['\u001b[31mred\u007f', '\uFFFD[31mred\uFFFD'],
  ['half \ud83c', 'half \uFFFD'],
  ['lines\n\tand æøå 🌍', 'lines\n\tand æøå 🌍'],
])('makes %j fit to be stored', (given, fit) => {
  expect(storableText(given)).toBe(fit);
});

const STORED = '0a3f50b8-0042-32b8-e044-0003ba298018';
const DIGITS = STORED.replaceAll('-', '');
const NONE = [`{${STORED}}`, ` ${STORED}`, `${STORED}\n`, STORED.replace('a', 'g'), ''];

test.each<readonly [string, readonly unknown[]]>([
  [STORED, [true, STORED, DIGITS]],
  [STORED.toUpperCase(), [false, STORED, DIGITS]],
  [DIGITS, [false, null, DIGITS]],
  [STORED.replace('-', ''), [false, null, DIGITS]],
  ...[...NONE, `0a3f-${DIGITS.slice(4)}`].map((text) => [text, [false, null, null]] as const),
])('%j', (text, read) => {
  expect([UUID.test(text), uuidOf(text), uuidDigitsOf(text)]).toEqual(read);
});

test('is the value of the same keys, also after a failure', () => {
  const last = new Last<number>();
  const [reader, lands] = [{}, {}];
  let made = 0;
  const make = () => (made += 1);
  const fail = () => {
    throw new Error('unreadable');
  };
  expect([last.of([reader, lands], make), last.of([reader, lands], make)]).toEqual([1, 1]);
  expect(last.of([reader, {}], make)).toBe(2);
  expect(() => last.of([{}, lands], fail)).toThrow('unreadable');
  expect(last.of([reader, lands], make)).toBe(3);
});

test('lets one of many waiting pieces of work go on in each turn of the event loop', async () => {
  const order: string[] = [];
  let turn = 0;
  let counting = true;
  const count = (): void => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      for (let i = 0; i < 3; i++) {
        await nextTurn();
        order.push(`${name}${turn}`);
      }
    }),
  );
  counting = false;
  expect(order.map((text) => text[0]).join('')).toBe('abcabcabc');
  // Never two in the same turn.
  expect(new Set(order.map((text) => text.slice(1))).size).toBe(9);
});

test('is over after its time and not before', async () => {
  const slice = new Slice();
  expect(slice.isOver).toBe(false);
  const end = performance.now() + LIMITS.sliceMs + 0.05;
  while (performance.now() < end);
  expect(slice.isOver).toBe(true);
  await slice.next();
  expect(slice.isOver).toBe(false);
});
