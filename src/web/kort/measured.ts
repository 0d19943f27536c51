/** Of shapes that have been read: which answers for a line, and where the distance ends. */
import type { Hit, LineRow } from '../shared/answers.ts';
import type { Drawn, Segment } from './copies.ts';
import { MOST_EDGES, agreeing, nearestOnLines, nearestOnZone } from './nearest.ts';
import type { Foot, Polygon, Ring } from './nearest.ts';

export interface Shape {
  readonly objectId: string;
  readonly polygons: readonly Polygon[];
  readonly lines: readonly Ring[];
}

export interface Measured {
  readonly segment: Segment;
  readonly shape: Drawn;
}

export type Metres = readonly [x: number, y: number];

export interface Answered extends Pick<LineRow, 'key' | 'name' | 'shape' | 'distanceM'> {
  readonly hit: Pick<Hit, 'objekt_id'> | null;
}

/**
 * null: none, or it disagrees with the answer. `shapes`: those in force somewhat beyond the
 * answered distance.
 */
export function measuredOn(row: Answered, at: Metres, shapes: readonly Shape[]): Measured | null {
  const { distanceM, hit, key: layer, name } = row;
  if (distanceM === null) return null;
  // Inside it is the feature that the answer names; the zone's edge may be another one's (D26, D27).
  const named = hit === null ? null : shapes.find(({ objectId }) => objectId === hit.objekt_id);
  const isInside = row.shape === 'flade' && hit !== null;
  const nearest = isInside ? null : nearestShape(at, shapes);
  const shape = named === null ? nearest?.shape : named;
  const end = isInside ? zoneEnd(at, shapes, distanceM) : (nearest?.foot ?? null);
  const foot = agreeing(end, distanceM);
  if (foot === null || shape === undefined) return null;
  const { objectId, polygons, lines } = shape;
  return {
    segment: { layer, name, foot, distanceM },
    shape: { layer, name, properties: { objekt_id: objectId }, polygons, lines },
  };
}

function zoneEnd(at: Metres, shapes: readonly Shape[], distanceM: number): Foot | null {
  const polygons = shapes.flatMap((shape) => shape.polygons);
  return nearestOnZone(at, polygons, distanceM);
}

interface Nearest {
  readonly shape: Shape;
  readonly foot: Foot;
}

function nearestShape(at: Metres, shapes: readonly Shape[]): Nearest | null {
  let best: Nearest | null = null;
  let edges = 0;
  for (const shape of shapes) {
    const rings = [...shape.polygons.flat(), ...shape.lines];
    edges += rings.reduce((sum, ring) => sum + ring.length, 0);
    if (edges > MOST_EDGES) return null;
    const foot = nearestOnLines(at, rings);
    if (foot !== null && (best === null || foot.distanceM < best.foot.distanceM)) {
      best = { shape, foot };
    }
  }
  return best;
}
