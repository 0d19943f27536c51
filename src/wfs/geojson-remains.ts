/** Every position in a feature's geometry at any depth, and its `bbox`. */
import { LIMITS } from '../kernel/limits.ts';
import { Remains } from './remains.ts';

/** Deeper than any geometry nests, including nested collections. */
const MOST_DEPTH = 20;

export function remainsOfGeoJson(
  { geometry, bbox }: Readonly<Record<string, unknown>>,
  crsAt: (x: number, y: number) => string,
): Remains {
  const remains = new Remains();
  remains.raw =
    geometry === undefined ? '' : JSON.stringify(geometry).slice(0, LIMITS.unreadRawChars);
  walkGeometry(geometry, { remains, crsAt }, 0);
  readBox(bbox, { remains, crsAt });
  if (isRecord(geometry)) readBox(geometry['bbox'], { remains, crsAt });
  return remains;
}

interface Walk {
  readonly remains: Remains;
  readonly crsAt: (x: number, y: number) => string;
  readonly isArea?: boolean;
}

function walkGeometry(geometry: unknown, walk: Walk, depth: number): void {
  const { remains } = walk;
  if (!isRecord(geometry) || depth > MOST_DEPTH) {
    remains.leaveOut();
    return;
  }
  const { type, geometries, coordinates } = geometry;
  // A point is no line or area: it gives at most one position.
  if (type === 'Point' || type === 'MultiPoint') remains.leaveOut();
  if (Array.isArray(geometries) && geometries.length > 0) {
    for (const each of geometries) walkGeometry(each, walk, depth + 1);
  } else walkLevel(coordinates, { ...walk, isArea: /Polygon$/.test(String(type)) }, depth);
}

function walkLevel(level: unknown, walk: Walk, depth: number): void {
  const { remains } = walk;
  if (!Array.isArray(level) || level.length === 0 || depth > MOST_DEPTH) {
    remains.leaveOut();
    return;
  }
  if (walk.isArea === true && level.every(isRun)) {
    remains.checkClosed((level as unknown[][]).map(([x, y]) => [x, y]));
  }
  if (!level.some(Array.isArray)) readPosition(level, walk);
  // A hole lies inside its shell.
  else if (walk.isArea === true && isPolygon(level)) walkLevel(level[0], walk, depth + 1);
  else for (const part of level) walkLevel(part, walk, depth + 1);
}

function isPolygon(level: readonly unknown[]): boolean {
  const [shell] = level;
  return Array.isArray(shell) && shell.length > 0 && shell.every(isRun);
}

function isRun(part: unknown): boolean {
  return Array.isArray(part) && !part.some(Array.isArray);
}

function readPosition(position: readonly unknown[], { remains, crsAt }: Walk): void {
  const [x, y] = position;
  if (position.length > 4) remains.leaveOut();
  else remains.position(crsAt(Number(x), Number(y)), x, y);
}

/** Minimum of each axis, then maximum: two or three axes. */
function readBox(bbox: unknown, { remains, crsAt }: Walk): void {
  if (!Array.isArray(bbox) || (bbox.length !== 4 && bbox.length !== 6)) return;
  const half = bbox.length / 2;
  const corners: unknown[] = [bbox[0], bbox[1], bbox[half], bbox[half + 1]];
  remains.box(crsAt(Number(corners[0]), Number(corners[1])), corners);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
