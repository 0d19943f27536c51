/**
 * The exact shapes that an answer was measured on, from the part of `/v1/kort/<layer>.fgb` around the
 * place.
 */
import { deserialize } from 'flatgeobuf/lib/mjs/geojson.js';
import type { LineRow } from '../shared/answers.ts';
import { measuredOn } from './measured.ts';
import type { Measured, Metres, Shape } from './measured.ts';
import type { Polygon, Ring } from './nearest.ts';

/** Beyond the measured distance, metres: what lies just there is part of the zone. */
const MARGIN_M = 2;
/** Features read at most for one distance. */
const MOST_FEATURES = 3_000;

/** The shape that answers for a line and the segment to it. Throws when the file cannot be read. */
export async function measure(
  row: LineRow,
  at: Metres,
  headers: Readonly<Record<string, string>>,
): Promise<Measured | null> {
  if (row.distanceM === null) return null;
  const radiusM = Math.abs(row.distanceM) + MARGIN_M;
  const shapes = await shapesNear(row.key, { at, radiusM }, headers);
  return shapes === null ? null : measuredOn(row, at, shapes);
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
    if (properties.i_kraft) shapes.push(shapeOf(properties.objekt_id, geometry));
    if (shapes.length > MOST_FEATURES) return null;
  }
  return shapes;
}

interface FileFeature {
  readonly properties: { readonly objekt_id: string; readonly i_kraft: boolean };
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
