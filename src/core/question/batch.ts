import type { Point } from '../../geo/point.ts';
import { pointFromItem } from '../../answers/coordinates.ts';
import type { PointItem } from '../../answers/batch-writer.ts';
import type { CoordinateQuery } from '../../answers/coordinates.ts';

/** As sent: lon and lat, or x, y and srid (D36a). */
export interface SentPoint extends CoordinateQuery {
  readonly id?: string;
}

export interface BatchPoints {
  readonly items: readonly PointItem[];
  readonly points: Point[];
}

export function pointCount({ punkter }: { readonly punkter: readonly unknown[] }): number {
  return punkter.length;
}

/** One bad point refuses the whole call, naming its place. */
export function pointsOf(sent: readonly SentPoint[]): BatchPoints {
  const points = sent.map((item, index) => pointFromItem(item, () => `punkter[${index}]`));
  // Degrees are echoed as sent, without a copy.
  if (sent.every(isInDegrees)) return { items: sent, points };
  return { items: points.map(({ wgs84 }, index) => echoOf(wgs84, sent[index]?.id)), points };
}

function isInDegrees(sent: SentPoint): sent is PointItem {
  return sent.lon !== undefined;
}

function echoOf({ lon, lat }: Point['wgs84'], id: string | undefined): PointItem {
  return id === undefined ? { lon, lat } : { id, lon, lat };
}

/** The caller's ids in order; null where no point has one. */
export function idsOf(items: readonly Pick<PointItem, 'id'>[]): (string | undefined)[] | null {
  return items.some(({ id }) => id !== undefined) ? items.map(({ id }) => id) : null;
}
