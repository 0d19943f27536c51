import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import type { MirrorId } from '../layers/keys.ts';
import { REPLICATED } from './entities.ts';
import type { Versions } from './rows-at.ts';

export async function versionsAt(db: Store['db'], transaction: number): Promise<Versions> {
  const { rows } = await sql<{ layer: MirrorId; version: number }>`
    select m.layer, c.version::float8 as version
    from unnest(${[...REPLICATED]}::text[]) m(layer)
    cross join lateral (
      select version from change_transaction c where c.layer = m.layer and c.nr <= ${transaction}
      order by c.nr desc limit 1) c`.execute(db);
  return new Map(rows.map(({ layer, version }) => [layer, version]));
}
