/**
 * Sections of an index of parcels, sorted by district and number. The first district and
 * municipality are none; bfe and area are one more, 0: unknown. A district's box is that of its
 * parcels, infinite without any.
 */

/** Increment with every change of a section. */
export const PARCELS_KIND = 'parcels-2';

export interface ParcelsMeta {
  readonly version: number;
  readonly hasFaces: boolean;
}
