/**
 * What the memory rung answered from when it last changed, kept as a small file beside the snapshots,
 * so that a start without the store knows which of them belong together.
 */
import { Type } from 'typebox';
import { LAYER_IDS } from '../layers/keys.ts';
import { count, instant, readSealed, saveSealed } from './sealed-manifest.ts';
import type { ManifestFile } from './sealed-manifest.ts';
import type { Published } from './snapshot-keeper.ts';

const KIND = {
  format: 3,
  published: Type.Object({
    generation: count,
    versions: Type.Array(
      Type.Object({
        layer: Type.Enum([...LAYER_IDS]),
        version: count,
        syncedAtMs: instant,
        held: Type.Boolean(),
        sourceRows: Type.Union([count, Type.Null()]),
        publishedAtMs: instant,
        // Absent in files of earlier releases.
        outdatedAtMs: Type.Optional(Type.Union([instant, Type.Null()])),
      }),
    ),
    refused: Type.Array(Type.Enum([...LAYER_IDS])),
  }),
};

/** As `saveSealed`. */
export async function saveManifest(file: ManifestFile, published: Published): Promise<void> {
  await saveSealed(KIND, file, {
    ...published,
    versions: [...published.versions],
    refused: [...published.refused],
  });
}

/** As `readSealed`. */
export async function readManifest(
  file: ManifestFile,
  refused: (reason: string) => void,
): Promise<Published | null> {
  return await readSealed(KIND, file, refused);
}
