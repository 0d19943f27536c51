import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { SAMPLE_ISLAND } from '../../sample/data/coverage.ts';
import { samplePoint } from '../../sample/points.ts';

import type { InventedData } from '../http/pages/shell.ts';

interface Degrees {
  readonly lon: number;
  readonly lat: number;
}

const KNOWN_PLACE: Degrees = { lon: 12.4136, lat: 55.7957 };

/** null: real data. */
export function inventedData(sources: 'sample' | 'live'): InventedData | null {
  if (sources === 'live') return null;
  const { roadName, houseNumber, postcode, postcodeName, place } = KNOWN_ADDRESS;
  const address = `${roadName} ${houseNumber}, ${postcode} ${postcodeName}`;
  return { land: SAMPLE_ISLAND, address, ...place };
}

export function placeWithLines(sources: 'sample' | 'live'): Degrees {
  return sources === 'sample' ? samplePoint('beach-cut').wgs84 : KNOWN_PLACE;
}

/** An address where two lines are in force. */
const SAMPLE_ADDRESS: Degrees = { lon: 11.4113137, lat: 56.91959212 };

export function placeWithAddress(sources: 'sample' | 'live'): Degrees {
  return sources === 'sample' ? SAMPLE_ADDRESS : KNOWN_PLACE;
}
