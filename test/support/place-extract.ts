/** The real extract of place names as the register's tables would have it, its columns under their own names. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { TableRow } from '../../sample/data/table-row.ts';
import { REAL_DATA } from './real-data.ts';

export const PLACE_EXTRACT = 'stednavne/Stednavn.geojson.gz';

interface Feature {
  readonly properties: Readonly<Record<string, string | null>>;
  readonly geometry: { readonly type: string; readonly coordinates: Coordinates };
}
type Coordinates = readonly (number | Coordinates)[];

/** Names, and places by type; null: it is not at hand. */
export function readPlaceExtract(): ReadonlyMap<string, readonly TableRow[]> | null {
  const path = join(REAL_DATA, PLACE_EXTRACT);
  if (!existsSync(path)) return null;
  const { features } = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {
    readonly features: readonly Feature[];
  };
  const names = features.map(({ properties: { OBJECTID = null, ...rest } }) => ({
    ...IN_FORCE,
    ...rest,
    navngivetSted_objectid: OBJECTID,
  }));
  const places = new Map(features.map((each) => [each.properties['OBJECTID'], each]));
  const byType = Map.groupBy(places.values(), (each) => each.properties['FEAT_TYPE'] ?? '');
  return new Map([
    ['Stednavn', names],
    ...[...byType].map(([type, found]) => [type, found.map(placeRow)] as const),
  ]);
}

/** The extract leaves out the ends that its rows do not have; the register's files have their columns. */
const IN_FORCE = { registreringTil: null, virkningTil: null };

function placeRow({ properties, geometry: { type, coordinates } }: Feature): TableRow {
  const text = type === 'Point' ? `(${textOf(coordinates)})` : textOf(coordinates);
  return { ...IN_FORCE, ...properties, geometri: `${type.toUpperCase()} ${text}` };
}

function textOf(coordinates: Coordinates): string {
  if (typeof coordinates[0] === 'number') return coordinates.join(' ');
  return `(${coordinates.map((each) => textOf(each as Coordinates)).join(', ')})`;
}
