/**
 * The island's place names, with several spellings, historic names, namesakes, a self-crossing ring and a
 * name without a place: the tables as files.
 */
import { readCsv } from '../../data/read-csv.ts';
import { entitiesOf } from '../../data/table-row.ts';
import type { SampleRows } from '../../sample-register.ts';

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

export const KNOWN_PLACE = {
  town: { object: 9_001_001, id: '5e1c0de0-0091-4a00-8000-000000000001', name: 'Midtby' },
  /** Two villages with one name; the first has more inhabitants. */
  namesakes: [9_001_002, 9_001_003],
  namesake: 'Nørre Kilde',
  /** A point, a line through several municipalities, an area with a hole, and an islet. */
  station: {
    object: 9_001_004,
    id: '5e1c0de0-0091-4a00-8000-000000000004',
    name: 'Midtby Station',
  },
  stream: { object: 9_001_005, id: '5e1c0de0-0091-4a00-8000-000000000005', name: 'Kildeåen' },
  lake: { object: 9_001_006, id: '5e1c0de0-0091-4a00-8000-000000000006', name: 'Spejlsøen' },
  islet: { object: 9_001_007, id: '5e1c0de0-0091-4a00-8000-000000000007', name: 'Sønderø' },
  bowTie: 9_001_008,
  nowhere: 9_001_009,
  noId: 9_001_010,
} as const;

export function placeTables(): SampleRows {
  return Object.fromEntries(
    PLACE_ENTITIES.map((entity) => [entity, readCsv(import.meta.dirname, entity)]),
  );
}
