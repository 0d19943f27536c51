import type { IncomingHttpHeaders } from 'node:http';

/**
 * Uses Sec-Fetch-Site, which pages cannot set, else Origin or Referer (plain http from another
 * machine).
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, publicUrl: string | null): boolean {
  const { origin, referer, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  const place = origin ?? (referer === undefined ? null : (URL.parse(referer)?.origin ?? ''));
  if (place === null) return site !== undefined;
  return isOwnOrigin(place, { host, publicUrl });
}

/** Ignores the scheme, because TLS may end before this process. */
export function isOwnOrigin(
  origin: string,
  { host, publicUrl }: { readonly host: string | undefined; readonly publicUrl: string | null },
): boolean {
  if (publicUrl !== null && origin === URL.parse(publicUrl)?.origin) return true;
  return host !== undefined && (origin === `https://${host}` || origin === `http://${host}`);
}
