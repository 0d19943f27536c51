/**
 * The island's place names, with several spellings, historic names, namesakes, a self-crossing ring and a
 * name without a place: the tables as files.
 */
import { readTables } from '../../data/read-csv.ts';
import { entitiesOf } from '../../data/table-row.ts';

/** By entity. */
export const PLACE_MIN_ROWS = {
  Stednavn: 60,
  Bebyggelse: 10,
  Landskabsform: 5,
  Soe: 5,
  Standsningssted: 5,
  Vandloeb: 5,
} as const;
export const PLACE_ENTITIES = entitiesOf(PLACE_MIN_ROWS);

export function placeTables() {
  return readTables(import.meta.dirname, PLACE_ENTITIES);
}
