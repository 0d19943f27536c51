/** Newest to the right: height is duration, shape and colour the result, the line rows. */
import { moment, rows } from '../shared/format.ts';
import { html, svg } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
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

/** @param runs newest first */
export function runChart(runs: readonly Run[]): TemplateResult {
  const shown = runs.slice(0, SLOTS).toReversed();
  const width = SLOTS * STEP;
  const xOf = (index: number) => width - (shown.length - index) * STEP + 2;
  const longest = Math.max(1, ...shown.map((run) => run.varighed_ms ?? 0));
  return html`<svg
    class="chart"
    viewBox=${`0 0 ${width} ${HEIGHT}`}
    preserveAspectRatio="xMaxYMid slice"
    role="img"
    aria-label=${described(runs)}
  >
    <line class="axis" x2=${width} y1=${BASE + 0.5} y2=${BASE + 0.5}></line>
    ${shown.map((run, index) => column(run, xOf(index), longest))}
    <polyline class="rows" points=${rowLine(shown, xOf)}></polyline>
  </svg>`;
}

function column(run: Run, x: number, longest: number): TemplateResult {
  // The root keeps a quick run visible beside one that took a hundred times longer.
  const share = Math.sqrt((run.varighed_ms ?? longest) / longest);
  const height = Math.max(3, Math.round(share * TALLEST));
  const y = BASE - height;
  const middle = x + WIDTH / 2;
  const mark =
    run.tilstand === 'fejlet'
      ? `M${middle - 2.6} ${y - 7.6}l5.2 5.2m0 -5.2l-5.2 5.2`
      : run.tilstand === 'afvist'
        ? `M${middle} ${y - 8}v3.6M${middle} ${y - 2.4}v0.2`
        : '';
  return svg`<g class=${`run ${run.tilstand}`}>
    <title>${describe(run)}</title>
    <rect class="column" x=${x} y=${y} width=${WIDTH} height=${height} rx="1.5"></rect>
    <path class="mark" d=${mark}></path>
  </g>`;
}

/** How many rows each run saw, where at least two did: the shape, not the scale. */
function rowLine(shown: readonly Run[], xOf: (index: number) => number): string {
  const seen = shown.flatMap((run, index) =>
    run.tal.raekker === null || run.tilstand === 'fejlet'
      ? []
      : [{ x: xOf(index) + WIDTH / 2, rows: run.tal.raekker }],
  );
  if (seen.length < 2) return '';
  const most = Math.max(1, ...seen.map(({ rows: count }) => count));
  return seen
    .map(({ x, rows: count }) => `${x},${(BASE - 24.5 * (count / most)).toFixed(1)}`)
    .join(' ');
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
