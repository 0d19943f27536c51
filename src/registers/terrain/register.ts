import type { Register, Composed, RegisterParts } from '../../core/register.ts';
import type { TerrainLookups, Terrain } from './lookup.ts';
import { TERRAIN_SCHEMAS, TERRAIN_QUESTIONS } from './questions.ts';
import type { Land } from '../../geo/land.ts';
import { Reasons } from '../../kernel/reasons.ts';
import type { Coverage } from '../../layers/coverage.ts';
import type { CoveredLands } from '../../core/land/covered-lands.ts';
import { registerMeta } from '../../answers/register-meta.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import { createTerrain } from './lookup.ts';
import { TileWatch } from './tile-watch.ts';
import { TileReader } from './tiles.ts';
import { createWcsClient } from './wcs-client.ts';
import { TerrainWcs } from './wcs.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { TERRAIN_MODELS, terrainWcs } from './terrain.ts';
import { TERRAIN } from '../../layers/keys.ts';
import type { TerrainModel, TerrainSource } from './terrain.ts';
import { reasonOf } from '../../core/dry-run.ts';
import type { LiveOutcome, LiveQuestion } from '../../core/dry-run.ts';
import type { WcsClient } from './wcs-client.ts';
import { cellUnder, gridOf } from './windows.ts';
import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { COVERAGE } from '../../layers/read-coverage.ts';
import { WFS_SOURCE, partialOf } from '../../layers/source-shapes.ts';
import type { LiveSettings } from '../../core/live-settings.ts';

const WCS = partialOf({
  url: WFS_SOURCE.url,
  coverages: partialOf({
    terraen: Type.String({ minLength: 1 }),
    overflade: Type.String({ minLength: 1 }),
  }),
  format: Type.String({ minLength: 1 }),
  grid: partialOf({
    x: Type.Number(),
    y: Type.Number(),
    cellX: Type.Number({ minimum: LIMITS.terrain.cellM.min, maximum: LIMITS.terrain.cellM.max }),
    cellY: Type.Number({ minimum: LIMITS.terrain.cellM.min, maximum: LIMITS.terrain.cellM.max }),
  }),
  noData: Type.Array(Type.Number(), { maxItems: LIMITS.terrain.marks }),
  pointTimeoutMs: WFS_SOURCE.pointTimeoutMs,
  tries: WFS_SOURCE.tries,
  apiKeyParameter: WFS_SOURCE.apiKeyParameter,
  coverage: COVERAGE,
});

const TERRAIN_SETTINGS: LiveSettings = { key: TERRAIN, schema: WCS };

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
  const { settings, keys } = parts;
  const sources = { folder: settings.dhmDir, wcs: wcsBy(settings, keys) };
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

/** Scans in the background. null: nothing is configured. */
function composeHeights(
  { folder, wcs }: TerrainSources,
  parts: Pick<RegisterParts, 'clock' | 'gate' | 'keys' | 'limiters'> & {
    readonly log: Pick<RegisterParts['log'], 'warn'>;
    readonly lands?: CoveredLands;
  },
): { readonly terrain: Terrain; stop(): Promise<void> } | null {
  if (folder === null && wcs === null) return null;
  const { clock, gate, keys, log, lands } = parts;
  const say = (message: string) => log.warn({ component: 'terrain' }, message);
  const watch = folder === null ? null : new TileWatch({ folder, clock, log: say });
  const client = createWcsClient({ clock });
  const reasons = new Reasons(say);
  const apiKey = keys['terrain'] ?? null;
  const coverage = wcs?.coverage ?? null;
  const terrain = createTerrain({
    clock,
    tiles: watch && { watch, reader: new TileReader(parts.limiters) },
    wcs: wcs && new TerrainWcs({ source: wcs, client, gate, clock, apiKey }),
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

/** Four cells of each model. Never rejects. */
export async function askWcsOnce({
  clock,
  keys,
  settings,
  reach,
}: LiveQuestion): Promise<readonly LiveOutcome[]> {
  const source = wcsBy(settings, keys);
  if (source === null) {
    const detail = 'the WCS is not asked: DATAFORDELER_API_KEY is not set';
    return [{ layer: TERRAIN, state: 'not-asked', detail }];
  }
  const client = createWcsClient({ clock });
  const point = source.knownPoint;
  const apiKey = keys['terrain'] ?? null;
  try {
    return await Promise.all(
      TERRAIN_MODELS.map((model) => tryModel(client, source, { model, point, apiKey, reach })),
    );
  } finally {
    await client.close();
  }
}

async function tryModel(
  client: WcsClient,
  source: TerrainSource,
  asked: {
    readonly model: TerrainModel;
    readonly point: PointUtm32;
    readonly apiKey: string | null;
    readonly reach: LiveQuestion['reach'];
  },
): Promise<LiveOutcome> {
  const { model, point, apiKey, reach } = asked;
  const grid = gridOf(source.grid, { ...cellUnder(source, point), columns: 2, rows: 2 });
  const what = `${model} (${source.coverages[model]})`;
  try {
    await reach?.(source.url);
    const cells = await client.fetchWindow(source, { model, grid, apiKey });
    const heights = [...cells].filter((height) => !Number.isNaN(height));
    const told =
      heights.length === 0
        ? 'no height'
        : `${Math.min(...heights).toFixed(2)} to ${Math.max(...heights).toFixed(2)} m`;
    const at = `${point.xUtm32.toFixed(0)} ${point.yUtm32.toFixed(0)}`;
    const detail = `${what}: ${told} in ${cells.length} cells of ${grid.cellX} m at ${at}`;
    return { layer: TERRAIN, state: 'answered', detail };
  } catch (error) {
    const detail = `${what}: ${reasonOf(error, apiKey === null ? [] : [apiKey])}`;
    return { layer: TERRAIN, state: 'failed', detail };
  }
}

interface TerrainSources {
  readonly folder: string | null;
  readonly wcs: TerrainSource | null;
}

/** null: its key is missing. */
function wcsBy(
  { live }: Pick<RegisterParts['settings'], 'live'>,
  keys: RegisterParts['keys'],
): TerrainSource | null {
  return terrainWcs(live[TERRAIN] ?? {}, keys['terrain'] ?? null);
}
