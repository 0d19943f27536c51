/** Request coordinates as a Point in both frames. Metres in EPSG:25832 are kept exactly. */
import { invalidRequest } from '../kernel/failures.ts';
import type { Failure } from '../kernel/failures.ts';
import { DENMARK_BOXES, isInDenmark } from '../geo/point.ts';
import type { Point, PointUtm32, PointWgs84 } from '../geo/point.ts';
import { pointFromUtm32, pointFromWgs84 } from '../geo/project.ts';
import { roundedDegrees } from './numbers.ts';

export interface CoordinateQuery {
  readonly lon?: number;
  readonly lat?: number;
  readonly x?: number;
  readonly y?: number;
  readonly srid?: PointSrid;
}

/** A number in a body, a text in a query. */
export type PointSrid = 4326 | 25832 | '4326' | '25832';

/** Metres far beyond Denmark: refused before the projection series diverges. */
const UTM32_REACH = { minX: 300_000, maxX: 1_000_000, minY: 5_900_000, maxY: 6_600_000 };

/** lon and lat, or x, y and srid (D36). Throws invalid_request naming the parameter. */
export function pointFromQuery(query: CoordinateQuery): Point {
  return pointFrom(query, QUERY);
}

/** `place`, such as `punkter[3]`, names the point in errors (D36a). */
export function pointFromItem(item: CoordinateQuery, place: () => string): Point {
  const { lon, lat } = item;
  // The schema excludes both.
  if (lon === undefined || lat === undefined) {
    return pointFrom(item, (field) => `${place()}.${field}`);
  }
  return pointFromDegrees({ lon, lat }, () => [`${place()}.lon`, `${place()}.lat`]);
}

type NameOf = (field: keyof CoordinateQuery) => string;
type Names = () => readonly [string, string];

const QUERY: NameOf = (field) => field;

function pointFrom(sent: CoordinateQuery, nameOf: NameOf): Point {
  const { lon, lat, x, y, srid } = sent;
  if (!isMetric(sent)) {
    return pointFromDegrees(required({ lon, lat }, nameOf), () => [nameOf('lon'), nameOf('lat')]);
  }
  if (lon !== undefined || lat !== undefined) throw bothKinds();
  const given = required({ x, y }, nameOf);
  if (srid === undefined) throw sridMissing(nameOf);
  const names: Names = () => [nameOf('x'), nameOf('y')];
  if (Number(srid) === 4326) return pointFromDegrees({ lon: given.x, lat: given.y }, names);
  return pointFromMetres({ xUtm32: given.x, yUtm32: given.y }, names);
}

function isMetric({ x, y, srid }: CoordinateQuery): boolean {
  return x !== undefined || y !== undefined || srid !== undefined;
}

/** Checks the boxes of D35. */
function pointFromDegrees(wgs84: PointWgs84, names: Names): Point {
  if (!isInDenmark(wgs84)) throw outside(names, isInDenmark({ lon: wgs84.lat, lat: wgs84.lon }));
  return pointFromWgs84({ lon: wgs84.lon, lat: wgs84.lat });
}

function pointFromMetres(utm32: PointUtm32, names: Names): Point {
  const point = within(utm32) ? pointFromUtm32(utm32) : null;
  if (point === null || !isInDenmark(point.wgs84)) {
    throw outside(names, within({ xUtm32: utm32.yUtm32, yUtm32: utm32.xUtm32 }));
  }
  return { utm32, wgs84: roundedDegrees(point.wgs84) };
}

function within({ xUtm32, yUtm32 }: PointUtm32): boolean {
  const { minX, maxX, minY, maxY } = UTM32_REACH;
  return xUtm32 >= minX && xUtm32 <= maxX && yUtm32 >= minY && yUtm32 <= maxY;
}

function required<K extends keyof CoordinateQuery>(
  values: Record<K, number | undefined>,
  nameOf: NameOf,
): Record<K, number> {
  const missing = (Object.keys(values) as K[]).filter((key) => values[key] === undefined);
  if (missing.length > 0) {
    const list = missing.map(nameOf).join(', ');
    throw invalidRequest(
      `Coordinate missing: ${list}. Send lon and lat, or x, y and srid.`,
      `Koordinat mangler: ${list}. Send lon og lat eller x, y og srid.`,
    );
  }
  return values as Record<K, number>;
}

function bothKinds(): Failure {
  return invalidRequest(
    'Send either lon and lat, or x, y and srid; not both.',
    'Send enten lon og lat eller x, y og srid; ikke begge dele.',
  );
}

function sridMissing(nameOf: NameOf): Failure {
  const srid = nameOf('srid');
  return invalidRequest(
    `The parameter ${srid} is missing: x and y need srid=4326 or srid=25832.`,
    `Parameteren ${srid} mangler: x og y kræver srid=4326 eller srid=25832.`,
  );
}

function outside(names: Names, swapped: boolean): Failure {
  const [first, second] = names();
  const boxes = DENMARK_BOXES.map(
    (box) => `${box.minLon}-${box.maxLon} E by ${box.minLat}-${box.maxLat} N`,
  ).join(' and ');
  const boxesDa = DENMARK_BOXES.map(
    (box) => `${box.minLon}-${box.maxLon} Ø, ${box.minLat}-${box.maxLat} N`,
  ).join(' og ');
  const hint = swapped ? ` ${first} and ${second} look swapped.` : '';
  const hintDa = swapped ? ` ${first} og ${second} ser ud til at være byttet om.` : '';
  return invalidRequest(
    `The point (${first}, ${second}) lies outside Denmark (${boxes}).${hint}`,
    `Punktet (${first}, ${second}) ligger uden for Danmark (${boxesDa}).${hintDa}`,
  );
}
