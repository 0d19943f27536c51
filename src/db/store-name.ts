import { createHash } from 'node:crypto';
import { databaseAddress } from '../kernel/database-address.ts';

/** The store's address without credentials and options, or the embedded one. Not secret. */
export function storeNameOf(databaseUrl: string | null): string {
  if (databaseUrl === null) return 'embedded';
  const address = databaseAddress(databaseUrl);
  const { hostname, port, pathname, searchParams } = new URL(address?.url ?? databaseUrl);
  const others = address?.servers.slice(1).map(({ host, port: at }) => `${host}:${at}`) ?? [];
  const where = [searchParams.get('host') ?? hostname, port, pathname, ...others];
  return createHash('sha256').update(where.join(' ')).digest('hex').slice(0, 16);
}
