/** Where the terrain's heights come from by the settings; for the sample a tile and a WCS of its own. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { terrainWcs } from './terrain.ts';
import { sampleCoverage } from '../../../sample/data/coverage.ts';
import { TERRAIN_PATH } from './sample/answer.ts';
import { SAMPLE_TILE_NAME, sampleTile } from './sample/heights.ts';
import type { TerrainSources } from './compose.ts';

type Settings = Pick<Config, 'sources' | 'terrain' | 'dhmDir' | 'dataDir' | 'datafordelerKey'>;

/** `sampleUrl`: where the sample upstream listens; null: the registers are asked. Writes the sample's tile. */
export function terrainSources(config: Settings, sampleUrl: string | null): TerrainSources {
  const { terrain, dhmDir, dataDir, datafordelerKey } = config;
  const url = sampleUrl === null ? null : `${sampleUrl}${TERRAIN_PATH}`;
  const change = sampleUrl === null ? terrain : { coverage: sampleCoverage(), ...terrain };
  const wcs = terrainWcs(change, { sampleUrl: url, apiKey: datafordelerKey });
  if (sampleUrl === null) return { folder: dhmDir, wcs };
  return { folder: dhmDir ?? writeSampleTile(join(dataDir, 'sample-dhm')), wcs };
}

/** Whole or not at all, and only where it is not there yet: another process may be reading it. */
function writeSampleTile(folder: string): string {
  const path = join(folder, SAMPLE_TILE_NAME);
  const bytes = sampleTile();
  if (isThere(path, bytes)) return folder;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
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
