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
}

export type LayerSource = WfsSource;

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
}
