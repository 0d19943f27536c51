/** What both readers give: one feature as read, before any mapping. */
import type SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import type { UpstreamProperties } from '../layers/feature.ts';
import type { Remains } from './remains.ts';

export interface ReadFeature {
  /** As the document names it (gml:id, GeoJSON id); absent or null where it does not. */
  readonly id?: string | null;
  /** Property names without prefix; strings from GML, typed values from JSON; no geometry. */
  readonly properties: UpstreamProperties;
  /** As written (axis order, CRS); null when there is none or it was refused. */
  readonly geometry: SimpleGeometry | null;
  /** CRS the geometry names; null when none is named anywhere. */
  readonly crs: string | null;
  /** Why the geometry could not be read; null when it was, or there is none. */
  readonly refused: string | null;
  /** What is left of the geometry as it came; asked where the feature cannot be used. */
  readonly remains?: () => Remains;
}

/** A page that cannot be read as a whole. */
export class PageRefused extends Error {
  override readonly name = 'PageRefused';
}
