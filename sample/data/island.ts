/**
 * The lie of the land: Prøveholm and its three islets, invented, in open Kattegat 25 km north of
 * Anholt and 39 km south-east of Læsø. Everything else is placed on this ground.
 */
import type { Place } from './geometry.ts';

export const CENTRE: Place = { x: 650_000, y: 6_314_000 };
/** Half the length and half the breadth of the main island, metres. */
const HALF_EAST_M = 5_500;
const HALF_NORTH_M = 4_200;

/**
 * Sites kept free of scattered features, so that what stands there is exactly what the examples
 * say. The radius exceeds the default search radius (500 m) by the reach of the exhibits.
 */
export const SITES = {
  forest: { x: 647_500, y: 6_314_000 },
  dyke: { x: 652_000, y: 6_315_200 },
  nature: { x: 651_500, y: 6_312_300 },
  quiet: { x: 648_600, y: 6_315_800 },
} as const satisfies Record<string, Place>;
export const SITE_RADIUS_M = 1_100;

/** A place on land by direction (radians) and share of the way to the coast, wobble left out. */
export function placeInland(angle: number, share: number): Place {
  const reach = share * outline(angle);
  return {
    x: CENTRE.x + HALF_EAST_M * reach * Math.cos(angle),
    y: CENTRE.y + HALF_NORTH_M * reach * Math.sin(angle),
  };
}

/** The island seen from its middle: bays and points as a few waves. Star-shaped by construction. */
function outline(angle: number): number {
  return (
    1 +
    0.05 * Math.sin(2 * angle + 0.7) +
    0.04 * Math.sin(3 * angle + 2.1) +
    0.02 * Math.sin(7 * angle + 4.4)
  );
}
