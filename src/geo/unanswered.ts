/**
 * An unreadable feature (D143), or outside a copy's coverage (D142), and what a measurement near it
 * is worth.
 */
import type { PointUtm32 } from './point.ts';
import { boundsAround } from './bounds.ts';
import type { Bounds } from './bounds.ts';

/** EPSG:25832. */
export interface UnansweredPlaces {
  readonly unreadable: readonly Bounds[];
  /** null: the code of an unreadable area is unknown. Absent where no lookup is by code. */
  readonly objects?: readonly (string | null)[];
  /** Of unreadable places, roads of addresses, parcels (`parcelName`); null: one is unknown. */
  readonly names?: readonly (string | null)[];
}

export interface Unanswered {
  readonly kind: 'unreadable' | 'uncovered';
  /** 0 inside, Infinity beyond `withinM`. */
  distanceM(point: PointUtm32, withinM: number): number;
}

/** D27, D28: signed; null: nothing in force within the radius. */
export interface MeasuredAt {
  readonly within: boolean;
  readonly distanceM: number | null;
}

/** `within`: that the point is within, at an unknown distance. */
export type Worth = 'all' | 'within' | 'nothing';

/** Closer edges may be one edge: coordinates have centimetres. */
export const SLACK_M = 0.01;

/**
 * A place counts when as near as the nearest known edge, and for a point outside also within the
 * search radius.
 */
export function worthOf(
  places: readonly Unanswered[] | null,
  point: PointUtm32,
  { measured, radiusM }: { readonly measured: MeasuredAt; readonly radiusM: number },
): Worth {
  if (places === null) return 'all';
  const { within, distanceM } = measured;
  const edgeM = distanceM === null ? radiusM : Math.abs(distanceM);
  const reachM = SLACK_M + (within ? edgeM : Math.min(edgeM, radiusM));
  let worth: Worth = 'all';
  for (const place of places) {
    const placeM = place.distanceM(point, reachM);
    if (placeM > reachM) continue;
    // A copy's content is true up to the end of its coverage; only distances to edges are unknown.
    const isWithinKnown = place.kind === 'uncovered' && placeM > 0 && within;
    if (!isWithinKnown) return 'nothing';
    worth = 'within';
  }
  return worth;
}

/** Edges count as inside. */
export function isUnansweredAt(places: readonly Unanswered[] | null, point: PointUtm32): boolean {
  return places !== null && places.some((place) => place.distanceM(point, SLACK_M) <= SLACK_M);
}

const made = new WeakMap<UnansweredPlaces, readonly Unanswered[]>();

const sets = new WeakMap<UnansweredPlaces, ReadonlySet<string | null>>();

function objectsOf(places: UnansweredPlaces): ReadonlySet<string | null> {
  const known = sets.get(places) ?? new Set(places.objects);
  sets.set(places, known);
  return known;
}

export function hasUnread(places: UnansweredPlaces | null | undefined, id: string): boolean {
  return places !== null && places !== undefined && objectsOf(places).has(id);
}

export function mayBeUnread(places: UnansweredPlaces | null | undefined, id: string): boolean {
  return hasUnread(places, id) || (places?.objects ?? []).includes(null);
}

export function meetsUnread(places: UnansweredPlaces | null | undefined, box: Bounds): boolean {
  const [west, south, east, north] = box;
  return (places?.unreadable ?? []).some(
    ([w, s, e, n]) =>
      w <= east + SLACK_M && west <= e + SLACK_M && s <= north + SLACK_M && south <= n + SLACK_M,
  );
}

export function unansweredOf(
  places: UnansweredPlaces | null | undefined,
): readonly Unanswered[] | null {
  if (places === null || places === undefined) return null;
  const known = made.get(places) ?? kindsOf(places);
  made.set(places, known);
  return known.length === 0 ? null : known;
}

function kindsOf({ unreadable }: UnansweredPlaces): readonly Unanswered[] {
  return unreadable.length === 0 ? [] : [new UnreadableBoxes(unreadable)];
}

class UnreadableBoxes implements Unanswered {
  readonly kind = 'unreadable';
  readonly #sides: Float64Array;
  readonly #around: Bounds;

  constructor(boxes: readonly Bounds[]) {
    this.#sides = Float64Array.from(boxes.flat());
    this.#around = boundsAround(boxes);
  }

  distanceM({ xUtm32: x, yUtm32: y }: PointUtm32, withinM: number): number {
    const [west, south, east, north] = this.#around;
    const limit = withinM * withinM;
    if (squareTo(west - x, x - east, south - y, y - north) > limit) return Infinity;
    const sides = this.#sides;
    let least = Infinity;
    for (let i = 0; i < sides.length; i += 4) {
      const square = squareTo(
        sides[i]! - x,
        x - sides[i + 2]!,
        sides[i + 1]! - y,
        y - sides[i + 3]!,
      );
      if (square < least) least = square;
    }
    return least > limit ? Infinity : Math.sqrt(least);
  }
}

function squareTo(west: number, east: number, south: number, north: number): number {
  const x = Math.max(west, east, 0);
  const y = Math.max(south, north, 0);
  return x * x + y * y;
}
