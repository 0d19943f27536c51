/**
 * Number formats of codes: zeros with signs between them. `0000` shows 93 as 0093, `"DK-"0000` as
 * DK-0093, `000000-0000` a ten-digit number in two groups. The shown text is what its reader means;
 * as a number its zeros would be lost.
 */

/** A digit's place, or a text in between. */
export type CodeFormat = readonly ('0' | { readonly text: string })[];

/** With fewer, a zero is only how a number is written. */
const LEAST_DIGITS = 2;
const MOST_CHARS = 60;

/**
 * A token of a format: quoted text, an escaped letter, room, fill, a currency sign with locale,
 * other brackets, or a letter.
 */
const TOKEN = /"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|(.)/gsu;
/** Signs that need no quotes. */
const PLAIN = /[-+ ()/:$!^&'~{}<>=\u00a0]/;

/**
 * The format of whole numbers from 0; null: not a code. `code`: a custom format of the workbook.
 */
export function codeFormatOf(code: string | null): CodeFormat | null {
  const first = code === null ? null : firstSection(code);
  if (first === null || first.length > MOST_CHARS) return null;
  const format: CodeFormat[number][] = [];
  for (const found of first.matchAll(TOKEN)) {
    const part = partOf(found, format.includes('0'));
    if (part === null) return null;
    if (part === '0' || part.text !== '') format.push(part);
  }
  const digits = format.filter((part) => part === '0').length;
  return digits >= LEAST_DIGITS ? format : null;
}

/** The text of a token; null: not a code. */
function partOf(
  [token, quoted, escaped, sign, letter]: RegExpExecArray,
  isBehindDigit: boolean,
): CodeFormat[number] | null {
  // A condition ([>100]) shows other numbers differently.
  if (/^\[[<>=]/.test(token)) return null;
  if (letter === undefined) return { text: quoted ?? escaped ?? sign ?? '' };
  if (letter === '0') return '0';
  // `#` and `?` keep no zero; any other letter makes it a number, date or text.
  if ((letter === '#' || letter === '?') && !isBehindDigit) return { text: '' };
  return PLAIN.test(letter) ? { text: letter } : null;
}

/** Up to the first unquoted semicolon: positive numbers, and 0 without a third section. */
function firstSection(code: string): string | null {
  let isQuoted = false;
  for (let at = 0; at < code.length; at++) {
    const char = code[at];
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && char === '\\') at += 1;
    else if (!isQuoted && char === ';') return code.slice(0, at);
  }
  return isQuoted ? null : code;
}

/** A whole number from 0 as shown: extra digits precede the format's first. */
export function shownAs(format: CodeFormat, value: number): string {
  const places = format.filter((part) => part === '0').length;
  const digits = String(value).padStart(places, '0');
  const before = digits.slice(0, digits.length - places);
  let next = before.length;
  let isFirst = true;
  let shown = '';
  for (const part of format) {
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
