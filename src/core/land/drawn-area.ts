/** GeoJSON, or WKT of the same kinds, in degrees or metres (D212). */
import { readWkt } from '../../downloads/read-wkt.ts';
import { isListOf, isPolygon } from '../../geo/drawn.ts';
import type { Polygon, Position } from '../../geo/drawn.ts';
import { boundsAround, boundsOfXy } from '../../geo/bounds.ts';
import { isInDenmark } from '../../geo/point.ts';
import type { PointWgs84 } from '../../geo/point.ts';
import { toUtm32, toWgs84 } from '../../geo/project.ts';
import { signedRingArea } from '../../geo/ring-area.ts';
import { multiPolygonWkb } from '../../geo/wkb.ts';
import { Failure } from '../../kernel/failures.ts';
import { rowError } from '../rows/row-errors.ts';
import type { Bounds } from '../../geo/bounds.ts';

export const AREA_LIMITS = { vertices: 10_000, areaM2: 25_000_000, wktChars: 600_000 } as const;

export interface Place {
  readonly wkb: Uint8Array;
  readonly bounds: Bounds;
  readonly isPoint: boolean;
  /** As `parcelText` writes them. */
  readonly parcels?: readonly string[];
}

export interface SentArea {
  readonly geometri?: { readonly type: string; readonly coordinates: unknown };
  readonly wkt?: string;
  readonly srid?: 4326 | 25832;
}

export interface DrawnLimits {
  readonly areaM2: number;
  readonly isWithin: (point: PointWgs84) => boolean;
}

const OF_CONDITIONS: DrawnLimits = { areaM2: AREA_LIMITS.areaM2, isWithin: isInDenmark };

/** Throws invalid_request naming the field and its limit. The store finds crossing edges. */
export function drawnPlace(
  { geometri, wkt, srid = 4326 }: SentArea,
  { areaM2: mostM2, isWithin }: DrawnLimits = OF_CONDITIONS,
): Place {
  if ((geometri === undefined) === (wkt === undefined)) {
    throw refusal('oneGeometry');
  }
  const field = wkt === undefined ? 'geometri' : 'wkt';
  const drawn: { readonly polygons: readonly Polygon[]; readonly srid: 4326 | 25832 } =
    geometri === undefined ? fromWkt(wkt ?? '', srid) : { polygons: polygonsOf(geometri), srid };
  const { polygons } = drawn;
  const vertices = polygons.flat().reduce((sum, ring) => sum + ring.length, 0);
  const { vertices: most } = AREA_LIMITS;
  if (vertices > most) {
    throw refusal('tooManyPositions', { field, count: vertices, max: most });
  }
  const flat = polygons.map((rings) =>
    rings.map((ring) => metresOf(ring, { srid: drawn.srid, field, isWithin })),
  );
  const areaM2 = flat.reduce((sum, polygon) => sum + areaOf(polygon), 0);
  if (areaM2 > mostM2) throw tooLarge(field, areaM2);
  return areaPlace(flat);
}

/** Square metres, without the holes. */
function areaOf(rings: readonly (readonly number[])[]): number {
  return rings.reduce((sum, ring, n) => {
    const own = Math.abs(signedRingArea(Float64Array.from(ring), 0, ring.length / 2));
    return n === 0 ? own : sum - own;
  }, 0);
}

function tooLarge(field: string, areaM2: number): Failure {
  const km2 = (areaM2 / 1e6).toFixed(1);
  return refusal('areaTooLarge', { field, km2, max: (AREA_LIMITS.areaM2 / 1e6).toFixed(1) });
}

export function areaPlace(polygons: readonly (readonly (readonly number[])[])[]): Place {
  const wkb = multiPolygonWkb(polygons);
  const bounds = polygons.flat().map((ring) => boundsOfXy(Float64Array.from(ring)));
  return { wkb, bounds: boundsAround(bounds), isPoint: false };
}

export function unitedPlace(areas: readonly Place[]): Place {
  const head = Buffer.alloc(9);
  head.writeUInt8(1, 0);
  head.writeUInt32LE(7, 1);
  head.writeUInt32LE(areas.length, 5);
  return {
    wkb: Buffer.concat([head, ...areas.map(({ wkb }) => wkb)]),
    bounds: boundsAround(areas.map(({ bounds }) => bounds)),
    isPoint: false,
  };
}

function fromWkt(
  text: string,
  srid: 4326 | 25832,
): { polygons: readonly Polygon[]; srid: 4326 | 25832 } {
  const { geometry, crs, refused } = readWkt(text);
  if (geometry === null) {
    throw refused === null ? refusal('wktEmpty') : refusal('wktUnreadable', { reason: refused });
  }
  const given = crs === null ? srid : Number(crs.slice('EPSG:'.length));
  if (given !== 4326 && given !== 25832) {
    throw refusal('noSrid', { srid: given });
  }
  const coordinates: unknown = geometry.getCoordinates();
  return { polygons: polygonsOf({ type: geometry.getType(), coordinates }), srid: given };
}

function polygonsOf({
  type,
  coordinates,
}: {
  readonly type: string;
  readonly coordinates: unknown;
}) {
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  const isArea = type === 'Polygon' || type === 'MultiPolygon';
  if (isArea && isListOf(polygons, isPolygon) && polygons.length > 0) return polygons;
  throw refusal('noArea');
}

function metresOf(
  ring: readonly Position[],
  {
    srid,
    field,
    isWithin,
  }: Pick<DrawnLimits, 'isWithin'> & { readonly srid: 4326 | 25832; readonly field: string },
): number[] {
  return ring.flatMap(([a = 0, b = 0]) => {
    const isNear =
      srid === 4326 || (Math.abs(a - 650_000) < 500_000 && Math.abs(b - 6_225_000) < 500_000);
    const degrees =
      srid === 4326 ? { lon: a, lat: b } : isNear && toWgs84({ xUtm32: a, yUtm32: b });
    if (degrees === false || !isWithin(degrees)) {
      throw refusal('outsideDenmark', { field, x: a, y: b });
    }
    if (srid === 25832) return [a, b];
    const { xUtm32, yUtm32 } = toUtm32(degrees);
    return [xUtm32, yUtm32];
  });
}

function refusal(...said: Parameters<typeof rowError>): Failure {
  return new Failure('invalid_request', rowError(...said));
}
