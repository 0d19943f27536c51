/** What JSON.stringify escapes: quotes, backslashes, control characters, lone surrogates. */
// oxlint-disable-next-line no-control-regex
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Most texts need nothing but quotes. */
export function jsonText(text: string | null): string {
  if (text === null) return 'null';
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}
