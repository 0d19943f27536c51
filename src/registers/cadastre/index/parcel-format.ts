/**
 * What the sections of an index of parcels mean. Parcels are sorted by district and number.
 *
 *   districts                      names; the first stands for none
 *   district.codes                 by district, sorted
 *   district.starts                where the parcels of each begin
 *   numbers                        distinct, in order: 12bø
 *   number.leading                 12, by number
 *   parcel.number                  position in them
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
