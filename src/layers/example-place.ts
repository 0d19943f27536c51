import { isInDenmark } from '../geo/point.ts';
import type { PointWgs84 } from '../geo/point.ts';
import { text } from '../kernel/setting-values.ts';
import type { Environment } from '../kernel/setting-values.ts';

/** `lon lat` in degrees; null: none named. Throws an Error with one sentence. */
export function examplePlace(env: Environment, name: string): PointWgs84 | null {
  const given = text(env[name]);
  if (given === null) return null;
  const [lon = Number.NaN, lat = Number.NaN, ...more] = given.split(/[ ,]+/).map(Number);
  if (more.length === 0 && isInDenmark({ lon, lat })) return { lon, lat };
  throw new Error(`${name} must be a longitude and a latitude in Denmark, as "12.4136 55.7957".`);
}
