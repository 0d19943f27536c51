/** Quotes, backslashes, control characters, and surrogates, which are escaped where they are lone. */
// oxlint-disable-next-line no-control-regex
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Most texts need nothing but quotes. */
export function jsonText(text: string | null): string {
  if (text === null) return 'null';
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}
