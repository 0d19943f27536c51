/** Which book of addresses was in service last, in a small file: for a start without the store. */
import { Type } from 'typebox';
import type { PublishedAddresses } from './address-keeper.ts';
import { count, instant, readSealed, saveSealed } from './sealed-manifest.ts';
import type { ManifestFile } from './sealed-manifest.ts';

const KIND = {
  format: 1,
  published: Type.Object({
    version: count,
    generation: count,
    syncedAtMs: instant,
    held: Type.Boolean(),
    publishedAtMs: instant,
    // Absent in files of earlier releases.
    outdatedAtMs: Type.Optional(Type.Union([instant, Type.Null()])),
  }),
};

/** As `saveSealed`. */
export async function saveAddressManifest(
  file: ManifestFile,
  published: PublishedAddresses,
): Promise<void> {
  await saveSealed(KIND, file, published);
}

/** As `readSealed`. */
export async function readAddressManifest(
  file: ManifestFile,
  refused: (reason: string) => void,
): Promise<PublishedAddresses | null> {
  return await readSealed(KIND, file, refused);
}
