/** One page of features ready to be written, whatever the format. */
import { toWgs84 } from '../../src/geo/project.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { SampleFeature } from '../data/feature.ts';
import type { Position } from '../data/geometry.ts';
import { at } from '../data/geometry.ts';
import type { Schema } from '../data/feature.ts';
import type { SampleHost } from '../hosts.ts';
import type { Crs } from './query.ts';

export interface Collection {
  readonly host: SampleHost;
  readonly layer: LayerId;
  readonly schema: Schema;
  readonly geometryProperty: string;
  readonly crs: Crs;
  readonly features: readonly SampleFeature[];
  /** `unknown` is what some servers say; it is never 0. */
  readonly numberMatched: number | 'unknown';
  readonly numberReturned: number;
  /** The same request for the page after this one: it echoes the whole query, key included. */
  readonly nextUrl: string | null;
}

/** No clock is read: the same request gives the same bytes. */
export const TIME_STAMP = '2026-11-01T02:00:00.000Z';

/** A position in the reference system asked for. */
export function inCrs(pos: Position, crs: Crs, latitudeFirst: boolean): Position {
  if (crs.epsg === 25832) return pos;
  const { lon, lat } = toWgs84({ xUtm32: at(pos, 0), yUtm32: at(pos, 1) });
  const rounded = [lon, lat].map((degrees) => Math.round(degrees * 1e9) / 1e9);
  return [...(latitudeFirst ? rounded.reverse() : rounded), ...pos.slice(2)];
}
