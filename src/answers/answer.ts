/**
 * Answers before rendering. A false comes only from a measurement (invariant 1): an unavailable
 * line has no `within`.
 */
import type { GzipPiece } from '../kernel/gzip.ts';
import type { LineAttributes, AreaAttributes } from '../layers/feature.ts';
import type { LayerId, LineKey, MirrorId, Theme } from '../layers/keys.ts';
import type { Point } from '../geo/point.ts';

/** The rung of the ladder (D65a). */
export type Rung = 'snapshot' | 'store' | 'origin' | 'stale';

export interface Provenance {
  readonly rung: Rung;
  /** Seconds since the copy was last verified; 0 for the origin. */
  readonly ageS: number;
}

/** Counts fallbacks, except outside a copy's coverage (D142). Must be fast and not throw. */
export interface Watcher {
  answered(layer: MirrorId, by: Rung | 'unavailable', times?: number): void;
  originFailed(layer: LayerId, error: unknown): void;
}

export interface FeatureHit {
  readonly objectId: string;
  readonly inForce: boolean;
  readonly attributes: LineAttributes;
  /** null for the two line layers. */
  readonly areaM2: number | null;
}

export interface RepealedHit extends FeatureHit {
  /** Signed, not rounded. */
  readonly distanceM: number;
}

export interface MeasuredLine {
  readonly status: 'ok';
  readonly line: LineKey;
  readonly within: boolean;
  readonly uncertain: boolean;
  /** Signed, not rounded (D27, D28); null: nothing in force within the radius. */
  readonly distanceM: number | null;
  /** In force, within the radius (D30). */
  readonly count: number;
  readonly hit: FeatureHit | null;
  readonly repealed: readonly RepealedHit[];
  readonly provenance: Provenance;
}

/** Without `within`, so that it cannot be misread. */
export interface UnavailableLine {
  readonly status: 'unavailable';
  readonly line: LineKey;
  /** If the point or its surroundings lie outside (D142). */
  readonly covered?: string;
  /** Of the register that was asked. */
  readonly cause?: unknown;
}

export type LineAnswer = MeasuredLine | UnavailableLine;

export interface BuildingLinesAnswer {
  readonly point: Point;
  readonly searchRadiusM: number;
  /** In the order of D20. */
  readonly lines: readonly LineAnswer[];
}

export interface AreaAnswer extends AreaAttributes {
  readonly theme: Theme;
  /** null: utilgaengelig (D42). */
  readonly geometry: AreaGeometry | null;
  readonly provenance: Provenance;
}

/** JSON text. */
export interface AreaGeometry {
  readonly json: GzipPiece;
  readonly contentHash: string;
}

export interface ReverseAreasAnswer {
  readonly point: Point;
  readonly areas: readonly Pick<AreaAnswer, 'theme' | 'code' | 'name'>[];
  readonly provenance: readonly Provenance[];
}

export type AreaNames = ReverseAreasAnswer['areas'];
