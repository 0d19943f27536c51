/**
 * The store is named in files of DATA_DIR by an id that it contains, so that a promoted replica is
 * the same store.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { firstValue } from './rows.ts';
import { databaseAddress } from '../kernel/database-address.ts';
import type { Store } from './connect.ts';

/** The first is written into files, all are read. */
export type StoreNames = readonly [string, ...string[]];

/** The address without credentials and options. */
export function storeNameOf(databaseUrl: string | null): string {
  if (databaseUrl === null) return 'embedded';
  const address = databaseAddress(databaseUrl);
  const { hostname, port, pathname, searchParams } = new URL(address?.url ?? databaseUrl);
  const others = address?.servers.slice(1).map(({ host, port: at }) => `${host}:${at}`) ?? [];
  const where = [searchParams.get('host') ?? hostname, port, pathname, ...others];
  return createHash('sha256').update(where.join(' ')).digest('hex').slice(0, 16);
}

/** The store's id, then its address. `isAway`: the id that `dataDir` remembers for the address. */
export async function storeNamesOf(
  databaseUrl: string | null,
  {
    store,
    dataDir,
    isAway,
  }: { readonly store: Store; readonly dataDir: string; readonly isAway: boolean },
): Promise<StoreNames> {
  const address = storeNameOf(databaseUrl);
  if (databaseUrl === null) return [address];
  const path = join(dataDir, 'store-id');
  const kept = await readFile(path, 'utf8').catch(() => '');
  const id = isAway ? null : await identityIn(store, address).catch(() => null);
  if (id === null) {
    const [at, known = ''] = kept.split(' ');
    return at === address ? [known, address] : [address];
  }
  const met = `${address} ${id}`;
  if (met !== kept) await writeFile(path, met, { mode: 0o600 }).catch(() => undefined);
  return [id, address];
}

/** A store's first address becomes its id, so that older files are still read. */
async function identityIn({ db }: Pick<Store, 'db'>, address: string): Promise<string | null> {
  await sql`insert into store_identity (id) values (${address}) on conflict do nothing`.execute(db);
  return await firstValue<string | null>(db, null)`select id from store_identity`;
}
