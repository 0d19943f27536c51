import type { PointUtm32 } from '../../geo/point.ts';
import type { LineLayer } from '../../layers/catalogue.ts';
import type { LineKey, Theme } from '../../layers/keys.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { WindowFound, WindowMeasure } from '../../snapshot/window.ts';
import type { AreaNames } from '../../answers/answer.ts';

export type { WindowFound as StoredFeature, WindowMeasure as LineMeasure };

export interface LinesRead {
  readonly rung: 'store' | 'snapshot';
  readonly generation: number;
  /** null: never mirrored; a line not in memory has no entry. */
  readonly copies: ReadonlyMap<LineKey, PublishedCopy | null>;
  /** A guard refused their latest reading; null: unknown. */
  readonly refused: ReadonlySet<string> | null;
  /** By point, then by line, in the order asked; null: the line is not in memory. */
  readonly measures: readonly (readonly (WindowMeasure | null)[])[];
}

export type QueriedLine = Pick<LineLayer, 'id' | 'geometry'>;

export interface LinesQuestion {
  readonly points: readonly PointUtm32[];
  readonly lines: readonly QueriedLine[];
  /** D23. */
  readonly radiusM: number;
}

export type CoveringArea = AreaNames[number];

export interface CoveringAreas {
  readonly rung: 'store' | 'snapshot';
  readonly generation: number;
  /** Themes never mirrored, or not in memory, have no entry. */
  readonly states: ReadonlyMap<Theme, PublishedCopy>;
  readonly refused: ReadonlySet<string> | null;
  /** In the order of the points: all areas that cover it, by theme then code (D44). */
  readonly byPoint: readonly (readonly CoveringArea[])[];
}
