import { decimal, number } from '../shared/format.ts';
import { html, nothing, svg } from '../shared/html.ts';
import type { Content } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import type { PlacedRow } from './first-page.ts';
import { HEIGHT, MARGIN, WIDTH, plotOf } from './plot-layout.ts';

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
