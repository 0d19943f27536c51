/** Which book of addresses was in service last, in a small file: for a start without the store. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { saveBytes } from '../snapshot/files.ts';
import type { PublishedAddresses } from './address-keeper.ts';
import type { ManifestFile } from './snapshot-manifest.ts';

/** Raised when what the file means changes: an older one is then as good as none. */
const FORMAT = 1;

const count = Type.Integer({ minimum: 0 });
const instant = Type.Number({ minimum: 0 });

const Schema = Type.Object({
  format: Type.Literal(FORMAT),
  store: Type.String(),
  published: Type.Object({
    version: count,
    generation: count,
    syncedAtMs: instant,
    held: Type.Boolean(),
    publishedAtMs: instant,
  }),
  /** Of everything above, as JSON. */
  sha256: Type.String(),
});

/** Replaces the file, whole. */
export async function saveAddressManifest(
  file: ManifestFile,
  published: PublishedAddresses,
): Promise<void> {
  const content = { format: FORMAT, store: file.store, published };
  const text = JSON.stringify({ ...content, sha256: sealOf(content) });
  await saveBytes(file.path, new TextEncoder().encode(text));
}

/** null when there is none, or none that can be believed; `refused` is told why. */
export async function readAddressManifest(
  file: ManifestFile,
  refused: (reason: string) => void,
): Promise<PublishedAddresses | null> {
  const text = await readFile(file.path, 'utf8').catch(() => null);
  if (text === null) return null;
  const manifest = parsed(text);
  if (!Value.Check(Schema, manifest)) refused('it cannot be read');
  else {
    const { sha256, ...content } = manifest;
    if (sealOf(content) !== sha256) refused('its checksum does not match');
    else if (content.store !== file.store) refused('it is of another store');
    else return content.published;
  }
  return null;
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
