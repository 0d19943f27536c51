/** Puts the terrain together: the tiles of a folder, a WCS, and the questions over both. */
import type { Logger } from 'pino';
import type { Clock } from '../../kernel/clock.ts';
import type { Land } from '../../geo/land.ts';
import type { Coverage } from '../../layers/coverage.ts';
import type { TerrainSource } from './terrain.ts';
import type { CoveredLands } from '../../memory/covered-lands.ts';
import { createTerrain } from './lookup.ts';
import type { Terrain } from './lookup.ts';
import { createTileWatch } from './tile-watch.ts';
import { createTileReader } from './tiles.ts';
import { createWcsClient } from './wcs-client.ts';
import { createTerrainWcs } from './wcs.ts';
import type { HostGate } from '../../wfs/hosts.ts';
import { Reasons } from '../../kernel/reasons.ts';

/** Where heights come from; nothing of it set: the terrain is not set up here. */
export interface TerrainSources {
  readonly folder: string | null;
  readonly wcs: TerrainSource | null;
}

export interface TerrainParts {
  readonly sources: TerrainSources;
  /** Absent: the country. */
  readonly lands?: CoveredLands;
  readonly clock: Clock;
  readonly gate: HostGate;
  readonly log: Pick<Logger, 'warn'>;
  /** Of the WCS; null: none is configured. A secret. */
  readonly apiKey: string | null;
}

export interface ComposedTerrain {
  /** Absent: not set up. */
  readonly edge: { readonly terrain?: Terrain };
  stop(): Promise<void>;
}

/** Starts to look through the folder; nobody waits for it. */
export function composeTerrain(parts: TerrainParts): ComposedTerrain {
  const { sources, lands, clock, gate, log, apiKey } = parts;
  const { folder, wcs } = sources;
  if (folder === null && wcs === null) return { edge: {}, stop: () => Promise.resolve() };
  const say = (message: string) => log.warn({ component: 'terrain' }, message);
  const watch = folder === null ? null : createTileWatch({ folder, clock, log: say });
  const client = createWcsClient({ clock });
  const once = new Reasons(say);
  const terrain = createTerrain({
    clock,
    tiles: watch && { watch, reader: createTileReader() },
    wcs: wcs && createTerrainWcs({ source: wcs, client, gate, clock, apiKey }),
    ...(lands !== undefined &&
      wcs !== null &&
      wcs.coverage !== null && { land: landOf(lands, wcs.coverage) }),
    coverage: wcs?.coverage ?? null,
    onFailure: (source, error) => once.tell(NAMES[source], error),
  });
  watch?.start();
  return {
    edge: { terrain },
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
