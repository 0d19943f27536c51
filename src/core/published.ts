import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { Published, PublishedVersion } from '../layers/published-copy.ts';

/** A joined copy is of the later publication. */
export async function readJoined<M extends MirrorId>(
  store: Pick<Store, 'db'>,
  mirror: M,
  other: MirrorId,
): Promise<Published<M> & { readonly joined: PublishedVersion | null }> {
  const { generation, versions, refused } = await readPublished(store, [mirror, other]);
  const joined = versions.find(({ layer }) => layer === other) ?? null;
  const laterOf = (ms: number) => Math.max(ms, joined?.publishedAtMs ?? 0);
  const lacks = joined === null && { lacksJoined: true };
  return {
    generation,
    versions: versions
      .filter((each): each is PublishedVersion<M> => each.layer === mirror)
      .map((copy) => ({ ...copy, ...lacks, publishedAtMs: laterOf(copy.publishedAtMs) })),
    refused: refused.filter((each): each is M => each === mirror),
    joined,
  };
}

interface Gathered {
  readonly mirrors: Set<MirrorId>;
  readonly published: Promise<Published>;
}

const gathered = new WeakMap<Pick<Store, 'db'>, Gathered>();

/**
 * One statement, so one moment; reads begun in one turn of the event loop share it. Throws when the
 * store does not answer.
 */
export async function readPublished<M extends MirrorId>(
  store: Pick<Store, 'db'>,
  mirrors: readonly M[],
): Promise<Published<M>> {
  const read = gathered.get(store) ?? gather(store);
  for (const mirror of mirrors) read.mirrors.add(mirror);
  const { generation, versions, refused } = await read.published;
  const isAsked = (mirror: MirrorId): mirror is M =>
    (mirrors as readonly MirrorId[]).includes(mirror);
  return {
    generation,
    versions: versions.filter((each): each is PublishedVersion<M> => isAsked(each.layer)),
    refused: refused.filter(isAsked),
  };
}

function gather(store: Pick<Store, 'db'>): Gathered {
  const mirrors = new Set<MirrorId>();
  const published = nextTurn().then(() => {
    gathered.delete(store);
    return readNow(store.db, [...mirrors]);
  });
  const read = { mirrors, published };
  gathered.set(store, read);
  return read;
}

async function readNow(db: Store['db'], mirrors: readonly MirrorId[]): Promise<Published> {
  const { rows } = await sql<
    Omit<PublishedVersion, 'layer'> & {
      layer: MirrorId | null;
      generation: number;
      refused: readonly MirrorId[];
    }
  >`
    select s.generation, l.layer, l.version,
      (extract(epoch from l.synced_at) * 1000)::float8 as "syncedAtMs",
      l.held_since is not null as held, l.source_rows as "sourceRows",
      floor(extract(epoch from l.published_at) * 1000)::float8 as "publishedAtMs",
      (extract(epoch from l.outdated_at) * 1000)::float8 as "outdatedAtMs", l.unanswered,
      array(select layer from register_refusal where layer = any(${mirrors}::text[])
        order by layer) as refused
    from store_state s left join layer_state l on l.layer = any(${mirrors}::text[])
    order by l.layer`.execute(db);
  return {
    generation: Number(rows[0]?.generation),
    versions: rows.flatMap(({ layer, generation: _, refused: __, ...row }) =>
      layer === null ? [] : [{ layer, ...row }],
    ),
    refused: rows[0]?.refused ?? [],
  };
}
