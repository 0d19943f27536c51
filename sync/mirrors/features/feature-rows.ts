/** The published rows of a layer as statements: all that lines and areas keep differently. */
import type { RawBuilder } from 'kysely';
import type { Layer } from '../../../src/layers/catalogue.ts';

export interface FeatureRows {
  /** The table of all layers of the kind; `m` in the statements below. */
  readonly table: string;
  /** Whether a row of it is the layer's. */
  readonly isOf: (layer: Pick<Layer, 'id'>) => RawBuilder<boolean>;
  /** The columns of a published row in the shape of the stage. */
  readonly asStaged: RawBuilder<unknown>;
  /** The columns written, and their values from a row `s` of the stage. */
  readonly columns: RawBuilder<unknown>;
  readonly values: (layer: Layer) => RawBuilder<unknown>;
  /** Sum of the areas of the published rows, square metres. */
  readonly areaM2: RawBuilder<unknown>;
  /** Common table expressions up to `answered (before, after)`: see canary.ts. */
  readonly canary: (runId: string, layer: Layer) => RawBuilder<unknown>;
  /** Whether the same are asked before a dated change and at it. */
  readonly isForeseen: boolean;
  /** Tables that a publication changes. */
  readonly tables: (layer: Pick<Layer, 'id'>) => readonly string[];
}

export interface CanaryCounts {
  readonly canaryAsked: number;
  readonly canaryChanged: number;
}
