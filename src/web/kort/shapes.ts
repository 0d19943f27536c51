/**
 * The shapes that an answer was measured on: read from the layer's own file (`/v1/kort/<layer>.fgb`), of
 * which only the part around the place is fetched, and exact where a tile is rounded.
 */
import { deserialize } from 'flatgeobuf/lib/mjs/geojson.js';
import type { LineRow } from './answers.ts';
import type { Drawn, Segment } from './copies.ts';
import { agreeing, nearestOnLines, nearestOnZone } from './nearest.ts';
import type { Foot, Polygon, Ring } from './nearest.ts';

/** Beyond the measured distance, metres: what lies just there is part of the zone. */
const MARGIN_M = 2;
/** Features read at most for one distance. */
const MOST_FEATURES = 3_000;

interface Shape {
  readonly objectId: string;
  readonly polygons: readonly Polygon[];
  readonly lines: readonly Ring[];
}

/** What is drawn of one line; null: it could not be read, or does not agree with the answer. */
export interface Measured {
  readonly segment: Segment;
  readonly shape: Drawn;
}

type Metres = readonly [x: number, y: number];

/** The shape that answers for a line and the segment to it. Throws when the file cannot be read. */
export async function measure(
  row: LineRow,
  at: Metres,
  headers: Readonly<Record<string, string>>,
): Promise<Measured | null> {
  const { distanceM } = row;
  if (distanceM === null) return null;
  const shapes = await shapesNear(
    row.key,
    { at, radiusM: Math.abs(distanceM) + MARGIN_M },
    headers,
  );
  if (shapes === null) return null;
  const foot = footOf(row, { at, distanceM }, shapes);
  const shape = answering(row, { at, foot }, shapes);
  if (foot === null || shape === undefined) return null;
  const { key: layer, name } = row;
  const { objectId, polygons, lines } = shape;
  return {
    segment: { layer, name, foot, distanceM },
    shape: { layer, name, properties: { objekt_id: objectId }, polygons, lines },
  };
}

function footOf(
  row: LineRow,
  { at, distanceM }: { readonly at: Metres; readonly distanceM: number },
  shapes: readonly Shape[],
): Foot | null {
  const polygons = shapes.flatMap((shape) => shape.polygons);
  const foot =
    row.shape === 'flade' && distanceM <= 0
      ? nearestOnZone(at, polygons, distanceM)
      : nearestOnLines(at, shapes.flatMap(ringsOf));
  return agreeing(foot, distanceM);
}

/** Inside it is the feature that the answer names; outside the one that lies nearest. */
function answering(
  { hit }: LineRow,
  { at, foot }: { readonly at: Metres; readonly foot: Foot | null },
  shapes: readonly Shape[],
): Shape | undefined {
  if (hit !== null) return shapes.find(({ objectId }) => objectId === hit.objekt_id);
  return shapes.find((shape) => nearestOnLines(at, ringsOf(shape))?.distanceM === foot?.distanceM);
}

function ringsOf({ polygons, lines }: Shape): readonly Ring[] {
  return [...polygons.flat(), ...lines];
}

/** The features in force around a place; null: more than can be looked at. */
async function shapesNear(
  layer: string,
  { at: [x, y], radiusM }: { readonly at: Metres; readonly radiusM: number },
  headers: Readonly<Record<string, string>>,
): Promise<readonly Shape[] | null> {
  const rect = { minX: x - radiusM, minY: y - radiusM, maxX: x + radiusM, maxY: y + radiusM };
  const url = new URL(`v1/kort/${layer}.fgb`, document.baseURI).href;
  const shapes: Shape[] = [];
  for await (const feature of deserialize(url, { rect, headers: { ...headers } })) {
    const { properties, geometry } = feature as unknown as FileFeature;
    if (properties.standing === 'in_force') shapes.push(shapeOf(properties.objectId, geometry));
    if (shapes.length > MOST_FEATURES) return null;
  }
  return shapes;
}

interface FileFeature {
  readonly properties: { readonly objectId: string; readonly standing: string };
  readonly geometry: FileGeometry;
}

type FileGeometry =
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly Polygon[] }
  | { readonly type: 'Polygon'; readonly coordinates: Polygon }
  | { readonly type: 'MultiLineString'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'LineString'; readonly coordinates: Ring };

function shapeOf(objectId: string, geometry: FileGeometry): Shape {
  switch (geometry.type) {
    case 'MultiPolygon':
      return { objectId, polygons: geometry.coordinates, lines: [] };
    case 'Polygon':
      return { objectId, polygons: [geometry.coordinates], lines: [] };
    case 'MultiLineString':
      return { objectId, polygons: [], lines: geometry.coordinates };
    case 'LineString':
      return { objectId, polygons: [], lines: [geometry.coordinates] };
  }
}
