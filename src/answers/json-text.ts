/** Texts as JSON values. */

/** What JSON.stringify would escape: quotes, backslashes, control characters, lone surrogates. */
// oxlint-disable-next-line no-control-regex
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** JSON.stringify of a text or null; most texts need nothing but quotes. */
export function jsonText(text: string | null): string {
  if (text === null) return 'null';
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}
