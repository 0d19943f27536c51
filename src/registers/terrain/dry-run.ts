import type { PointUtm32 } from '../../geo/point.ts';
import { TERRAIN_MODELS } from './terrain.ts';
import { TERRAIN } from '../../layers/keys.ts';
import type { TerrainModel, TerrainSource } from './terrain.ts';
import { reasonOf } from '../../core/dry-run.ts';
import type { LiveOutcome, LiveQuestion } from '../../core/dry-run.ts';
import { wcsBy } from './sources.ts';
import { createWcsClient } from './wcs-client.ts';
import type { WcsClient } from './wcs-client.ts';
import { cellUnder, gridOf } from './windows.ts';

/** Requests a window of four cells of each model. Never rejects. */
export async function askWcsOnce({
  clock,
  keys,
  settings,
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
    const outcomes: LiveOutcome[] = [];
    for (const model of TERRAIN_MODELS) {
      outcomes.push(await tryModel(client, source, { model, point, apiKey }));
    }
    return outcomes;
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
  },
): Promise<LiveOutcome> {
  const { model, point, apiKey } = asked;
  const grid = gridOf(source.grid, { ...cellUnder(source, point), columns: 2, rows: 2 });
  const what = `${model} (${source.coverages[model]})`;
  try {
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
