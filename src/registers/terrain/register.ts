import type { Register, Composed, RegisterParts } from '../../core/register.ts';
import type { TerrainLookups, Terrain } from './lookup.ts';
import { TERRAIN_SCHEMAS, TERRAIN_QUESTIONS } from './questions.ts';
import { askWcsOnce } from './dry-run.ts';
import { TERRAIN_SETTINGS } from './settings.ts';
import type { Land } from '../../geo/land.ts';
import { Reasons } from '../../kernel/reasons.ts';
import type { Coverage } from '../../layers/coverage.ts';
import type { CoveredLands } from '../../core/land/covered-lands.ts';
import { registerMeta } from '../../answers/register-meta.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import { createTerrain } from './lookup.ts';
import { terrainSources } from './sources.ts';
import type { TerrainSources } from './sources.ts';
import { createTileWatch } from './tile-watch.ts';
import { createTileReader } from './tiles.ts';
import { createWcsClient } from './wcs-client.ts';
import { createTerrainWcs } from './wcs.ts';

export const terrain: Register<TerrainLookups> = {
  name: 'terrain',
  joins: [],
  mirrors: [],
  document: {
    tags: [{ name: 'dhm', description: 'Heights of the terrain' }],
    schemas: TERRAIN_SCHEMAS,
    folder: import.meta.dirname,
  },
  questions: TERRAIN_QUESTIONS,
  liveSettings: TERRAIN_SETTINGS,
  compose: composeTerrain,
  dryRun: askWcsOnce,
};

function composeTerrain(parts: RegisterParts): Composed<TerrainLookups> {
  const sources = terrainSources(parts);
  const composed = composeHeights(sources, parts);
  const terrain = composed?.terrain ?? null;
  const meta = registerMeta(sourceNameOf('Danmarks Højdemodel', parts), null);
  return {
    lookups: { terrain, meta },
    hosts: sources.wcs === null ? [] : [sources.wcs.host],
    status: () => terrain?.status() ?? null,
    stop: async () => await composed?.stop(),
  };
}

/** Starts to scan the folder in the background. null: nothing is configured. */
function composeHeights(
  { folder, wcs }: TerrainSources,
  parts: Pick<RegisterParts, 'clock' | 'gate' | 'keys' | 'limiters'> & {
    readonly log: Pick<RegisterParts['log'], 'warn'>;
    /** Absent: the country. */
    readonly lands?: CoveredLands;
  },
): { readonly terrain: Terrain; stop(): Promise<void> } | null {
  if (folder === null && wcs === null) return null;
  const { clock, gate, keys, log, lands } = parts;
  const say = (message: string) => log.warn({ component: 'terrain' }, message);
  const watch = folder === null ? null : createTileWatch({ folder, clock, log: say });
  const client = createWcsClient({ clock });
  const reasons = new Reasons(say);
  const apiKey = keys['terrain'] ?? null;
  const coverage = wcs?.coverage ?? null;
  const terrain = createTerrain({
    clock,
    tiles: watch && { watch, reader: createTileReader(parts.limiters) },
    wcs: wcs && createTerrainWcs({ source: wcs, client, gate, clock, apiKey }),
    ...(lands !== undefined && coverage !== null && { land: landOf(lands, coverage) }),
    coverage,
    onFailure: (source, error) => reasons.tell(NAMES[source], error),
  });
  watch?.start();
  return {
    terrain,
    stop: async () => {
      await watch?.stop();
      await client.close();
    },
  };
}

function landOf(lands: CoveredLands, coverage: Coverage): () => Promise<Land | null> {
  return async () => {
    await lands.refresh();
    return lands.landOf(coverage);
  };
}

const NAMES = { tiles: 'a terrain tile', wcs: 'the terrain WCS' } as const;
