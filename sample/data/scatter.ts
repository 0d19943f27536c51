/** Places for scattered features, and the irregular rings drawn there. Sites stay free (SITES). */
import type { Place, Position, Ring } from './geometry.ts';
import { distance, position, reversed, ring, roundRing } from './geometry.ts';
import { placeInland, SITE_RADIUS_M, SITES } from './island.ts';
import type { Random } from './random.ts';

/** Whether something reaching `reachM` from a place keeps clear of every site. */
function isClearOfSites(place: Place, reachM: number): boolean {
  return Object.values(SITES).every((site) => distance(site, place) > SITE_RADIUS_M + reachM);
}

/** A place on the main island, evenly spread, for something that reaches `reachM` from it. */
export function scatterPlace(random: Random, reachM: number): Place {
  for (;;) {
    const angle = random.between(0, 2 * Math.PI);
    const place = placeInland(angle, 0.9 * Math.sqrt(random.next()));
    if (isClearOfSites(place, reachM)) return place;
  }
}

export interface Blob {
  readonly shell: Ring;
  /** The same outline at a share of the size, running the other way. */
  readonly hole: (share: number) => Ring;
  /** The same outline this much further out, metres. */
  readonly widened: (byM: number) => Ring;
}

/** An irregular outline with bulges, star-shaped round its place, so never self-crossing. */
export function drawBlob(random: Random, place: Place, size: BlobSize): Blob {
  const { radiusM, vertices } = size;
  const phases = [random.between(0, 6), random.between(0, 6), random.between(0, 6)] as const;
  const bulge = (angle: number): number =>
    1 +
    0.18 * Math.sin(2 * angle + phases[0]) +
    0.1 * Math.sin(3 * angle + phases[1]) +
    0.04 * Math.sin(7 * angle + phases[2]);
  const draw = (change: (radius: number) => number): Ring =>
    roundRing(place, vertices, (angle) => change(radiusM * bulge(angle)));
  return {
    shell: draw((radius) => radius),
    hole: (share) => reversed(draw((radius) => radius * share)),
    widened: (byM) => draw((radius) => radius + byM),
  };
}

export interface BlobSize {
  /** Mean radius; bulges reach a third further. */
  readonly radiusM: number;
  readonly vertices: number;
}

/** An open line that wanders: steps of varying length, each turned a little from the last. */
export function drawPath(random: Random, start: Place, steps: number): Ring {
  let heading = random.between(0, 2 * Math.PI);
  let place = start;
  const line: Position[] = [position(place)];
  for (let i = 0; i < steps; i++) {
    const length = random.between(30, 110);
    place = {
      x: place.x + length * Math.cos(heading),
      y: place.y + length * Math.sin(heading),
    };
    heading += random.between(-0.3, 0.3);
    line.push(position(place));
  }
  return line;
}

/** A band of even width along a line, from one cross-section to another. */
export function band(left: Ring, right: Ring): Ring {
  return ring([...right, ...reversed(left)]);
}
