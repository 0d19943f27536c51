/** What a page arrives with, until its reader asks about a place (D203). */
import type { Place } from './coordinates.ts';

/** Between two looks at a service that cannot answer yet, and how many there are. */
const STARTING_MS = 3_000;
const MOST_LOOKS = 200;

/** null: the service names none. */
export function examplePlace(): Place | null {
  const [lon = Number.NaN, lat = Number.NaN] = (document.body.dataset['sted'] ?? '')
    .split(' ')
    .map(Number.parseFloat);
  return Number.isFinite(lon) && Number.isFinite(lat) ? { srid: 4326, lon, lat } : null;
}

/** null: it never could, or `isOver`. */
export async function onceStarted<Found>(
  ask: (looks: number) => Promise<Found | null>,
  isOver: () => boolean,
): Promise<Found | null> {
  for (let looks = 0; looks < MOST_LOOKS && !isOver(); looks++) {
    const found = await ask(looks);
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, STARTING_MS));
  }
  return null;
}
