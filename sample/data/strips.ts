/**
 * The two cadastre lines: zones along the coast, published as one piece per parcel. Most pieces
 * share their corners with the neighbour; some meet in a T where only one side has the vertex, and
 * there the vertex lies off the other side's edge by what rounding to a millimetre leaves.
 */
import { join } from 'node:path';
import type { SampleFeature } from './feature.ts';
import { polygon, readLine } from './geometry.ts';
import { readCsv } from './read-csv.ts';
import { textIn } from './table-row.ts';

/**
 * Strandbeskyttelse: 300 m, 100 m at the summer houses, none in the harbour; all of the islets, one in eight
 * slices that meet in the middle. Klitfredning: the west coast, up to 460 m; it overlaps the beach zone.
 */
const STRIPS = {
  strandbeskyttelse: { tematype: 'Strandbeskyttelse', temaFladeID: 23 },
  klitfredning: { tematype: 'Klitfredning', temaFladeID: 41 },
} as const;

export function stripFeatures(layer: keyof typeof STRIPS): SampleFeature[] {
  const { tematype, temaFladeID } = STRIPS[layer];
  return readCsv(join(import.meta.dirname, 'strips'), layer).map(({ rings, ...row }) => ({
    id: `${tematype}Flade_Gaeldende.${row['id.lokalId']}`,
    properties: {
      forretningshaendelse: 'Afledt ændring',
      senesteSagLokalId: textIn(row, 'senesteSagLokalId'),
      forretningsproces: 'Anden sagskategori',
      'id.namespace': 'http://data.gov.dk/Matriklen/JordstykkeTemaflade',
      'id.lokalId': textIn(row, 'id.lokalId'),
      paataenktHandling: null,
      registreringFra: textIn(row, 'registreringFra'),
      virkningFra: textIn(row, 'virkningFra'),
      virkningsaktoer: 'Prøvestyrelsen (opdigtet)',
      ...{ temaFladeID, tematype },
      jordstykkeLokalId: textIn(row, 'jordstykkeLokalId'),
    },
    geometry: polygon(...(rings ?? '').split(' / ').map(readLine)),
  }));
}
