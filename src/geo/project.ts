/**
 * WGS84 to EPSG:25832 and back, by Krüger's series to order six; the datums count as equal. Within
 * a micrometre of PROJ and PostGIS over Denmark.
 */
import type { Point, PointUtm32, PointWgs84 } from './point.ts';

/** The point may be outside zone 32. */
export function toUtm32({ lon, lat }: PointWgs84): PointUtm32 {
  project(lon, lat, scratch, 0);
  return { xUtm32: scratch[0]!, yUtm32: scratch[1]! };
}

/** Inverts `toUtm32` to about 1e-12 degrees. */
export function toWgs84({ xUtm32, yUtm32 }: PointUtm32): PointWgs84 {
  unproject(xUtm32, yUtm32, scratch, 0);
  return { lon: scratch[0]!, lat: scratch[1]! };
}

export function pointFromWgs84(wgs84: PointWgs84): Point {
  return { wgs84, utm32: toUtm32(wgs84) };
}

export function pointFromUtm32(utm32: PointUtm32): Point {
  return { wgs84: toWgs84(utm32), utm32 };
}

/** Without allocation. */
export function toUtm32Into({ lon, lat }: PointWgs84, target: Float64Array, at = 0): void {
  project(lon, lat, target, at);
}

/** Pairs of x, y to pairs of lon, lat. Both may be the same array. */
export function toWgs84All(xy: Float64Array, lonLat: Float64Array): void {
  for (let i = 0; i + 1 < xy.length; i += 2) unproject(xy[i]!, xy[i + 1]!, lonLat, i);
}

/** From Bornholm's zone, without allocation. */
export function utm33ToUtm32Into(x: number, y: number, target: Float64Array): void {
  unproject(x, y, target, 0);
  project(target[0]! + ZONE_DEG, target[1]!, target, 0);
}

const scratch = new Float64Array(2);
const RADIANS = Math.PI / 180;
const CENTRAL_MERIDIAN_DEG = 9;
const ZONE_DEG = 6;
const FALSE_EASTING_M = 500_000;
const SCALE = 0.9996;
const SEMI_MAJOR_M = 6_378_137;
const FLATTENING = 1 / 298.257222101;
/** Third flattening, the variable of every series. */
const N = FLATTENING / (2 - FLATTENING);
const RADIUS_M = ((SCALE * SEMI_MAJOR_M) / (1 + N)) * (1 + N ** 2 / 4 + N ** 4 / 64 + N ** 6 / 256);

/** Row k multiplies sin 2k: n^k (c0 + c1 n + c2 n^2 …). */
function coefficients(rows: readonly (readonly number[])[]): Float64Array {
  return Float64Array.from(
    rows,
    (row, k) => N ** (k + 1) * row.reduceRight((sum, c) => sum * N + c, 0),
  );
}

/** Conformal sphere to plane (Krüger's alpha). */
const TO_PLANE = coefficients([
  [1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37800],
  [13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1983433 / 1935360],
  [61 / 240, -103 / 140, 15061 / 26880, 167603 / 181440],
  [49561 / 161280, -179 / 168, 6601661 / 7257600],
  [34729 / 80640, -3418889 / 1995840],
  [212378941 / 319334400],
]);

/** Plane to conformal sphere (minus Krüger's beta). */
const TO_SPHERE = coefficients([
  [-1 / 2, 2 / 3, -37 / 96, 1 / 360, 81 / 512, -96199 / 604800],
  [-1 / 48, -1 / 15, 437 / 1440, -46 / 105, 1118711 / 3870720],
  [-17 / 480, 37 / 840, 209 / 4480, -5569 / 90720],
  [-4397 / 161280, 11 / 504, 830251 / 7257600],
  [-4583 / 161280, 108847 / 3991680],
  [-20648693 / 638668800],
]);

const TO_CONFORMAL = coefficients([
  [-2, 2 / 3, 4 / 3, -82 / 45, 32 / 45, 4642 / 4725],
  [5 / 3, -16 / 15, -13 / 9, 904 / 315, -1522 / 945],
  [-26 / 15, 34 / 21, 8 / 5, -12686 / 2835],
  [1237 / 630, -12 / 5, -24832 / 14175],
  [-734 / 315, 109598 / 31185],
  [444337 / 155925],
]);

const TO_GEODETIC = coefficients([
  [2, -2 / 3, -2, 116 / 45, 26 / 45, -2854 / 675],
  [7 / 3, -8 / 5, -227 / 45, 2704 / 315, 2323 / 945],
  [56 / 15, -136 / 35, -1262 / 105, 73814 / 2835],
  [4279 / 630, -332 / 35, -399572 / 14175],
  [4174 / 315, -144838 / 6237],
  [601676 / 22275],
]);

/** Double-angle terms save half of the trigonometric calls. */
function project(lonDeg: number, latDeg: number, target: Float64Array, at: number): void {
  const chi = shiftLatitude(latDeg * RADIANS, TO_CONFORMAL);
  const lambda = (lonDeg - CENTRAL_MERIDIAN_DEG) * RADIANS;
  const sinChi = Math.sin(chi);
  const cosChi = Math.cos(chi);
  const east = cosChi * Math.sin(lambda);
  const north = cosChi * Math.cos(lambda);
  const squared = sinChi * sinChi + north * north;
  const scale = 2 / squared;
  angle[0] = scale * sinChi * north;
  angle[1] = scale * north * north - 1;
  angle[2] = scale * east;
  angle[3] = scale - 1;
  addPlaneSeries(TO_PLANE);
  target[at] = FALSE_EASTING_M + RADIUS_M * (Math.asinh(east / Math.sqrt(squared)) + angle[5]!);
  target[at + 1] = RADIUS_M * (Math.atan2(sinChi, north) + angle[4]!);
}

function unproject(xM: number, yM: number, target: Float64Array, at: number): void {
  const xi = yM / RADIUS_M;
  const eta = (xM - FALSE_EASTING_M) / RADIUS_M;
  angle[0] = Math.sin(2 * xi);
  angle[1] = Math.cos(2 * xi);
  angle[2] = Math.sinh(2 * eta);
  angle[3] = Math.cosh(2 * eta);
  addPlaneSeries(TO_SPHERE);
  const xiSphere = xi + angle[4]!;
  const sinhEta = Math.sinh(eta + angle[5]!);
  const cosXi = Math.cos(xiSphere);
  const chi = Math.atan2(Math.sin(xiSphere), Math.hypot(sinhEta, cosXi));
  target[at] = CENTRAL_MERIDIAN_DEG + Math.atan2(sinhEta, cosXi) / RADIANS;
  target[at + 1] = shiftLatitude(chi, TO_GEODETIC) / RADIANS;
}

/** Latitude plus the sum of c[k] sin(2 (k + 1) latitude), by Clenshaw's recurrence. */
function shiftLatitude(lat: number, c: Float64Array): number {
  const twice = 2 * Math.cos(2 * lat);
  let next = 0;
  let sum = 0;
  for (let k = 5; k >= 0; k--) {
    const value = c[k]! + twice * sum - next;
    next = sum;
    sum = value;
  }
  return lat + sum * Math.sin(2 * lat);
}

/**
 * In 0 to 3: sin 2 xi, cos 2 xi, sinh 2 eta, cosh 2 eta; out 4 and 5: the complex sum of c[k] sin(2
 * (k + 1) (xi + i eta)). Module variables would box doubles.
 */
const angle = new Float64Array(6);

function addPlaneSeries(c: Float64Array): void {
  const sin2 = angle[0]!;
  const cos2 = angle[1]!;
  const sinh2 = angle[2]!;
  const cosh2 = angle[3]!;
  const twiceReal = 2 * cos2 * cosh2;
  const twiceImaginary = -2 * sin2 * sinh2;
  let real = 0;
  let imaginary = 0;
  let nextReal = 0;
  let nextImaginary = 0;
  for (let k = 5; k >= 0; k--) {
    const valueReal = c[k]! + twiceReal * real - twiceImaginary * imaginary - nextReal;
    const valueImaginary = twiceReal * imaginary + twiceImaginary * real - nextImaginary;
    nextReal = real;
    nextImaginary = imaginary;
    real = valueReal;
    imaginary = valueImaginary;
  }
  const sinReal = sin2 * cosh2;
  const sinImaginary = cos2 * sinh2;
  angle[4] = real * sinReal - imaginary * sinImaginary;
  angle[5] = real * sinImaginary + imaginary * sinReal;
}
