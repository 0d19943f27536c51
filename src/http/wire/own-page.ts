/** Whether a request comes from a page of this service, as far as the browser tells. */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Said by Sec-Fetch-Site, which no page can set, and by Origin or Referer where a browser sends it not
 * (over plain http from another machine). A request that tells nothing comes from no page.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, publicUrl: string | null): boolean {
  const { origin, referer, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  const place = origin ?? (referer === undefined ? null : (URL.parse(referer)?.origin ?? ''));
  if (place === null) return site !== undefined;
  return isOwnOrigin(place, { host, publicUrl });
}

/** TLS may end before this process: the scheme of Host is not compared. */
export function isOwnOrigin(
  origin: string,
  { host, publicUrl }: { readonly host: string | undefined; readonly publicUrl: string | null },
): boolean {
  if (publicUrl !== null && origin === URL.parse(publicUrl)?.origin) return true;
  return host !== undefined && (origin === `https://${host}` || origin === `http://${host}`);
}
