import { decimal, number } from '../shared/format.ts';
import { html, nothing, svg } from '../shared/html.ts';
import type { Content } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import type { PlacedRow } from './first-page.ts';

const WIDTH = 640;
const HEIGHT = 360;
const MARGIN = 28;
const METRES_PER_DEGREE = 111_195;
/** More would only lie over each other. */
const MOST_POINTS = 2_000;
/** Metres across: a single point has a neighbourhood too. */
const LEAST_METRES = 200;

interface Plot {
  readonly points: readonly { readonly x: number; readonly y: number; readonly row: string }[];
  readonly scale: { readonly metres: number; readonly width: number };
}

/** Nothing where no row has a place. */
export function plotView(places: readonly PlacedRow[]): Content {
  const plot = plotOf(places);
  if (plot === null) return nothing;
  const { points, scale } = plot;
  const count = number(points.length);
  const label = t(`Kort over ${count} punkter`, `Map of ${count} points`);
  const right = WIDTH - MARGIN;
  const radius = points.length > 300 ? 2.5 : 4.5;
  const row = t('Række', 'Row');
  const { metres } = scale;
  const length = metres >= 1000 ? `${decimal(metres / 1000)} km` : `${decimal(metres)} m`;
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${label}>
    <rect class="frame" x="1" y="1" width=${WIDTH - 2} height=${HEIGHT - 2} rx="8" />
    ${points.map(
      (
        point,
      ) => svg`<circle class="dot" cx=${point.x.toFixed(1)} cy=${point.y.toFixed(1)} r=${radius}>
        <title>${row} ${point.row}</title>
      </circle>`,
    )}
    <path class="scale" d="M${right - scale.width} ${HEIGHT - 14}H${right}" />
    <text class="label" x=${right} y=${HEIGHT - 20} text-anchor="end">${length}</text>
    <path class="north" d="M${MARGIN - 8} 34 l7 -20 l7 20 l-7 -5 z" />
    <text class="label" x=${MARGIN - 1} y="50" text-anchor="middle">N</text>
  </svg>`;
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
