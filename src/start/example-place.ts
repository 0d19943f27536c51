/** Where there is something to find: for the greeting at start, and for the front page. */
import { samplePoint } from '../../sample/points.ts';

/** By the lake of Furesø, where lines are many. */
const KNOWN_PLACE = { lon: 12.4136, lat: 55.7957 };

export function examplePlace(sources: 'sample' | 'live'): {
  readonly lon: number;
  readonly lat: number;
} {
  return sources === 'sample' ? samplePoint('beach-cut').wgs84 : KNOWN_PLACE;
}
