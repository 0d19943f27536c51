import type { FastifyRequest } from 'fastify';

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** null: not a Bearer header. */
export function bearerOf(authorization: string): string | null {
  return BEARER.exec(authorization)?.[1] ?? null;
}

/** The header wins over `token` (interface: Authentication). null: none; empty: malformed. */
export function shownKey({
  headers,
  query,
}: Pick<FastifyRequest, 'headers' | 'query'>): string | null {
  const { authorization } = headers;
  if (authorization !== undefined) return bearerOf(authorization) ?? '';
  const { token } = query as { readonly token?: unknown };
  if (token === undefined || token === '') return null;
  return typeof token === 'string' ? token : '';
}
