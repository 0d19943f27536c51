import type { RawBuilder } from 'kysely';
import type { Layer } from '../../../src/layers/catalogue.ts';

export interface FeatureRows {
  /** Shared by all layers of the kind; `m` in the statements below. */
  readonly table: string;
  readonly isOf: (layer: Pick<Layer, 'id'>) => RawBuilder<boolean>;
  readonly asStaged: RawBuilder<unknown>;
  /** The written columns, and their values from a stage row `s`. */
  readonly columns: RawBuilder<unknown>;
  readonly values: (layer: Layer) => RawBuilder<unknown>;
  readonly areaM2: RawBuilder<unknown>;
  /** Common table expressions up to `answered (before, after)`: see canary.ts. */
  readonly canary: (runId: string, layer: Layer) => RawBuilder<unknown>;
  /** The same points are asked before and at a dated change. */
  readonly isForeseen: boolean;
  readonly tables: (layer: Pick<Layer, 'id'>) => readonly string[];
}

export interface CanaryCounts {
  readonly canaryAsked: number;
  readonly canaryChanged: number;
}
