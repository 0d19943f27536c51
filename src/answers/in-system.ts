/** Points and boxes in degrees, or in metres of EPSG:25832. */
import { boundsInDegrees } from '../geo/bounds.ts';
import type { Bounds } from '../geo/bounds.ts';
import type { PointUtm32 } from '../geo/point.ts';
import { toWgs84 } from '../geo/project.ts';
import { DEGREE_DECIMALS, roundTo, roundedDegrees } from './numbers.ts';

export interface System {
  readonly srid: 4326 | 25832;
}

export type Pair = readonly [number, number];

export function pairOf(position: PointUtm32, srid: 4326 | 25832): Pair {
  if (srid === 25832) return [position.xUtm32, position.yUtm32];
  const { lon, lat } = roundedDegrees(toWgs84(position));
  return [lon, lat];
}

export function bboxOf(bounds: Bounds | null, { srid }: System): readonly number[] | null {
  if (bounds === null || srid === 25832) return bounds;
  return boundsInDegrees(bounds).map((each) => roundTo(each, DEGREE_DECIMALS));
}

export function centerOf(center: PointUtm32 | null, { srid }: System): Pair | null {
  return center && pairOf(center, srid);
}
