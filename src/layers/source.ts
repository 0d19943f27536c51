/** What an operator can override. Never contains a secret. */
import { LIMITS } from '../kernel/limits.ts';

export interface WfsSource {
  readonly kind: 'wfs';
  /** Shares circuit breaker and in-flight limits. */
  readonly host: 'portal' | 'heritage' | 'cadastre' | 'dagi' | 'plandata' | 'dkjord' | 'grukos';
  /** Without query string; also `kilde.wfs` (D32). */
  readonly url: string;
  /** Qualified; also `kilde.lag` (D32). */
  readonly typeName: string;
  readonly format: 'gml' | 'geojson';
  readonly geometryProperty: string;
  /** Unique attribute without prefix: sort key of the pages and key of the mirror. */
  readonly keyProperty: string;
  /** Requested `srsName`; answers are always converted to EPSG:25832. */
  readonly srsName: string;
  readonly pageSize: number;
  /** One sync page, one live window. */
  readonly pageTimeoutMs: number;
  readonly pointTimeoutMs: number;
  readonly tries: number;
  readonly apiKeyParameter: string | null;
  /**
   * DAGI only, as in `skala`; other rows are skipped. Absent: `1:10.000`; null: every scale (a
   * source with one scale only).
   */
  readonly dagiScale?: string | null;
  /** Requests only features that meet one of these; absent or empty: all. */
  readonly anyOf?: readonly FeatureCondition[];
}

export interface FeatureCondition {
  readonly property: string;
  readonly values: readonly string[];
}

export interface FeatureTableSource extends WfsSource {
  readonly format: 'geojson';
  readonly anyOf: readonly FeatureCondition[];
  /** More rows mean that the server ignored the conditions. */
  readonly maxRows: number;
}

/** Found in a listing, fetched by name (upstream/registers-geo.md 1.4). */
export interface DownloadSource {
  readonly kind: 'files';
  readonly host: 'datafordeler-files';
  readonly listUrl: string;
  readonly fetchUrl: string;
  readonly register: string;
  readonly entity: string;
  readonly format: 'gpkg' | 'json' | 'gml' | 'csv';
  /** Current rows (default), all of today's knowledge, or all history. */
  readonly contents?: 'Current' | 'Temporal' | 'Bitemporal';
  /**
   * Data-model versions, preferred first, with separate generation counters. A new one may list a
   * stub: the first with a file of at least `minBytes` is used.
   */
  readonly versions: readonly string[];
  /** A smaller file is a stub and never replaces a table. */
  readonly minBytes: number;
  /** Limits of the zip and its content; absent: LIMITS.downloadBytes, downloadUnpackedBytes. */
  readonly maxBytes?: number;
  readonly maxUnpackedBytes?: number;
  /** One listing page, one whole file. */
  readonly listTimeoutMs: number;
  readonly fetchTimeoutMs: number;
  /** Attempts per file: long downloads are sometimes reset. */
  readonly tries: number;
  readonly apiKeyParameter: string | null;
}

export interface FileSource extends DownloadSource {
  readonly format: 'gpkg' | 'json' | 'gml';
  readonly keyProperty: string;
  readonly geometryProperty: string;
  /** The CRS of geometry that names none (the WKT of the JSON files). */
  readonly srsName: string;
  readonly dagiScale?: string | null;
}

export interface TableSource extends DownloadSource {
  readonly format: 'json' | 'csv';
}

export function contentsOf(source: TableSource | FeatureTableSource) {
  return (source.kind === 'files' ? source.contents : undefined) ?? 'Current';
}

export type LayerSource = WfsSource | FileSource;

export type SourceHost = LayerSource['host'] | 'terrain' | 'virk';

/** Always in the area with the code: verifies frame and axis order. */
export interface KnownPlace {
  readonly code: string;
  readonly lon: number;
  readonly lat: number;
}

/** In seconds. */
export interface Freshness {
  /** Beyond it a copy is stale: the origin is asked, else the copy answers marked stale. */
  readonly limitS: number;
  /** Beyond it a copy never answers (D34). */
  readonly hardLimitS: number;
  /** Since the register made its files: beyond it a copy is outdated (D130). */
  readonly dataLimitS?: number;
}

export function dataLimitS({ dataLimitS: limitS = LIMITS.dataAgeS }: Freshness): number {
  return limitS;
}

export interface Guards {
  /** Fewer rows refuse the run. */
  readonly minRows: number;
  /** Share of mirrored rows that one run may change or remove (0 to 1). */
  readonly maxChangeShare: number;
  /** Up to this many changes never trip the share guard (small layers). */
  readonly changeFloorRows: number;
  readonly maxIssueShare: number;
  /** Features in the copy that may become unreadable: each would be a hole. */
  readonly maxLostRows: number;
  /** Loss and growth of rows in one run, as shares of the copy (0 to 1, and above). */
  readonly maxDropShare: number;
  readonly maxGrowthShare: number;
  /** Shares of total area; area layers only. No floor: one wrong giant is enough. */
  readonly maxAreaDropShare: number;
  readonly maxAreaGrowthShare: number;
  /** Total change by repairs, as a share of the layer's area. */
  readonly maxRepairShare: number;
  /** Share of canary points whose answer may change in one run (0 to 1). */
  readonly maxCanaryShare: number;
  /** Must lie in the named areas; empty: none are known. */
  readonly knownPlaces: readonly KnownPlace[];
}
