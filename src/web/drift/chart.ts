/**
 * The last runs, newest to the right: height is duration, shape and colour the result, the line
 * rows.
 */
import { s } from '../shared/dom.ts';
import { moment, rows } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import type { Run } from './types.ts';
import { RUN_STATES, runWord } from './words.ts';
import { duration, list } from './units.ts';

const HEIGHT = 30;
const BASE = 27;
const TALLEST = 19;
const STEP = 11;
const WIDTH = 7;
const SLOTS = 14;

/** @param runs newest first, as the service gives them */
export function runChart(runs: readonly Run[]): SVGElement {
  const shown = runs.slice(0, SLOTS).toReversed();
  const width = SLOTS * STEP;
  const offset = width - shown.length * STEP;
  const longest = Math.max(1, ...shown.map((run) => run.varighed_ms ?? 0));
  return s(
    'svg',
    {
      class: 'chart',
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: 'img',
      'aria-label': described(runs),
    },
    s('line', { class: 'axis', x1: 0, x2: width, y1: BASE + 0.5, y2: BASE + 0.5 }),
    ...shown.map((run, index) => column(run, { x: offset + index * STEP + 2, longest })),
    rowLine(shown, offset),
  );
}

function column(
  run: Run,
  { x, longest }: { readonly x: number; readonly longest: number },
): SVGElement {
  // The root keeps a quick run visible beside one that took a hundred times longer.
  const share = Math.sqrt((run.varighed_ms ?? longest) / longest);
  const height = Math.max(3, Math.round(share * TALLEST));
  const y = BASE - height;
  const parts: SVGElement[] = [s('rect', { class: 'column', x, y, width: WIDTH, height, rx: 1.5 })];
  const middle = x + WIDTH / 2;
  if (run.tilstand === 'fejlet') {
    const [top, reach] = [y - 5, 2.6];
    parts.push(
      s('path', {
        class: 'mark',
        d: `M${middle - reach} ${top - reach}l${2 * reach} ${2 * reach}m0 ${-2 * reach}l${-2 * reach} ${2 * reach}`,
      }),
    );
  }
  if (run.tilstand === 'afvist') {
    parts.push(s('path', { class: 'mark', d: `M${middle} ${y - 8}v3.6M${middle} ${y - 2.4}v0.2` }));
  }
  return s('g', { class: `run ${run.tilstand}` }, s('title', {}, describe(run)), ...parts);
}

/** How many rows each run saw, where at least two did: the shape, not the scale. */
function rowLine(shown: readonly Run[], offset: number): SVGElement | null {
  const seen = shown.flatMap((run, index) =>
    run.tal.raekker === null || run.tilstand === 'fejlet'
      ? []
      : [{ x: offset + index * STEP + 2 + WIDTH / 2, rows: run.tal.raekker }],
  );
  if (seen.length < 2) return null;
  const most = Math.max(1, ...seen.map(({ rows: count }) => count));
  const points = seen.map(
    ({ x, rows: count }) => `${x},${(BASE - 24.5 * (count / most)).toFixed(1)}`,
  );
  return s('polyline', { class: 'rows', points: points.join(' ') });
}

function describe(run: Run): string {
  const parts = [`${moment(run.startet)}: ${runWord(run.tilstand)}`];
  if (run.varighed_ms !== null) parts.push(duration(run.varighed_ms));
  if (run.tal.raekker !== null) parts.push(rows(run.tal.raekker));
  return parts.join(', ');
}

function described(runs: readonly Run[]): string {
  const [latest] = runs;
  if (latest === undefined) return t('Ingen kørsler endnu.', 'No runs yet.');
  const counts = RUN_STATES.flatMap((state) => {
    const count = runs.filter((run) => run.tilstand === state).length;
    return count === 0 ? [] : [`${count} ${runWord(state)}`];
  });
  return t(
    `Seneste ${runs.length} kørsler: ${list(counts)}. Sidst ${describe(latest)}.`,
    `Latest ${runs.length} runs: ${list(counts)}. Last ${describe(latest)}.`,
  );
}
