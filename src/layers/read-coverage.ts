/**
 * A GeoJSON polygon in WGS84, or municipality codes. Corners are joined by straight lines in
 * EPSG:25832.
 */
import { Type } from 'typebox';
import { DENMARK_BOUNDS } from '../geo/point.ts';
import { polygonFault } from '../geo/polygon-fault.ts';
import type { PolygonFault } from '../geo/polygon-fault.ts';
import { toUtm32 } from '../geo/project.ts';
import { COVERAGE_LIMITS, municipalitiesName } from './coverage.ts';
import type { Coverage } from './coverage.ts';

const NAME = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }));
const RING = Type.Array(Type.Tuple([Type.Number(), Type.Number()]), { minItems: 4 });
const POLYGON = Type.Array(RING, { minItems: 1 });

const options = { additionalProperties: false };

export const COVERAGE = Type.Union([
  Type.Null(),
  Type.Object(
    {
      name: NAME,
      municipalities: Type.Array(Type.String({ pattern: '^\\d{4}$' }), {
        minItems: 1,
        maxItems: COVERAGE_LIMITS.codes,
      }),
    },
    options,
  ),
  Type.Object(
    {
      name: NAME,
      polygon: Type.Union([
        Type.Object({ type: Type.Literal('Polygon'), coordinates: POLYGON }, options),
        Type.Object(
          { type: Type.Literal('MultiPolygon'), coordinates: Type.Array(POLYGON, { minItems: 1 }) },
          options,
        ),
      ]),
    },
    options,
  ),
]);

type GivenRing = readonly (readonly [number, number])[];
type GivenPolygon = readonly GivenRing[];

const FAULTS: Readonly<Record<PolygonFault, string>> = {
  crossing: 'the edges of a polygon may not cross',
  'hole-outside': 'a hole must lie within its polygon',
  nested: 'the parts of a polygon may not lie in one another',
};

export type GivenCoverage =
  | null
  | { readonly name?: string; readonly municipalities: readonly string[] }
  | {
      readonly name?: string;
      readonly polygon:
        | { readonly type: 'Polygon'; readonly coordinates: GivenPolygon }
        | { readonly type: 'MultiPolygon'; readonly coordinates: readonly GivenPolygon[] };
    };

/** Throws with a sentence about an invalid polygon. */
export function readCoverage(given: GivenCoverage): Coverage | null {
  if (given === null) return null;
  if ('municipalities' in given) {
    const codes = [...new Set(given.municipalities)].toSorted();
    return { kind: 'municipalities', name: given.name ?? municipalitiesName(codes), codes };
  }
  const { polygon, name = 'en del af landet' } = given;
  const polygons = polygon.type === 'Polygon' ? [polygon.coordinates] : polygon.coordinates;
  const corners = polygons.flat(2).length;
  const { corners: most } = COVERAGE_LIMITS;
  if (corners > most)
    throw new Error(`a polygon may have ${most} corners; this one has ${corners}`);
  const projected = polygons.map((rings) => rings.map(projectedRing));
  const fault = polygonFault(projected);
  if (fault !== null) throw new Error(FAULTS[fault]);
  return { kind: 'polygon', name, borders: projected.flat() };
}

function projectedRing(ring: GivenRing): readonly number[] {
  const [west, south, east, north] = DENMARK_BOUNDS;
  for (const [lon, lat] of ring) {
    if (lon >= west - 1 && lon <= east + 1 && lat >= south - 1 && lat <= north + 1) continue;
    throw new Error(`[${lon}, ${lat}] is no [longitude, latitude] near Denmark`);
  }
  const [first, last] = [ring[0], ring.at(-1)];
  if (first === undefined || first[0] !== last?.[0] || first[1] !== last[1]) {
    throw new Error('a ring must end where it begins');
  }
  return ring.flatMap(([lon, lat]) => {
    const { xUtm32, yUtm32 } = toUtm32({ lon, lat });
    return [xUtm32, yUtm32];
  });
}
