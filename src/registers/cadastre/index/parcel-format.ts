/**
 * Sections of an index of parcels, which are sorted by district and number. Of districts and
 * municipalities the first stands for none; bfe and area are one more, 0: unknown.
 */

/** Raise with every change of a section. */
export const PARCELS_KIND = 'parcels-2';

export interface ParcelsMeta {
  readonly version: number;
  /** Whether faces were mirrored. */
  readonly hasFaces: boolean;
}
