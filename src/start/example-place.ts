/** Places where there is something to find, in the sample and in the real registers. */
import { samplePoint } from '../../sample/points.ts';

interface Degrees {
  readonly lon: number;
  readonly lat: number;
}

/** By the lake of Furesø, where lines and addresses are many. */
const KNOWN_PLACE: Degrees = { lon: 12.4136, lat: 55.7957 };

/** For the greeting at start: a place with lines. */
export function placeWithLines(sources: 'sample' | 'live'): Degrees {
  return sources === 'sample' ? samplePoint('beach-cut').wgs84 : KNOWN_PLACE;
}

/** For the front page: a place whose nearest address has a property. */
export function placeWithAddress(sources: 'sample' | 'live'): Degrees {
  return sources === 'sample' ? samplePoint('middle').wgs84 : KNOWN_PLACE;
}
