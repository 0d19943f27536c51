/** Who would rather be answered with a page, and what such a page may load. */

/** Its own styles and nothing else: no script, no form, no address of anybody else. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  vary: 'Accept',
};

/** Whether a caller would rather see a page: browsers name text/html, programs do not. */
export function wantsPage(accept: string | undefined): boolean {
  return accept !== undefined && accept.length < 1000 && accept.includes('text/html');
}
