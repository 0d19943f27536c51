import type { RegisterParts } from '../../core/register.ts';
import { TERRAIN } from '../../layers/keys.ts';
import { terrainWcs } from './terrain.ts';
import type { TerrainSource } from './terrain.ts';

/** All null: the terrain is not configured. */
export interface TerrainSources {
  readonly folder: string | null;
  readonly wcs: TerrainSource | null;
}

export function terrainSources({
  settings,
  keys,
}: Pick<RegisterParts, 'settings' | 'keys'>): TerrainSources {
  return { folder: settings.dhmDir, wcs: wcsBy(settings, keys) };
}

/** The WCS in force; null: its key is missing. */
export function wcsBy(
  { live }: Pick<RegisterParts['settings'], 'live'>,
  keys: RegisterParts['keys'],
): TerrainSource | null {
  return terrainWcs(live[TERRAIN] ?? {}, keys['terrain'] ?? null);
}
