/**
 * What the sections of an index of place names mean. Places are positions in the order of the store;
 * codes are positions in lists of distinct texts, 0 for null.
 *
 *   ids mainTypes subtypes statuses priorities names     texts
 *   place.mainType subtype                                codes by place
 *   place.numbers                                         x, y, west, south, east, north by place
 *   place.inhabitants                                     one more than there are; 0: not told
 *   place.municipalityStarts, place.municipalities        positions in the description's list
 *   place.spellings                                       where the spellings of a place begin
 *   place.area                                            square metres; 0 of points and lines
 *   place.shapeEnds, place.shapeSums                      where its WKB ends in the file, and its CRC-32
 *   place.byId                                            places by their ids, of equals the first first
 *   place.tree                                            their boxes (`../snapshot/packed-tree.ts`)
 *   spelling.name status priority                         codes by spelling
 *   spelling.place                                        whose it is
 *   spelling.order                                        its place in the order of equals (D122)
 *   name.starts, name.spellings                           spellings by name
 *   index.*                                               the names by key, start and threes (`../names`)
 */
import type { PublishedVersion } from '../../../layers/published-copy.ts';

/** Increment with every change of what a section holds: an index of another kind is rebuilt. */
export const PLACES_KIND = 'places-3';

/** Numbers of a place: its point and its box. */
export const NUMBERS = 6;

export interface PlacesMeta {
  readonly version: number;
  /** null: no municipalities were mirrored. */
  readonly municipalities: {
    readonly copy: PublishedVersion;
    readonly names: readonly (readonly [code: string, name: string])[];
  } | null;
}
