/** Points as a plain drawing, north up, with a scale. */
import { s } from '../shared/dom.ts';
import type { PlacedRow } from './first-page.ts';
import { HEIGHT, MARGIN, WIDTH, plotOf } from './plot-layout.ts';
import { t } from '../shared/language.ts';
import { decimal, number } from '../shared/format.ts';

export function drawPlot(places: readonly PlacedRow[]): SVGElement | null {
  const plot = plotOf(places);
  if (plot === null) return null;
  const { points, scale } = plot;
  const label = t(
    `Kort over ${number(points.length)} punkter`,
    `Map of ${number(points.length)} points`,
  );
  const right = WIDTH - MARGIN;
  const length =
    scale.metres >= 1000 ? `${decimal(scale.metres / 1000)} km` : `${decimal(scale.metres)} m`;
  return s(
    'svg',
    { class: 'plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
    s('rect', { class: 'frame', x: 1, y: 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 8 }),
    ...points.map(({ x, y, row }) =>
      s(
        'circle',
        { class: 'dot', cx: x.toFixed(1), cy: y.toFixed(1), r: points.length > 300 ? 2.5 : 4.5 },
        s('title', {}, `${t('Række', 'Row')} ${row}`),
      ),
    ),
    s('line', {
      class: 'scale',
      x1: right - scale.width,
      x2: right,
      y1: HEIGHT - 14,
      y2: HEIGHT - 14,
    }),
    s('text', { class: 'label', x: right, y: HEIGHT - 20, 'text-anchor': 'end' }, length),
    s('path', { class: 'north', d: `M${MARGIN - 8} 34 l7 -20 l7 20 l-7 -5 z` }),
    s('text', { class: 'label', x: MARGIN - 1, y: 50, 'text-anchor': 'middle' }, 'N'),
  );
}
