/**
 * The island's buildings in FBB, most of them unassessed; one in two layers with two codes, and some that
 * BBR does not know.
 */
import { readCsv } from '../../data/read-csv.ts';
import { byId, textIn } from '../../data/table-row.ts';
import type { TableRow } from '../../data/table-row.ts';
import { generateBuildings } from './buildings.ts';

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

/** Of the buildings that were assessed: one in ten, the first of them twice. */
const ASSESSED = Map.groupBy(readCsv(import.meta.dirname, 'protection'), (row) =>
  textIn(row, 'bygning'),
);
const UNASSESSED: TableRow = { fredningsstatus: '5', bevaringsvaerdi: '-1' };
const FIRST_ID = 700_001;

export function generateProtection(): Readonly<
  Record<ProtectionLayer, readonly ProtectionFeature[]>
> {
  const numberOf = (text: string | null | undefined): number | null => (text ? Number(text) : null);
  const buildings = byId(generateBuildings().Bygning);
  const surveyed = [...buildings].flatMap(([id, row]) =>
    (ASSESSED.get(id) ?? [UNASSESSED]).map((codes) => ({
      ois_id: id,
      bygningsnummer: numberOf(row['byg007Bygningsnummer']),
      fredningsstatus: numberOf(codes['fredningsstatus']),
      fredet: codes['fredningsstatus'] === '1',
      bevaringsvaerdi: numberOf(codes['bevaringsvaerdi']),
      adresse: null,
    })),
  );
  const ruin = {
    ...{ ois_id: null, bygningsnummer: null, fredningsstatus: 1, fredet: true },
    ...{ bevaringsvaerdi: null, adresse: 'Opdigtet ruin' },
  };
  const alle = [...surveyed, ruin].map((each, n) => ({ bygningsid: FIRST_ID + n, ...each }));
  const of = (status: number) => alle.filter((each) => each.fredningsstatus === status);
  return { fredede: of(1), bevaringssag: of(2), alle };
}
