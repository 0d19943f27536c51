import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { UnansweredPlaces } from '../geo/unanswered.ts';
import type { Published } from '../layers/published-copy.ts';

/** One statement, so one moment. Throws when the store does not answer. */
export async function readPublished<M extends MirrorId>(
  { db }: Pick<Store, 'db'>,
  mirrors: readonly M[],
): Promise<Published<M>> {
  const { rows } = await sql<{
    generation: number;
    layer: M | null;
    version: number;
    synced_ms: number;
    held: boolean;
    source_rows: number | null;
    published_ms: number;
    outdated_ms: number | null;
    unanswered: UnansweredPlaces | null;
    refused: readonly M[];
  }>`
    select s.generation, l.layer, l.version,
      (extract(epoch from l.synced_at) * 1000)::float8 as synced_ms,
      l.held_since is not null as held, l.source_rows,
      floor(extract(epoch from l.published_at) * 1000)::float8 as published_ms,
      (extract(epoch from l.outdated_at) * 1000)::float8 as outdated_ms, l.unanswered,
      array(select layer from register_refusal where layer = any(${mirrors}::text[])
        order by layer) as refused
    from store_state s left join layer_state l on l.layer = any(${mirrors}::text[])
    order by l.layer`.execute(db);
  return {
    generation: Number(rows[0]?.generation),
    versions: rows.flatMap(({ layer, version, held, ...row }) =>
      layer === null
        ? []
        : [
            {
              layer,
              version,
              syncedAtMs: row.synced_ms,
              held,
              publishedAtMs: row.published_ms,
              sourceRows: row.source_rows,
              outdatedAtMs: row.outdated_ms,
              unanswered: row.unanswered,
            },
          ],
    ),
    refused: rows[0]?.refused ?? [],
  };
}
