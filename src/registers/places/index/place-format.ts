/**
 * Sections of an index of place names. Places are positions in the store's order; codes are
 * positions in lists of distinct texts, 0 for null.
 *
 *   ids mainTypes subtypes statuses priorities names     texts
 *   place.mainType subtype                                codes by place
 *   place.numbers                                         x, y, west, south, east, north by place
 *   place.inhabitants                                     count + 1; 0: unknown
 *   place.municipalityStarts, place.municipalities        positions in the description's list
 *   place.spellings                                       start of a place's spellings
 *   place.area                                            square metres; 0 of points and lines
 *   place.shapeEnds, place.shapeSums                      end of its WKB in the file, and CRC-32
 *   place.byId                                            places by id, then position
 *   place.tree                                            boxes (`../snapshot/packed-tree.ts`)
 *   spelling.name status priority                         codes by spelling
 *   spelling.place                                        its place
 *   spelling.order                                        position in the order of equals (D122)
 *   name.starts, name.spellings                           spellings by name
 *   index.*                                               names by key, start and trigram (`../names`)
 */
import type { PublishedVersion } from '../../../layers/published-copy.ts';

/** Increment with every change of a section: indexes of other kinds are rebuilt. */
export const PLACES_KIND = 'places-3';

export const NUMBERS = 6;

export interface PlacesMeta {
  readonly version: number;
  /** null: not mirrored. */
  readonly municipalities: {
    readonly copy: PublishedVersion;
    readonly names: readonly (readonly [code: string, name: string])[];
  } | null;
}
