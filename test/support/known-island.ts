/** What tests know of the sample's island, whose shapes, names and assessments are files. */
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';

/** The islets: a round coast each. */
export const ISLETS = {
  south: { centre: { x: 656_500, y: 6_311_000 }, radiusM: 400 },
  outer: { centre: { x: 643_000, y: 6_318_500 }, radiusM: 260 },
  beacon: { centre: { x: 643_800, y: 6_318_900 }, radiusM: 180 },
} as const;

const known = (n: number, name: string) => ({
  ...{ object: 9_001_000 + n, id: `5e1c0de0-0091-4a00-8000-00000000000${n}`, name },
});

/** A town, two villages with one name, a point, a line through several municipalities, and an area with a hole. */
export const KNOWN_PLACE = {
  ...{ town: known(1, 'Midtby'), namesake: 'Nørre Kilde', station: known(4, 'Midtby Station') },
  ...{
    stream: known(5, 'Kildeåen'),
    lake: known(6, 'Spejlsøen'),
    bowTie: 9_001_008,
    nowhere: 9_001_009,
    noId: 9_001_010,
  },
} as const;

export const KNOWN_ASSESSMENT = {
  bfe: KNOWN_PROPERTY.flatBfe,
  /** Its block: assessed until it was split, rows of zero since. */
  splitBfe: KNOWN_PROPERTY.bfe,
  /** Never assessed. */
  noneBfe: 9_100_003,
  /** Its only reference is to a missing assessment. */
  brokenBfe: 9_100_004,
} as const;
