/** What a database takes to read a file by itself. */
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Served } from './upstream.ts';
import { seconds } from './measure.ts';
import { openClient } from './store.ts';

/**
 * Rows a second of the one file that lies open: read as text, without keys, indexes or a look at any value.
 * The table is gone afterwards.
 */
export async function copyRate(databaseUrl: string, { plain }: Served): Promise<number> {
  // The server may be another user.
  chmodSync(dirname(plain.path), 0o755);
  await using cleanup = new AsyncDisposableStack();
  const client = await openClient(cleanup, databaseUrl);
  const columns = Array.from({ length: plain.columns }, (_, i) => `c${i} text`);
  await client.query(`create table raw (${columns.join(', ')})`);
  const copy = `copy raw from '${plain.path}' with (format csv, header)`;
  const rate = plain.rows / (await seconds(() => client.query(copy)));
  await client.query('drop table raw');
  return rate;
}
