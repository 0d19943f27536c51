/**
 * The island's buildings in FBB, most of them unassessed; one in two layers with two codes, and some that
 * BBR does not know.
 */
import { KNOWN_PROPERTY } from './buildings.ts';
import { createRandom } from '../../data/random.ts';
import type { TableRow } from '../../data/table-row.ts';

export const PROTECTION_LAYERS = ['fredede', 'bevaringssag', 'alle'] as const;
export type ProtectionLayer = (typeof PROTECTION_LAYERS)[number];

export interface ProtectionFeature {
  readonly bygningsid: number;
  readonly ois_id: string | null;
  readonly bygningsnummer: number | null;
  readonly fredningsstatus: number | null;
  readonly fredet: boolean;
  readonly bevaringsvaerdi: number | null;
  readonly adresse: string | null;
}

type Codes = readonly [status: number | null, value: number | null];
const KNOWN: Readonly<Record<string, readonly Codes[]>> = {
  // Listed, and surveyed earlier.
  [KNOWN_PROPERTY.blockId]: [
    [1, null],
    [3, 2],
  ],
  // Surveyed without a value.
  [KNOWN_PROPERTY.foreignBuildingId]: [[3, -1]],
};

/** Codes of other buildings in turn, so that each occurs a few times. */
const TURNS: readonly Codes[] = [
  [3, 4],
  [5, -1],
  [4, 0],
  [5, -1],
  [9, 5],
  [2, 3],
  [5, null],
  [1, -1],
  [3, 0],
  [null, 6],
];
const FIRST_ID = 700_001;
/** About every tenth building; the others have no row. */
const SHARE = 0.1;

export function generateProtection({
  Bygning,
}: {
  readonly Bygning: readonly TableRow[];
}): Readonly<Record<ProtectionLayer, readonly ProtectionFeature[]>> {
  const random = createRandom('protection');
  const features: ProtectionFeature[] = [];
  const add = (building: string | null, number: string | null, [status, value]: Codes) => {
    features.push({
      bygningsid: FIRST_ID + features.length,
      ois_id: building,
      bygningsnummer: number === null ? null : Number(number),
      fredningsstatus: status,
      fredet: status === 1,
      bevaringsvaerdi: value,
      adresse: building === null ? 'Opdigtet ruin' : null,
    });
  };
  let turn = 0;
  const buildings = new Map(Bygning.map((row) => [row['id_lokalId'] ?? '', row]));
  for (const [id, row] of buildings) {
    const number = row['byg007Bygningsnummer'] ?? null;
    const isPicked = random.chance(SHARE);
    const own: readonly Codes[] =
      KNOWN[id] ?? (isPicked ? [TURNS[turn++ % TURNS.length] ?? [5, -1]] : [[5, -1]]);
    for (const codes of own) add(id, number, codes);
  }
  add(null, null, [1, null]);
  const of = (status: number) => features.filter((each) => each.fredningsstatus === status);
  return { fredede: of(1), bevaringssag: of(2), alle: features };
}
