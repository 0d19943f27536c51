/** Where a layer comes from, as data an operator can override. No secret is part of a definition. */

/** A WFS 2.0 feature type and how to read all of it. */
export interface WfsSource {
  readonly kind: 'wfs';
  /** The host it shares breakers and in-flight limits with. */
  readonly host: 'portal' | 'heritage' | 'cadastre' | 'dagi';
  /** Base address without query string; this is also `kilde.wfs` (D32). */
  readonly url: string;
  /** Qualified feature type name; this is also `kilde.lag` (D32). */
  readonly typeName: string;
  readonly format: 'gml' | 'geojson';
  /** Name of the geometry property, without prefix. */
  readonly geometryProperty: string;
  /** Unique attribute: sort key of the pages and key of the mirror. Without prefix. */
  readonly keyProperty: string;
  /** `srsName` to ask for; answers are always brought to EPSG:25832. */
  readonly srsName: string;
  /** Features per page (`count`). */
  readonly pageSize: number;
  /** Time limits in milliseconds: one sync page, one live point window. */
  readonly pageTimeoutMs: number;
  readonly pointTimeoutMs: number;
  /** Tries per page before the run fails. */
  readonly tries: number;
  /** Query parameter that carries the API key, where the host asks for one. */
  readonly apiKeyParameter: string | null;
  /**
   * DAGI only: the scale to mirror, as in `skala`; rows of other scales are skipped. Absent means
   * the base scale `1:10.000`, null accepts every scale (a source that holds one scale only).
   */
  readonly dagiScale?: string | null;
  /** Only features that meet one of these are asked for; absent or empty: all. */
  readonly anyOf?: readonly FeatureCondition[];
}

/** Features whose property has one of the values, compared as the register compares. */
export interface FeatureCondition {
  readonly property: string;
  readonly values: readonly string[];
}

/** Rows of a feature type without their geometry: the pages of a WFS as a table of a register. */
export interface FeatureTableSource extends WfsSource {
  readonly format: 'geojson';
  readonly anyOf: readonly FeatureCondition[];
  /** More than this are not read: the conditions are not the server's, or not what they were. */
  readonly maxRows: number;
}

/** Zip files of the Datafordeler: found in a listing, fetched by name (upstream/registers-geo.md 1.4). */
export interface DownloadSource {
  readonly kind: 'files';
  /** The host it shares a key with. */
  readonly host: 'datafordeler-files';
  /** Addresses of the listing and of the files, without query string. */
  readonly listUrl: string;
  readonly fetchUrl: string;
  readonly register: string;
  readonly entity: string;
  readonly format: 'gpkg' | 'json' | 'gml' | 'csv';
  /** Which rows its files hold: those true now (as by default), all of today's knowledge, or all ever. */
  readonly contents?: 'Current' | 'Temporal' | 'Bitemporal';
  /**
   * Data-model versions, the preferred first. Each has a generation counter of its own, and a new
   * one may list an empty stub: the first that lists a file of at least `minBytes` is taken.
   */
  readonly versions: readonly string[];
  /** A smaller file is a stub and never replaces a table. */
  readonly minBytes: number;
  /** Bytes the zip may have, and what is in it; absent: LIMITS.downloadBytes, downloadUnpackedBytes. */
  readonly maxBytes?: number;
  readonly maxUnpackedBytes?: number;
  /** Time limits in milliseconds: one page of the listing, one whole file. */
  readonly listTimeoutMs: number;
  readonly fetchTimeoutMs: number;
  /** Tries per file: long downloads are reset now and then. */
  readonly tries: number;
  readonly apiKeyParameter: string | null;
}

/** A whole table of features. */
export interface FileSource extends DownloadSource {
  readonly format: 'gpkg' | 'json' | 'gml';
  /** Unique attribute, and the geometry: as in WfsSource. */
  readonly keyProperty: string;
  readonly geometryProperty: string;
  /** CRS of geometry that names none (the WKT of the JSON files). */
  readonly srsName: string;
  readonly dagiScale?: string | null;
}

/** A table of rows: whole each week, and what changed each day. */
export interface TableSource extends DownloadSource {
  readonly format: 'json' | 'csv';
}

/** Which rows it holds. */
export function contentsOf(source: TableSource | FeatureTableSource) {
  return (source.kind === 'files' ? source.contents : undefined) ?? 'Current';
}

export type LayerSource = WfsSource | FileSource;

/** Hosts that may ask for a key. */
export type SourceHost = LayerSource['host'] | 'terrain' | 'virk';

/** A place that the area with the code covers, whatever else changes: frame and axes are right. */
export interface KnownPlace {
  readonly code: string;
  readonly lon: number;
  readonly lat: number;
}

/** How fresh a copy must be, seconds. */
export interface Freshness {
  /** Older than this is stale: the origin is asked, else the copy answers marked stale. */
  readonly limitS: number;
  /** Older than this never answers (D34). */
  readonly hardLimitS: number;
}

/** Limits a sync run is checked against before it may publish. */
export interface Guards {
  /** Fewer rows than this refuse the run. */
  readonly minRows: number;
  /** Largest share of the mirrored rows that may change or disappear in one run (0 to 1). */
  readonly maxChangeShare: number;
  /** Changes up to this many rows never trip the share guard (small layers). */
  readonly changeFloorRows: number;
  /** Largest share of received rows that may be unreadable (0 to 1). */
  readonly maxIssueShare: number;
  /** Features that may come unreadable though the copy holds them: each would be a hole. */
  readonly maxLostRows: number;
  /** Largest net loss and gain of rows in one run, as shares of the copy (0 to 1, and above). */
  readonly maxDropShare: number;
  readonly maxGrowthShare: number;
  /** The same for the sum of the areas; area layers only. No floor: one wrong giant is enough. */
  readonly maxAreaDropShare: number;
  readonly maxAreaGrowthShare: number;
  /** Sum of what repairs of invalid geometry may change, as a share of the layer's area. */
  readonly maxRepairShare: number;
  /** Share of the canary points whose answer may change in one run (0 to 1). */
  readonly maxCanaryShare: number;
  /** Places that must lie in the areas named; empty: none are known. */
  readonly knownPlaces: readonly KnownPlace[];
}
