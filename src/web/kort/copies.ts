/** The questions as curl, the answers as JSON, the place as GeoJSON. */
import { degreesOf, queryOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import type { Foot, Polygon, Ring } from './nearest.ts';

const KEY_NAME = '$GEOOPSLAG_KEY';

/** In the order they are shown. */
export function pathsOf(place: Place): readonly string[] {
  const query = queryOf(place);
  return [
    `v1/natur/byggelinjer?${query}`,
    `v1/dagi/reverse?${query}`,
    `v1/adresser/reverse?${query}&radius=${ADDRESS_RADIUS_M}`,
  ];
}

/** Metres: as far as the service looks. */
export const ADDRESS_RADIUS_M = 1000;

export function propertyPaths(bfe: number): readonly [built: string, parcels: string] {
  return [`v1/bbr/ejendom/${bfe}`, `v1/matrikel/ejendom/${bfe}`];
}

/** `base`: the service's address, with its slash. */
export function curlText(base: string, paths: readonly string[]): string {
  return paths
    .map((path) => `curl -H "Authorization: Bearer ${KEY_NAME}" "${new URL(path, base).href}"`)
    .join('\n');
}

export interface Drawn {
  readonly layer: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly polygons: readonly Polygon[];
  readonly lines: readonly Ring[];
}

export interface Segment {
  readonly layer: string;
  readonly name: string;
  readonly foot: Foot;
  /** As the service answers it. */
  readonly distanceM: number;
}

interface Shown {
  readonly shapes: readonly Drawn[];
  readonly segments: readonly Segment[];
  /** From metres of EPSG:25832. */
  readonly toDegrees: (x: number, y: number) => readonly [number, number];
}

/** RFC 7946: the place with the answers, the shapes that answer, the measured distances. */
export function geoJson(
  place: Place,
  answers: Readonly<Record<string, unknown>>,
  { shapes, segments, toDegrees }: Shown,
): object {
  const { lon, lat } = degreesOf(place);
  const ring = (positions: Ring) => positions.map(([x = 0, y = 0]) => toDegrees(x, y));
  return {
    type: 'FeatureCollection',
    features: [
      feature({ type: 'Point', coordinates: [lon, lat] }, { ...answers }),
      ...shapes.map(({ layer, name, properties, polygons, lines }) =>
        feature(
          polygons.length > 0
            ? { type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map(ring)) }
            : { type: 'MultiLineString', coordinates: lines.map(ring) },
          { lag: layer, navn: name, ...properties },
        ),
      ),
      ...segments.map(({ layer, name, foot, distanceM }) =>
        feature(
          { type: 'LineString', coordinates: [[lon, lat], toDegrees(foot.x, foot.y)] },
          { lag: layer, navn: name, afstand_m: distanceM },
        ),
      ),
    ],
  };
}

function feature(geometry: object, properties: object): object {
  return { type: 'Feature', geometry, properties };
}
