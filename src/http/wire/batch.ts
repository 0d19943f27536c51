/** Batches of points: what a caller sends, to Points in order. */
import type { Point } from '../../geo/point.ts';
import { pointFromDegrees } from './coordinates.ts';

export interface PointItem {
  readonly lon: number;
  readonly lat: number;
  readonly id?: string;
}

/** How many points the validated request of a batch asks. */
export function pointsAsked({ body }: { readonly body: unknown }): number {
  return (body as { readonly punkter: readonly PointItem[] }).punkter.length;
}

/** Every point in both frames. One bad point refuses the whole call, naming its place. */
export function pointsOf(items: readonly PointItem[]): Point[] {
  return items.map((item, index) =>
    pointFromDegrees(item, () => [`punkter[${index}].lon`, `punkter[${index}].lat`]),
  );
}

/** The caller's ids in order; null where no point has one. */
export function idsOf(items: readonly PointItem[]): (string | undefined)[] | null {
  return items.some(({ id }) => id !== undefined) ? items.map(({ id }) => id) : null;
}
