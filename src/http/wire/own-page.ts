/** Whether a request comes from a page of this service, as far as the browser reports. */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * By Sec-Fetch-Site, which no page can set, or by Origin or Referer where a browser omits it (plain
 * http from another machine). A request without any comes from no page.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, publicUrl: string | null): boolean {
  const { origin, referer, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  const place = origin ?? (referer === undefined ? null : (URL.parse(referer)?.origin ?? ''));
  if (place === null) return site !== undefined;
  return isOwnOrigin(place, { host, publicUrl });
}

/** TLS may end before this process, so the scheme is not compared. */
export function isOwnOrigin(
  origin: string,
  { host, publicUrl }: { readonly host: string | undefined; readonly publicUrl: string | null },
): boolean {
  if (publicUrl !== null && origin === URL.parse(publicUrl)?.origin) return true;
  return host !== undefined && (origin === `https://${host}` || origin === `http://${host}`);
}
