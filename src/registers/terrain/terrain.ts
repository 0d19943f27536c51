/** The operator's tiles and a WCS (upstream/registers-geo.md 5.2). Nothing is mirrored. */
import type { PointUtm32 } from '../../geo/point.ts';
import { toUtm32 } from '../../geo/project.ts';
import type { Coverage } from '../../layers/coverage.ts';

export const TERRAIN_MODELS = ['terraen', 'overflade'] as const;
export type TerrainModel = (typeof TERRAIN_MODELS)[number];

/** The height system of every answer (D119). */
export const HEIGHT_SYSTEM = 'DVR90';

/** WCS 1.0.0 whose GetCoverage answers GeoTIFF in EPSG:25832. */
export interface TerrainSource {
  readonly host: 'terrain';
  readonly url: string;
  readonly coverages: Readonly<Record<TerrainModel, string>>;
  readonly format: string;
  /** A corner of any cell; windows are aligned to cells, in metres. */
  readonly grid: {
    readonly x: number;
    readonly y: number;
    readonly cellX: number;
    readonly cellY: number;
  };
  /** Where the answer names none. A window of only other out-of-range values is a failure. */
  readonly noData: readonly number[];
  readonly pointTimeoutMs: number;
  readonly tries: number;
  readonly apiKeyParameter: string | null;
  /** Land it claims to cover; null: the country. A tile covers the points it contains. */
  readonly coverage: Coverage | null;
  readonly knownPoint: PointUtm32;
}

export type TerrainOverride = Partial<
  Omit<TerrainSource, 'kind' | 'host' | 'coverages' | 'grid'> & {
    readonly coverages: Partial<TerrainSource['coverages']>;
    readonly grid: Partial<TerrainSource['grid']>;
  }
>;

/** As its clients report it (marked B there), so it can be overridden. */
export const DHM_WCS: TerrainSource = {
  host: 'terrain',
  url: 'https://wcs.datafordeler.dk/DHMNedboer/dhm_wcs/1.0.0/WCS',
  coverages: { terraen: 'dhm_terraen', overflade: 'dhm_overflade' },
  format: 'GTiff',
  grid: { x: 0, y: 0, cellX: 0.4, cellY: 0.4 },
  noData: [-9999, -32_768, -3.4028234663852886e38],
  pointTimeoutMs: 6_000,
  tries: 2,
  apiKeyParameter: 'apikey',
  coverage: null,
  // The Round Tower in Copenhagen.
  knownPoint: toUtm32({ lon: 12.5757, lat: 55.6813 }),
};

export function overrideTerrain(base: TerrainSource, change: TerrainOverride): TerrainSource {
  return {
    ...base,
    ...change,
    coverages: { ...base.coverages, ...change.coverages },
    grid: { ...base.grid, ...change.grid },
  };
}

/** null: its key is missing, and every answer would be 401. */
export function terrainWcs(change: TerrainOverride, apiKey: string | null): TerrainSource | null {
  const wcs = overrideTerrain(DHM_WCS, change);
  return wcs.apiKeyParameter !== null && apiKey === null ? null : wcs;
}
