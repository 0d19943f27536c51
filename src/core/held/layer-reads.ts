/** What is read of layers at points, from the store or from memory. */
import type { PointUtm32 } from '../../geo/point.ts';
import type { LineLayer } from '../../layers/catalogue.ts';
import type { LineAttributes } from '../../layers/feature.ts';
import type { LineKey, Theme } from '../../layers/keys.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';

export interface StoredFeature {
  readonly objectId: string;
  readonly areaM2: number | null;
  readonly attributes: LineAttributes;
}

/** One line at one point. Metres, unrounded; -0 never occurs. */
export interface LineMeasure {
  readonly within: boolean;
  /** D25. */
  readonly uncertain: boolean;
  /** D27, D28; null when nothing in force is within the radius. */
  readonly distanceM: number | null;
  /** D30. */
  readonly count: number;
  /** D26; null when not within. */
  readonly hit: StoredFeature | null;
  /** D31: nearest first, at most LIMITS.repealedPerLine. */
  readonly repealed: readonly (StoredFeature & { readonly distanceM: number })[];
}

export interface LinesRead {
  /** What measured: the store's statement, or a set of snapshots in memory. */
  readonly rung: 'store' | 'snapshot';
  /** Store-wide generation (D19) of everything here. */
  readonly generation: number;
  /** By line; null: never mirrored, and its measure means nothing. A line not in memory has no entry. */
  readonly copies: ReadonlyMap<LineKey, PublishedCopy | null>;
  /** Lines whose latest reading a guard refused, mirrored or not; null: unknown. */
  readonly refused: ReadonlySet<string> | null;
  /** By point, then by line, in the order asked; null: the line is not in memory. */
  readonly measures: readonly (readonly (LineMeasure | null)[])[];
}

/** What the statement must know of a line. */
export type QueriedLine = Pick<LineLayer, 'id' | 'geometry'>;

export interface LinesQuestion {
  readonly points: readonly PointUtm32[];
  readonly lines: readonly QueriedLine[];
  /** D23. */
  readonly radiusM: number;
}

export interface CoveringArea {
  readonly theme: Theme;
  readonly code: string;
  readonly name: string;
}

export interface CoveringAreas {
  readonly rung: 'store' | 'snapshot';
  readonly generation: number;
  /** Themes never mirrored, or not in memory, have no entry. */
  readonly states: ReadonlyMap<Theme, PublishedCopy>;
  /** Themes whose latest reading a guard refused, mirrored or not; null: unknown. */
  readonly refused: ReadonlySet<string> | null;
  /** In the order of the points: all areas that cover it, by theme then code (D44). */
  readonly byPoint: readonly (readonly CoveringArea[])[];
}
