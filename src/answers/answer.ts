/**
 * What lookups answer, before anything is rendered. English, exact, and shaped so that a false can
 * only be built from a measurement (invariant 1): an unavailable line has no `within` at all.
 */
import type { GzipPiece } from '../kernel/gzip.ts';
import type { LineAttributes } from '../layers/feature.ts';
import type { LayerId, LineKey, MirrorId, Theme } from '../layers/keys.ts';
import type { Point } from '../geo/point.ts';

/** The rung of the ladder that answered (D65a). */
export type Rung = 'snapshot' | 'store' | 'origin' | 'stale';

/** Where an answer about one layer came from and how old it is. */
export interface Provenance {
  readonly rung: Rung;
  /** Seconds since the copy was last proved equal to its source; 0 for the origin. */
  readonly ageS: number;
}

/** Told what each answer came from, so that fallbacks can be counted. Must be quick and not throw. */
export interface Watcher {
  /** `times`: once where absent. */
  answered(layer: MirrorId, by: Rung | 'unavailable', times?: number): void;
  originFailed(layer: LayerId, error: unknown): void;
}

/** A feature as shown in `traef` and `ophaevede`. */
export interface FeatureHit {
  readonly objectId: string;
  readonly inForce: boolean;
  readonly attributes: LineAttributes;
  /** Square metres; null for the two line layers. */
  readonly areaM2: number | null;
}

export interface RepealedHit extends FeatureHit {
  /** Signed distance to this feature, metres, unrounded. */
  readonly distanceM: number;
}

export interface MeasuredLine {
  readonly status: 'ok';
  readonly line: LineKey;
  readonly within: boolean;
  readonly uncertain: boolean;
  /** Signed, metres, unrounded (D27, D28); null when nothing in force lies within the radius. */
  readonly distanceM: number | null;
  /** In-force features within the radius (D30). */
  readonly count: number;
  readonly hit: FeatureHit | null;
  readonly repealed: readonly RepealedHit[];
  readonly provenance: Provenance;
}

/** Nothing could answer. There is no `within` to misread. */
export interface UnavailableLine {
  readonly status: 'unavailable';
  readonly line: LineKey;
  /** All that the copy covers, where the point, or what lies around it, is no part of that (D142). */
  readonly covered?: string;
}

export type LineAnswer = MeasuredLine | UnavailableLine;

export interface BuildingLinesAnswer {
  readonly point: Point;
  readonly searchRadiusM: number;
  /** The asked lines in the order of D20. */
  readonly lines: readonly LineAnswer[];
}

/** A DAGI area. The name is always there; the geometry is best effort. */
export interface AreaAnswer {
  readonly theme: Theme;
  readonly code: string;
  readonly name: string;
  /** null: no region layer has told yet. */
  readonly regionCode: string | null;
  /** null: utilgaengelig (D42). */
  readonly geometry: AreaGeometry | null;
  readonly provenance: Provenance;
}

/** The value of `geometri` as JSON text, rendered once per version of the area and kept compressed. */
export interface AreaGeometry {
  readonly json: GzipPiece;
  /** Changes whenever the text does. */
  readonly contentHash: string;
}

/** Areas of one point over the six themes, or why the register did not answer. */
export interface ReverseAreasAnswer {
  readonly point: Point;
  readonly areas: readonly {
    readonly theme: Theme;
    readonly name: string;
    readonly code: string;
  }[];
  readonly provenance: readonly Provenance[];
}

export type AreaNames = ReverseAreasAnswer['areas'];
