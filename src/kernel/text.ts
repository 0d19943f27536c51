/* oxlint-disable-next-line no-control-regex -- they are what is looked for */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/**
 * Replaces control characters and lone surrogates by U+FFFD: PostgreSQL refuses a statement for one
 * NUL.
 */
export function storableText(text: string): string {
  return text.replace(CONTROL, '\uFFFD').toWellFormed();
}
