/**
 * What the sections of an index of parcels mean. Parcels are sorted by district, by the number before
 * the letters of their own, and naturally.
 *
 *   districts                      names; the first stands for none
 *   district.codes                 by district, sorted
 *   district.starts                where the parcels of each begin
 *   numbers                        12bø, by parcel
 *   parcel.leading                 12
 *   parcel.bfe area                one more than there is; 0: unknown
 *   municipalities                 codes; the first stands for none
 *   parcel.municipality            position in them
 *   shape.ends, shape.bytes        pack-shape.ts; nothing: without faces
 *   tree                           boxes (`src/snapshot/packed-tree.ts`)
 *   tree.items                     how many
 */

/** Raise with every change of a section. */
export const PARCELS_KIND = 'parcels-1';

export interface ParcelsMeta {
  readonly version: number;
  /** Whether faces were mirrored. */
  readonly hasFaces: boolean;
}
