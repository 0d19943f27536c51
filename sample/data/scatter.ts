/** Places for scattered features, and the irregular rings drawn there. Sites stay free (SITES). */
import type { Place, Ring } from './geometry.ts';
import { reversed, roundRing } from './geometry.ts';
import { placeInland, SITE_RADIUS_M, SITES } from './island.ts';
import type { Random } from './random.ts';

/** A place on the main island, evenly spread, for something that reaches `reachM` from it. */
function scatterPlace(random: Random, reachM: number): Place {
  for (;;) {
    const angle = random.between(0, 2 * Math.PI);
    const place = placeInland(angle, 0.9 * Math.sqrt(random.next()));
    const isClear = Object.values(SITES).every(
      ({ x, y }) => Math.hypot(x - place.x, y - place.y) > SITE_RADIUS_M + reachM,
    );
    if (isClear) return place;
  }
}

/** An irregular area somewhere on the island, one in three with a hole. */
export function scatterArea(random: Random): Ring[] {
  const radiusM = random.between(80, 400);
  const { x, y } = scatterPlace(random, 1.35 * radiusM);
  const phases = [random.between(0, 6), random.between(0, 6), random.between(0, 6)];
  const outline = (share: number) =>
    roundRing({ x, y, radiusM: share * radiusM, vertices: 48, phases });
  return random.chance(0.3) ? [outline(1), reversed(outline(0.5))] : [outline(1)];
}
