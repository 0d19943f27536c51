import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RegisterParts } from '../../core/register.ts';
import { terrainWcs } from './terrain.ts';
import { TERRAIN } from '../../layers/keys.ts';
import type { TerrainSource } from './terrain.ts';
import { sampleCoverage } from '../../../sample/data/coverage.ts';
import { TERRAIN_PATH } from '../../../sample/registers/terrain/answer.ts';
import { SAMPLE_TILE_NAME, sampleTile } from '../../../sample/registers/terrain/heights.ts';

/** All null: the terrain is not configured. */
export interface TerrainSources {
  readonly folder: string | null;
  readonly wcs: TerrainSource | null;
}

/** Writes the sample's tile where the sample is used. */
export function terrainSources({
  settings,
  keys,
}: Pick<RegisterParts, 'settings' | 'keys'>): TerrainSources {
  const { dhmDir, dataDir, sampleUrl } = settings;
  const wcs = wcsBy(settings, keys);
  if (sampleUrl === null) return { folder: dhmDir, wcs };
  return { folder: dhmDir ?? writeSampleTile(join(dataDir, 'sample-dhm')), wcs };
}

/** The WCS in force; null: its key is missing. */
export function wcsBy(
  { sampleUrl, live }: Pick<RegisterParts['settings'], 'sampleUrl' | 'live'>,
  keys: RegisterParts['keys'],
): TerrainSource | null {
  const { [TERRAIN]: change = {} } = live;
  const url = sampleUrl === null ? null : `${sampleUrl}${TERRAIN_PATH}`;
  const covered = sampleUrl === null ? change : { coverage: sampleCoverage(), ...change };
  return terrainWcs(covered, { sampleUrl: url, apiKey: keys['terrain'] ?? null });
}

/** Atomic, and only where it does not exist: another process may be reading it. */
function writeSampleTile(folder: string): string {
  const path = join(folder, SAMPLE_TILE_NAME);
  const bytes = sampleTile();
  if (isThere(path, bytes)) return folder;
  mkdirSync(dirname(path), { recursive: true });
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
