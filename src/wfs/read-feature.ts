import type SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import type { UpstreamProperties } from '../layers/feature.ts';
import type { Remains } from './remains.ts';

export interface ReadFeature {
  /** As the document names it (gml:id, GeoJSON id); absent or null: none. */
  readonly id?: string | null;
  /** Names without prefix; strings from GML, typed values from JSON; no geometry. */
  readonly properties: UpstreamProperties;
  /** As written (axis order, CRS); null when missing or refused. */
  readonly geometry: SimpleGeometry | null;
  /** null: no CRS is named. */
  readonly crs: string | null;
  /** Why the geometry could not be read; null: it was, or there is none. */
  readonly refused: string | null;
  /** Computed only for an unusable feature. */
  readonly remains?: () => Remains;
}

export class PageRefused extends Error {
  override readonly name = 'PageRefused';
}
