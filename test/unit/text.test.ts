import { expect, test } from 'vitest';
import { storableText } from '../../src/kernel/text.ts';

test.each([
  ['a\u0000b', 'a\uFFFDb'],
  ['\u001b[31mred\u007f', '\uFFFD[31mred\uFFFD'],
  ['half \ud83c', 'half \uFFFD'],
  ['lines\n\tand æøå 🌍', 'lines\n\tand æøå 🌍'],
])('makes %j fit to be stored', (given, fit) => {
  expect(storableText(given)).toBe(fit);
});
