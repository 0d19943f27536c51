/** A checksummed file of the versions last in service, for a start without the store. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { MirrorId } from '../../layers/keys.ts';
import type { Published } from '../../layers/published-copy.ts';
import { saveBytes } from '../../snapshot/files.ts';

export interface ManifestFile {
  readonly path: string;
  /** Another store's versions mean nothing here. */
  readonly store: string;
}

/** Increment when the file's meaning changes: older files are ignored. */
const FORMAT = 3;

const count = Type.Integer({ minimum: 0 });
const instant = Type.Number({ minimum: 0 });
const metres = Type.Number();

const unanswered = Type.Object({
  unreadable: Type.Array(Type.Tuple([metres, metres, metres, metres])),
  objects: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Null()]))),
  names: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Null()]))),
});

const publishedOf = (mirrors: readonly MirrorId[]) =>
  Type.Object({
    generation: count,
    versions: Type.Array(
      Type.Object({
        layer: Type.Enum([...mirrors]),
        version: count,
        syncedAtMs: instant,
        held: Type.Boolean(),
        sourceRows: Type.Union([count, Type.Null()]),
        publishedAtMs: instant,
        // Absent in files of earlier releases.
        outdatedAtMs: Type.Optional(Type.Union([instant, Type.Null()])),
        unanswered: Type.Optional(Type.Union([unanswered, Type.Null()])),
      }),
    ),
    refused: Type.Array(Type.Enum([...mirrors])),
  });

const schemaOf = (mirrors: readonly MirrorId[]) =>
  Type.Object({
    format: Type.Literal(FORMAT),
    store: Type.String(),
    published: publishedOf(mirrors),
    sha256: Type.String(),
  });

/** null: another front wrote it in another form. */
export function publishedFrom<M extends MirrorId>(
  content: unknown,
  mirrors: readonly M[],
): Published<M> | null {
  return Value.Check(publishedOf(mirrors), content) ? (content as unknown as Published<M>) : null;
}

/** Replaces the file atomically. */
export async function saveManifest(
  { path, store }: ManifestFile,
  published: Published,
): Promise<void> {
  const content = { format: FORMAT, store, published };
  const text = JSON.stringify({ ...content, sha256: sealOf(content) });
  await saveBytes(path, new TextEncoder().encode(text));
}

/** null when there is no credible file of these mirrors; `refused` gets the reason. */
export async function readManifest<M extends MirrorId>(
  { path, store }: ManifestFile,
  mirrors: readonly M[],
  refused: (reason: string) => void,
): Promise<Published<M> | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  const manifest = parsed(text);
  if (!Value.Check(schemaOf(mirrors), manifest)) {
    refused('it cannot be read');
    return null;
  }
  const { sha256, ...content } = manifest;
  if (sealOf(content) !== sha256) {
    refused('its checksum does not match');
    return null;
  }
  if (content.store !== store) {
    refused('it is of another store');
    return null;
  }
  // The schema accepts no other mirror.
  return content.published as unknown as Published<M>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function sealOf(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
