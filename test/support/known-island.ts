/** What tests know of the sample's island, whose shapes and names are files. */
import type { Place } from '../../sample/data/geometry.ts';

/** The islets: a round coast each. */
export const ISLETS = {
  south: { centre: { x: 656_500, y: 6_311_000 }, radiusM: 400 },
  outer: { centre: { x: 643_000, y: 6_318_500 }, radiusM: 260 },
  beacon: { centre: { x: 643_800, y: 6_318_900 }, radiusM: 180 },
} as const satisfies Record<string, { readonly centre: Place; readonly radiusM: number }>;

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
