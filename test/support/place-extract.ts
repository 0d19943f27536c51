/** The real extract of place names as the register's tables would have it, its columns under their own names. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { TableRow } from '../../sample/data/table-row.ts';
import { realFile } from './real-data.ts';

interface Feature {
  readonly properties: Readonly<Record<string, string | null>>;
  readonly geometry: { readonly type: string; readonly coordinates: Coordinates };
}
type Coordinates = readonly (number | Coordinates)[];

export function readPlaceExtract(): ReadonlyMap<string, readonly TableRow[]> {
  const path = realFile('stednavne/Stednavn.geojson.gz');
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
