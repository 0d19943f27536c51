/**
 * What the memory rung answered from when it last changed, kept as a small file beside the snapshots,
 * so that a start without the store knows which of them belong together.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { LAYER_IDS } from '../layers/keys.ts';
import { saveBytes } from '../snapshot/files.ts';
import type { Published } from './snapshot-keeper.ts';

/** Raised when what a manifest means changes: an older one is then as good as none. */
const FORMAT = 2;

const count = Type.Integer({ minimum: 0 });
const instant = Type.Number({ minimum: 0 });

const ManifestSchema = Type.Object({
  format: Type.Literal(FORMAT),
  store: Type.String(),
  published: Type.Object({
    generation: count,
    versions: Type.Array(
      Type.Object({
        layer: Type.Enum([...LAYER_IDS]),
        version: count,
        syncedAtMs: instant,
        held: Type.Boolean(),
        publishedAtMs: instant,
      }),
    ),
  }),
  /** Of everything above, as JSON. */
  sha256: Type.String(),
});

export interface ManifestFile {
  readonly path: string;
  /** Which store the versions are of: those of another one mean nothing here. */
  readonly store: string;
}

/** Replaces the file, whole. */
export async function saveManifest(file: ManifestFile, published: Published): Promise<void> {
  const content = { format: FORMAT, store: file.store, published };
  const text = JSON.stringify({ ...content, sha256: sealOf(content) });
  await saveBytes(file.path, new TextEncoder().encode(text));
}

/** null when there is none, or none that can be believed; `refused` is told why. */
export async function readManifest(
  file: ManifestFile,
  refused: (reason: string) => void,
): Promise<Published | null> {
  const text = await readFile(file.path, 'utf8').catch(() => null);
  if (text === null) return null;
  const manifest = parsed(text);
  if (!Value.Check(ManifestSchema, manifest)) {
    refused('it cannot be read');
    return null;
  }
  const { sha256, ...content } = manifest;
  if (sealOf(content) !== sha256) {
    refused('its checksum does not match');
    return null;
  }
  if (content.store !== file.store) {
    refused('it is of another store');
    return null;
  }
  return content.published;
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
