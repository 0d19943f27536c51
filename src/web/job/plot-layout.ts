import type { PlacedRow } from './first-page.ts';

export const WIDTH = 640;
export const HEIGHT = 360;
export const MARGIN = 28;
const METRES_PER_DEGREE = 111_195;
/** More would only lie over each other. */
const MOST_POINTS = 2_000;
/** Metres across: a single point has a neighbourhood too. */
const LEAST_METRES = 200;

export interface Plot {
  readonly points: readonly { readonly x: number; readonly y: number; readonly row: string }[];
  readonly scale: { readonly metres: number; readonly width: number };
}

/** A metre is as long east as north. */
export function plotOf(places: readonly PlacedRow[]): Plot | null {
  const shown = places.slice(0, MOST_POINTS);
  if (shown.length === 0) return null;
  const [west, east] = span(shown.map(({ lon }) => lon));
  const [south, north] = span(shown.map(({ lat }) => lat));
  const [midLon, midLat] = [(west + east) / 2, (south + north) / 2];
  const perLon = METRES_PER_DEGREE * Math.cos((midLat * Math.PI) / 180);
  const wide = Math.max((east - west) * perLon, LEAST_METRES);
  const high = Math.max((north - south) * METRES_PER_DEGREE, LEAST_METRES);
  const perMetre = Math.min((WIDTH - 2 * MARGIN) / wide, (HEIGHT - 2 * MARGIN) / high);
  return {
    points: shown.map(({ lon, lat, row }) => ({
      x: WIDTH / 2 + (lon - midLon) * perLon * perMetre,
      y: HEIGHT / 2 - (lat - midLat) * METRES_PER_DEGREE * perMetre,
      row,
    })),
    scale: scaleOf(perMetre),
  };
}

function span(values: readonly number[]): readonly [number, number] {
  return [
    values.reduce((least, value) => Math.min(least, value)),
    values.reduce((most, value) => Math.max(most, value)),
  ];
}

/** The longest of 1, 2 and 5 times a power of ten within a quarter of the width. */
function scaleOf(perMetre: number): Plot['scale'] {
  const most = WIDTH / 4 / perMetre;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = [5, 2, 1].map((step) => step * power).find((length) => length <= most) ?? power;
  return { metres, width: metres * perMetre };
}
