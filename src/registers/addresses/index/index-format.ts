/**
 * What the sections of an index mean. Places are positions in the sorted lists; codes are positions in
 * lists of distinct texts, 0 for null.
 *
 *   names houses floors doors towns      distinct texts, in the order answers list them
 *   roads.ids municipalities codes       texts by road; `roads.name`, `roads.short`: codes of names
 *   roads.boxes                          west, south, east, north of their living addresses
 *   access.ids status road house town postcode bfe     by access address; postcode: index + 1
 *   unit.ids status access floor door    by unit address
 *   unit.bfePlaces, unit.bfes            units whose property is not that of their access address
 *   access.own, unit.own                 the register's own texts, where they are not the composed
 *   roads.starts, roads.accesses         accesses of a road by house number
 *   access.unitStarts, access.units      units of an access by floor and door
 *   post.starts, post.roads              roads with living addresses in a postcode
 *   post.formerStarts, post.formerNames  road names that addresses in a postcode once had
 *   index.*                              road names by key, start and threes (`../names`)
 *   points.*, provisional.*              the cells of those in force, and of the provisional
 *   access.slots                         index + 1 of an access's point in `points.xy`; 0: none
 *   former.*                             former names by name and house number
 */
import type { PostcodeEntry, TownEntry } from '../addresses.ts';
import type { GridShape } from '../../../snapshot/grid.ts';

/** Increment with every change of what a section holds: an index of another kind is rebuilt. */
export const ADDRESS_INDEX_KIND = 'addresses-5';

/** Flag in a status byte: the register's own text is stored. The other bits are the status. */
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
