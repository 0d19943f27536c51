/** Places where people ask, as a client sends them. */
import { toWgs84All } from '../src/geo/project.ts';
import type { Land } from './national/land.ts';

const PLACES = 5_000;

export interface Place {
  readonly lon: number;
  readonly lat: number;
}

/** The same for the same country. */
export function placesOf(land: Land): Place[] {
  const xy = Float64Array.from(land.places(PLACES, 5));
  toWgs84All(xy, xy);
  return Array.from({ length: xy.length / 2 }, (_, i) => ({
    lon: Number(xy[2 * i]!.toFixed(7)),
    lat: Number(xy[2 * i + 1]!.toFixed(7)),
  }));
}

export const linesPath = ({ lon, lat }: Place): string =>
  `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`;
export const areasPath = ({ lon, lat }: Place): string => `/v1/dagi/reverse?lon=${lon}&lat=${lat}`;
