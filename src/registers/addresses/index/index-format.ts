/**
 * Sections of an index. Places are positions in the sorted lists; codes are positions in lists of
 * distinct texts, 0 for null.
 *
 *   names houses floors doors towns      distinct texts, in answer order
 *   roads.ids municipalities codes       texts by road; `roads.name`, `roads.short`: codes of names
 *   roads.boxes                          west, south, east, north of addresses in use
 *   access.ids status road house town postcode bfe     by access address; postcode: index + 1
 *   unit.ids status access floor door    by unit address
 *   unit.bfePlaces, unit.bfes            units with another property than their access address
 *   access.own, unit.own                 the register's texts, where not composed
 *   roads.starts, roads.accesses         accesses of a road by house number
 *   access.unitStarts, access.units      units of an access by floor and door
 *   post.starts, post.roads              roads with addresses in use in a postcode
 *   post.formerStarts, post.formerNames  former road names in a postcode
 *   index.*                              road names by key, start and trigram (`../names`)
 *   points.*, provisional.*              cells of those in force, and of provisional ones
 *   access.slots                         index + 1 of an access's point in `points.xy`; 0: none
 *   former.*                             former names by name and house number
 */
import type { PostcodeEntry, TownEntry } from '../addresses.ts';
import type { GridShape } from '../../../snapshot/grid.ts';

/** Increment with every change of a section: indexes of other kinds are rebuilt. */
export const ADDRESS_INDEX_KIND = 'addresses-5';

/** Flag in a status byte: the register's own text is stored. */
export const OWN_TEXT = 0x80;
export const STATUS_OF = 0x7f;

export interface IndexPoints {
  readonly grid: GridShape;
  readonly count: number;
}

export interface IndexMeta {
  readonly version: number;
  readonly postcodes: readonly PostcodeEntry[];
  readonly towns: readonly TownEntry[];
  readonly points: { readonly inForce: IndexPoints; readonly provisional: IndexPoints };
}
