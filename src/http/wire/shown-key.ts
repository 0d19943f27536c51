/** The credential a request shows, where all that read one find it. */
import type { FastifyRequest } from 'fastify';

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** What an Authorization header bears; null: it is none of that form. */
export function bearerOf(authorization: string): string | null {
  return BEARER.exec(authorization)?.[1] ?? null;
}

/**
 * The API key a request shows; the header wins over `token` (interface: Authentication). null: none;
 * empty: something that cannot be one.
 */
export function shownKey({
  headers,
  query,
}: Pick<FastifyRequest, 'headers' | 'query'>): string | null {
  const { authorization } = headers;
  if (authorization !== undefined) return bearerOf(authorization) ?? '';
  const { token } = query as { readonly token?: unknown };
  if (token === undefined) return null;
  return typeof token === 'string' ? token : '';
}
