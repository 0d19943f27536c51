/** The land that the sample's registers claim to cover: the invented island and the sea around it, some 13 km by 10. */
import type { PolygonCoverage } from '../../src/layers/coverage.ts';
import { readLine } from './geometry.ts';
import { readCsv } from './read-csv.ts';
import { textIn } from './table-row.ts';

export const SAMPLE_ISLAND = 'Prøveholm';

export function sampleCoverage(): PolygonCoverage {
  const [land] = readCsv(import.meta.dirname, 'coverage');
  return {
    kind: 'polygon',
    name: `${SAMPLE_ISLAND} (opdigtet)`,
    borders: [readLine(textIn(land, 'ring')).flat()],
  };
}
