/** The land that the sample's registers claim to cover: the invented island and the sea around it. */
import type { PolygonCoverage } from '../../src/layers/coverage.ts';
import { placeInland } from './island.ts';

/** The outline of the coast, drawn so many times as large: some 13 km by 10 from the middle, all islets within. */
const REACH = 2.4;
const CORNERS = 72;

export const SAMPLE_ISLAND = 'Prøveholm';
/** What the land is called in answers. */
const SAMPLE_LAND = `${SAMPLE_ISLAND} (opdigtet)`;

export function sampleCoverage(): PolygonCoverage {
  const corners = Array.from({ length: CORNERS }, (_, k) => {
    const { x, y } = placeInland((2 * Math.PI * k) / CORNERS, REACH);
    return [Math.round(x), Math.round(y)];
  });
  return {
    kind: 'polygon',
    name: SAMPLE_LAND,
    borders: [[...corners, corners[0] ?? []].flat()],
  };
}
