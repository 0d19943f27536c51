/** The sample's folder of terrain tiles. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SAMPLE_TILE_NAME, sampleTile } from './heights.ts';

/** Writes the sample's tile below `dataDir` where it is missing; returns the folder of tiles. */
export function sampleTileFolder(dataDir: string): string {
  const folder = join(dataDir, 'sample-dhm');
  const path = join(folder, SAMPLE_TILE_NAME);
  const bytes = sampleTile();
  if (isThere(path, bytes)) return folder;
  mkdirSync(dirname(path), { recursive: true });
  // Atomic: another process may be reading it.
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, bytes, { mode: 0o600 });
  renameSync(draft, path);
  return folder;
}

function isThere(path: string, bytes: Buffer): boolean {
  try {
    return readFileSync(path).equals(bytes);
  } catch {
    return false;
  }
}
