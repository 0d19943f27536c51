import { createHash } from 'node:crypto';

/** The store's address without credentials and options, or the embedded one. Not secret. */
export function storeNameOf(databaseUrl: string | null): string {
  if (databaseUrl === null) return 'embedded';
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
  const where = [searchParams.get('host') ?? hostname, port, pathname];
  return createHash('sha256').update(where.join(' ')).digest('hex').slice(0, 16);
}
