/**
 * The terrain models, and where their heights come from (upstream/registers-geo.md 5.2): tiles in a folder of
 * the operator's, and a WCS. Nothing of them is mirrored: the country has 2.7 · 10¹¹ cells of 0.4 m.
 */
import type { Coverage } from '../../layers/coverage.ts';

/** As they are asked for; a folder of each in `DHM_DIR`. */
export const TERRAIN_MODELS = ['terraen', 'overflade'] as const;
export type TerrainModel = (typeof TERRAIN_MODELS)[number];

/** Its height system, of every answer (D119). */
export const HEIGHT_SYSTEM = 'DVR90';

/** A WCS 1.0.0 that answers GetCoverage as GeoTIFF in EPSG:25832. */
export interface TerrainSource {
  readonly kind: 'wcs';
  /** Its breaker and its requests in flight. */
  readonly host: 'terrain';
  /** Without a query string. */
  readonly url: string;
  readonly coverages: Readonly<Record<TerrainModel, string>>;
  readonly format: string;
  /** A corner of any cell and the size of cells, metres: windows are asked for along them. */
  readonly grid: {
    readonly x: number;
    readonly y: number;
    readonly cellX: number;
    readonly cellY: number;
  };
  /**
   * Values that mark "no data here" where the answer itself names none. A window that holds nothing but
   * other values out of range is not believed: it is no answer, and not an empty one.
   */
  readonly noData: readonly number[];
  /** Of one answer with all its tries, milliseconds. */
  readonly pointTimeoutMs: number;
  readonly tries: number;
  readonly apiKeyParameter: string | null;
  /** The land it claims to cover; null: the country. A tile that holds a point covers it, wherever that is. */
  readonly coverage: Coverage | null;
}

/** What a file of the operator's replaces. */
export type TerrainOverride = Partial<
  Omit<TerrainSource, 'kind' | 'host' | 'coverages' | 'grid'> & {
    readonly coverages: Partial<TerrainSource['coverages']>;
    readonly grid: Partial<TerrainSource['grid']>;
  }
>;

/** Names, cells and parameters as clients of it report them (marked B there): data, to be overridden. */
export const DHM_WCS: TerrainSource = {
  kind: 'wcs',
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
};

export function overrideTerrain(base: TerrainSource, change: TerrainOverride): TerrainSource {
  return {
    ...base,
    ...change,
    coverages: { ...base.coverages, ...change.coverages },
    grid: { ...base.grid, ...change.grid },
  };
}

/** The WCS by the settings. `sampleUrl`: the sample's; null: the real one, which is null without its key. */
export function terrainWcs(
  change: TerrainOverride,
  by: { readonly sampleUrl: string | null; readonly apiKey: string | null },
): TerrainSource | null {
  if (by.sampleUrl !== null) return overrideTerrain({ ...DHM_WCS, url: by.sampleUrl }, change);
  const wcs = overrideTerrain(DHM_WCS, change);
  // Without its key it would answer 401 to everybody: it is not configured.
  return wcs.apiKeyParameter !== null && by.apiKey === null ? null : wcs;
}
