/**
 * Places that nobody can answer for: where a feature lies that could not be read (D143), and the land that
 * a copy does not claim to cover (D142). Plain data goes with a published copy, to threads and into files;
 * what is asked is made of it once. One rule says what a measurement near such a place is worth.
 */
import type { PointUtm32 } from './point.ts';
import type { Bounds } from './bounds.ts';

/** Of one copy. EPSG:25832, metres. */
export interface UnansweredPlaces {
  /** The boxes of features that could not be read. */
  readonly unreadable: readonly Bounds[];
  /**
   * Codes of areas that could not be read; null among them: one whose code is not known. Absent where nobody
   * asks by code.
   */
  readonly objects?: readonly (string | null)[];
  /** Names of places, and of the roads of addresses, that could not be read; null among them: one is not known. */
  readonly names?: readonly (string | null)[];
}

/** Places of one kind. */
export interface Unanswered {
  readonly kind: 'unreadable' | 'uncovered';
  /** Metres to the nearest of them: 0 inside it, Infinity where there is none within `withinM`. */
  distanceM(point: PointUtm32, withinM: number): number;
}

/** What the rule must know of a line: D27, D28. Metres, signed; null: nothing in force within the radius. */
export interface MeasuredAt {
  readonly within: boolean;
  readonly distanceM: number | null;
}

/**
 * What may be said of a measurement: all of it, only that the point lies within (its distance is not
 * known), or nothing.
 */
export type Worth = 'all' | 'within' | 'nothing';

/** Edges nearer to each other than this may be one edge, metres: coordinates are told to a centimetre. */
export const SLACK_M = 0.01;

/**
 * What a line measured at a point is worth. A place counts where it is as near as the nearest edge that is
 * known, and for a point outside not farther than the search radius: nearer than that, an edge may be
 * missing, or the one that is known may be none. `places` null: there are none, which is the usual case.
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
    // Where a copy ends, what it holds is true all the same: only how far its edges are is not known.
    const isWithinKnown = place.kind === 'uncovered' && placeM > 0 && within;
    if (!isWithinKnown) return 'nothing';
    worth = 'within';
  }
  return worth;
}

/** The kind of place that a point lies in, edges included; null: in none. For areas. */
export function unansweredAt(
  places: readonly Unanswered[] | null,
  point: PointUtm32,
): Unanswered['kind'] | null {
  if (places === null) return null;
  return places.find((place) => place.distanceM(point, SLACK_M) <= SLACK_M)?.kind ?? null;
}

const made = new WeakMap<UnansweredPlaces, readonly Unanswered[]>();

const sets = new WeakMap<UnansweredPlaces, ReadonlySet<string | null>>();

function objectsOf(places: UnansweredPlaces): ReadonlySet<string | null> {
  const known = sets.get(places) ?? new Set(places.objects);
  sets.set(places, known);
  return known;
}

/** Whether something that is asked for by an id has a row that could not be read. */
export function hasUnread(places: UnansweredPlaces | null | undefined, id: string): boolean {
  return places !== null && places !== undefined && objectsOf(places).has(id);
}

/** Whether something that a copy does not hold may be of a row that could not be read. */
export function mayBeUnread(places: UnansweredPlaces | null | undefined, id: string): boolean {
  return hasUnread(places, id) || (places?.objects ?? []).includes(null);
}

/** Whether a feature that could not be read may lie in a box. */
export function meetsUnread(places: UnansweredPlaces | null | undefined, box: Bounds): boolean {
  const [west, south, east, north] = box;
  return (places?.unreadable ?? []).some(
    ([w, s, e, n]) =>
      w <= east + SLACK_M && west <= e + SLACK_M && s <= north + SLACK_M && south <= n + SLACK_M,
  );
}

/** What is asked of a copy's places, made once of the same object; null: it has none. */
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

/** Few boxes as a rule: they are walked. */
class UnreadableBoxes implements Unanswered {
  readonly kind = 'unreadable';
  /** West, south, east, north of each. */
  readonly #sides: Float64Array;
  /** Of all of them. */
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

/** Square of the distance to a box, by how far the point lies beyond each side; negative: on this side. */
function squareTo(west: number, east: number, south: number, north: number): number {
  const x = Math.max(west, east, 0);
  const y = Math.max(south, north, 0);
  return x * x + y * y;
}

/** The bounds that hold all of these; at least one. */
export function boundsAround(boxes: readonly Bounds[]): Bounds {
  const around: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [west, south, east, north] of boxes) {
    around[0] = Math.min(around[0], west);
    around[1] = Math.min(around[1], south);
    around[2] = Math.max(around[2], east);
    around[3] = Math.max(around[3], north);
  }
  return around;
}
