/** The format `0000` shows 93 as 0093, which its reader means. */

type Section = readonly ('0' | { readonly text: string })[];

/** `shown` null: unchanged. */
export type CodeFormat = readonly {
  readonly isOf: (value: number) => boolean;
  readonly shown: Section | null;
}[];

/** With fewer, zeros are only a notation. */
const LEAST_DIGITS = 2;
const MOST_CHARS = 60;

/** Quoted text, an escape, room, fill, brackets or a letter. */
const TOKEN = /"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|(.)/gsu;
const PLAIN = /[-+ ()/:$!^&'~{}<>=\u00a0]/;

/** null: not a code. `code`: a custom format of the workbook. */
export function codeFormatOf(code: string | null): CodeFormat | null {
  const sections = code === null ? null : sectionsOf(code);
  if (sections === null) return null;
  const format = formatOf(sections);
  return format.some(({ shown }) => shown !== null) ? format : null;
}

/** `0000;-0000;0`: positive, negative and 0. `[<1000]0000;0`: by condition. */
function formatOf(sections: readonly string[]): CodeFormat {
  const [first = '', second = '', third] = sections;
  const [isFirst, isSecond] = [conditionOf(first), conditionOf(second)];
  const shown = sectionOf(first);
  if (isFirst === null && isSecond === null) {
    if (third === undefined) return [{ isOf: () => true, shown }];
    const isZero = (value: number): boolean => value === 0;
    return [
      { isOf: isZero, shown: sectionOf(third) },
      { isOf: () => true, shown },
    ];
  }
  if (isFirst === null || sections.length === 1) return [];
  return [
    { isOf: isFirst, shown },
    { isOf: isSecond ?? (() => true), shown: sectionOf(second) },
    { isOf: () => true, shown: third === undefined ? null : sectionOf(third) },
  ];
}

const CONDITION = /\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]/;

function conditionOf(section: string): ((value: number) => boolean) | null {
  const [, sign, number] = CONDITION.exec(section.replace(/"[^"]*"|\\./gs, '')) ?? [];
  if (sign === undefined) return null;
  const limit = Number(number);
  return (value) =>
    (sign.includes('<') && value < limit) ||
    (sign.includes('>') && value > limit) ||
    (sign.includes('=') && value === limit);
}

/** null: not a code. */
function sectionOf(section: string): Section | null {
  if (section.length > MOST_CHARS) return null;
  const parts: Section[number][] = [];
  for (const found of section.matchAll(TOKEN)) {
    const part = partOf(found, parts.includes('0'));
    if (part === null) return null;
    if (part === '0' || part.text !== '') parts.push(part);
  }
  const digits = parts.filter((part) => part === '0').length;
  return digits >= LEAST_DIGITS ? parts : null;
}

/** null: not a code. */
function partOf(
  [, quoted, escaped, sign, letter]: RegExpExecArray,
  isBehindDigit: boolean,
): Section[number] | null {
  if (letter === undefined) return { text: quoted ?? escaped ?? sign ?? '' };
  if (letter === '0') return '0';
  // `#` and `?` keep no zero; another letter makes it a number, date or text.
  if ((letter === '#' || letter === '?') && !isBehindDigit) return { text: '' };
  return PLAIN.test(letter) ? { text: letter } : null;
}

/** Splits at unquoted semicolons; null: an unclosed quote. */
function sectionsOf(code: string): readonly string[] | null {
  const sections = code.match(/(?:"[^"]*"|\\.|[^;"\\])+|(?<=;)(?=;|$)/gsu) ?? [];
  return sections.join(';').length === code.length ? sections : null;
}

/** `value` is whole, from 0; null: unchanged. */
export function shownAs(format: CodeFormat, value: number): string | null {
  const shown = format.find(({ isOf }) => isOf(value))?.shown ?? null;
  return shown === null ? null : digitsIn(shown, value);
}

/** Extra digits precede the section's first. */
function digitsIn(section: Section, value: number): string {
  const places = section.filter((part) => part === '0').length;
  const digits = String(value).padStart(places, '0');
  const before = digits.slice(0, digits.length - places);
  let next = before.length;
  let isFirst = true;
  let shown = '';
  for (const part of section) {
    if (part !== '0') {
      shown += part.text;
      continue;
    }
    if (isFirst) shown += before;
    isFirst = false;
    shown += digits[next++] ?? '';
  }
  return shown;
}
