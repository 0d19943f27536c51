/** Which versions are published, and the store generation that makes them one state. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database } from '../db/tables.generated.ts';
import { ADDRESSES } from '../layers/keys.ts';
import type { LayerId } from '../layers/keys.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';

export interface PublishedVersion extends PublishedCopy {
  readonly layer: LayerId;
  readonly publishedAtMs: number;
  readonly sourceRows: number | null;
}

export interface Published {
  readonly generation: number;
  readonly versions: readonly PublishedVersion[];
  /** Layers whose latest reading a guard refused, those without a copy among them. */
  readonly refused: readonly LayerId[];
}

/** The layers. One statement, so one moment. Throws when the store does not answer. */
export async function readPublished({ db }: { readonly db: Kysely<Database> }): Promise<Published> {
  const { rows } = await sql<{
    generation: number;
    layer: LayerId | null;
    version: number;
    synced_ms: number;
    held: boolean;
    source_rows: number | null;
    published_ms: number;
    outdated_ms: number | null;
    refused: readonly LayerId[];
  }>`
    select s.generation, l.layer, l.version,
      (extract(epoch from l.synced_at) * 1000)::float8 as synced_ms,
      l.held_since is not null as held, l.source_rows,
      floor(extract(epoch from l.published_at) * 1000)::float8 as published_ms,
      (extract(epoch from l.outdated_at) * 1000)::float8 as outdated_ms,
      array(select layer from register_refusal order by layer) as refused
    from store_state s left join layer_state l on l.layer <> ${ADDRESSES} order by l.layer`.execute(
    db,
  );
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
            },
          ],
    ),
    refused: rows[0]?.refused ?? [],
  };
}

/** The addresses as published, and the store's generation at that moment. */
export interface PublishedAddresses extends PublishedCopy {
  readonly generation: number;
  readonly publishedAtMs: number;
}

/** null: never mirrored. Throws when the store does not answer. */
export async function readPublishedAddresses({
  db,
}: {
  readonly db: Kysely<Database>;
}): Promise<PublishedAddresses | null> {
  const { rows } = await sql<{
    generation: string;
    version: string;
    synced_ms: number;
    held: boolean;
    published_ms: number;
    outdated_ms: number | null;
  }>`
    select s.generation::text as generation, l.version::text as version,
      (extract(epoch from l.synced_at) * 1000)::float8 as synced_ms,
      l.held_since is not null as held,
      floor(extract(epoch from l.published_at) * 1000)::float8 as published_ms,
      (extract(epoch from l.outdated_at) * 1000)::float8 as outdated_ms
    from store_state s join layer_state l on l.layer = ${ADDRESSES}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    generation: Number(row.generation),
    version: Number(row.version),
    syncedAtMs: row.synced_ms,
    held: row.held,
    publishedAtMs: row.published_ms,
    outdatedAtMs: row.outdated_ms,
  };
}
