/** House numbers and floors as Danish number words: `Nygade nr. otte`, `tre. sal`. */

const ONES = ['nul', 'en', 'to', 'tre', 'fire', 'fem', 'seks', 'syv', 'otte', 'ni'];
const TEENS = [
  ...['ti', 'elleve', 'tolv', 'tretten', 'fjorten', 'femten', 'seksten', 'sytten', 'atten'],
  ...['nitten'],
];
const TENS = ['tyve', 'tredive', 'fyrre', 'halvtreds', 'tres', 'halvfjerds', 'firs', 'halvfems'];

const VALUES: ReadonlyMap<string, number> = new Map([
  ...[...ONES, ...TEENS].map((word, n) => [word, n] as const),
  ...['et', 'én', 'ét'].map((word) => [word, 1] as const),
  ...TENS.flatMap((ten, i) =>
    ONES.map((one, n) => [n === 0 ? ten : `${one}og${ten}`, 10 * (i + 2) + n] as const),
  ),
]);
const WORD = [...VALUES.keys()].join('|');
const OF_HOUSE = new RegExp(
  `(?<=^[^\\d,;\\n]*\\p{L}{3,}\\s)(?:(?:nr|nummer)\\.?\\s+)?(${WORD})(?: ?([a-z]))?(?=\\s*(?:$|[,;\\n]))`,
  'iu',
);
const OF_FLOOR = new RegExp(`(?<![\\p{L}\\d])(${WORD})\\.?(?=\\s+(?:sal|etage)(?!\\p{L}))`, 'giu');

const digits = (word: string): string => String(VALUES.get(word.toLowerCase()));

export function numbersInDigits(text: string): string {
  return text
    .replace(OF_HOUSE, (_, word: string, letter?: string) => digits(word) + (letter ?? ''))
    .replace(OF_FLOOR, (_, word: string) => `${digits(word)}.`);
}
