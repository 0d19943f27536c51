/** The latest versions of a layer: rows, area and duration, as three small pictures and as a table. */
import { h, s } from '../shared/dom.ts';
import { area, duration, list, moment, number } from '../shared/format.ts';
import type { EndedRun, History, Layer } from './types.ts';
import { KIND_WORDS } from './words.ts';

interface Series {
  readonly title: string;
  readonly value: (run: EndedRun) => number | null;
  readonly text: (value: number) => string;
}

const SERIES: readonly Series[] = [
  { title: 'Rækker', value: ({ antal }) => antal, text: number },
  { title: 'Areal', value: ({ areal_m2: m2 }) => m2, text: area },
  { title: 'Varighed', value: ({ varighed_ms: ms }) => ms, text: duration },
];

/** Newest first in the table, oldest first in the pictures, as time runs. */
export function versionsPart(layer: Layer, { versioner: versions }: History): HTMLElement {
  if (versions.length === 0) return h('p', { class: 'muted' }, 'Laget er aldrig udgivet.');
  const shown = SERIES.filter(({ value }) => versions.some((run) => (value(run) ?? 0) > 0));
  return h(
    'div',
    {},
    h('div', { class: 'series' }, ...shown.map((series) => picture(series, versions.toReversed()))),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Versioner af ${layer.navn}` },
      table(versions, shown),
    ),
  );
}

const WIDTH = 200;
const HEIGHT = 44;

function picture({ title, value, text }: Series, versions: readonly EndedRun[]): HTMLElement {
  const most = Math.max(1, ...versions.map((run) => value(run) ?? 0));
  const step = Math.min(20, WIDTH / versions.length);
  const bars = versions.map((run, index) => {
    const known = value(run);
    const told = `Version ${run.version ?? ''}: ${known === null ? 'ikke på skrift' : text(known)}`;
    const height = known === null ? HEIGHT : Math.max(1.5, (known / most) * HEIGHT);
    return s(
      'rect',
      {
        class: known === null ? 'unknown' : 'bar-of',
        x: index * step + 1,
        width: Math.max(2, step - 3),
        y: HEIGHT - height,
        height,
      },
      s('title', {}, told),
    );
  });
  const last = versions.at(-1);
  const latest = last === undefined ? null : value(last);
  return h(
    'figure',
    {},
    h('figcaption', {}, title, ' ', h('b', {}, latest === null ? 'ukendt' : text(latest))),
    s(
      'svg',
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: 'img',
        'aria-label': `${title} i ${versions.length} versioner, ældste først: ${list(
          versions.map((run) => {
            const known = value(run);
            return known === null ? 'ikke på skrift' : text(known);
          }),
        )}`,
      },
      ...bars,
    ),
  );
}

function table(versions: readonly EndedRun[], shown: readonly Series[]): HTMLElement {
  const head = (title: string, kind: string) => h('th', { scope: 'col', class: kind }, title);
  return h(
    'table',
    { class: 'versions' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        head('Version', ''),
        head('Udgivet', ''),
        ...shown.map(({ title }) => head(title, 'number')),
        head('Hvordan', ''),
      ),
    ),
    h('tbody', {}, ...versions.map((run) => row(run, shown))),
  );
}

function row(run: EndedRun, shown: readonly Series[]): HTMLElement {
  const how = KIND_WORDS[run.slags] ?? run.slags;
  const released = run.frigivet.length > 0 ? `, ${list(run.frigivet)} frigivet` : '';
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, run.version === null ? '–' : number(run.version)),
    h('td', {}, moment(run.sluttet)),
    ...shown.map(({ value, text }) => {
      const known = value(run);
      return h('td', { class: 'number' }, known === null ? '–' : text(known));
    }),
    h(
      'td',
      { class: 'remark' },
      `${how}${released}${run.bedt_af === null ? '' : ` af ${run.bedt_af}`}`,
    ),
  );
}
