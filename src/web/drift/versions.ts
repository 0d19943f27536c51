/** The latest versions of a layer: rows, area and duration. */
import { h, s } from '../shared/dom.ts';
import type { Child } from '../shared/dom.ts';
import { moment, number } from '../shared/format.ts';
import { inLanguage, t } from '../shared/language.ts';
import type { Both } from '../shared/language.ts';
import { scrolled, table } from '../shared/table.ts';
import type { EndedRun, History, Layer } from './types.ts';
import { guardWord, kindWord } from './words.ts';
import { area, duration, list } from './units.ts';

interface Series {
  readonly title: Both;
  readonly value: (run: EndedRun) => number | null;
  readonly text: (value: number) => string;
}

const SERIES: readonly Series[] = [
  { title: { da: 'Rækker', en: 'Rows' }, value: ({ antal }) => antal, text: number },
  { title: { da: 'Areal', en: 'Area' }, value: ({ areal_m2: m2 }) => m2, text: area },
  { title: { da: 'Varighed', en: 'Duration' }, value: ({ varighed_ms: ms }) => ms, text: duration },
];

/** Newest first in the table, oldest first in the pictures, as time runs. */
export function versionsPart(layer: Layer, { versioner: versions }: History): HTMLElement {
  if (versions.length === 0)
    return h(
      'p',
      { class: 'muted' },
      t('Laget er aldrig udgivet.', 'The layer was never published.'),
    );
  const shown = SERIES.filter(({ value }) => versions.some((run) => (value(run) ?? 0) > 0));
  return h(
    'div',
    {},
    h('div', { class: 'series' }, ...shown.map((series) => picture(series, versions.toReversed()))),
    scrolled(
      t(`Versioner af ${layer.navn}`, `Versions of ${layer.navn}`),
      table({
        class: 'versions',
        head: [
          'Version',
          t('Udgivet', 'Published'),
          ...shown.map(({ title }) => inLanguage(title)),
          t('Hvordan', 'How'),
        ],
        rows: versions.map((run) => cellsOf(run, shown)),
        isNumber: (at) => at > 1 && at < shown.length + 2,
      }),
    ),
  );
}

const WIDTH = 200;
const HEIGHT = 44;

function picture(series: Series, versions: readonly EndedRun[]): HTMLElement {
  const { value, text } = series;
  const title = inLanguage(series.title);
  const most = Math.max(1, ...versions.map((run) => value(run) ?? 0));
  const step = Math.min(20, WIDTH / versions.length);
  const bars = versions.map((run, index) => {
    const known = value(run);
    const told = `Version ${run.version ?? ''}: ${known === null ? notOnRecord() : text(known)}`;
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
  const values = list(
    versions.map((run) => {
      const known = value(run);
      return known === null ? notOnRecord() : text(known);
    }),
  );
  const last = versions.at(-1);
  const latest = last === undefined ? null : value(last);
  return h(
    'figure',
    {},
    h(
      'figcaption',
      {},
      title,
      ' ',
      h('b', {}, latest === null ? t('ukendt', 'unknown') : text(latest)),
    ),
    s(
      'svg',
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: 'img',
        'aria-label': t(
          `${title} i ${versions.length} versioner, ældste først: ${values}`,
          `${title} in ${versions.length} versions, oldest first: ${values}`,
        ),
      },
      ...bars,
    ),
  );
}

function notOnRecord(): string {
  return t('ikke på skrift', 'not on record');
}

function cellsOf(run: EndedRun, shown: readonly Series[]): Child[] {
  const how = kindWord(run.slags);
  const released =
    run.frigivet.length > 0
      ? `, ${list(run.frigivet.map(guardWord))} ${t('frigivet', 'released')}`
      : '';
  const by = run.bedt_af === null ? '' : ` ${t('af', 'by')} ${run.bedt_af}`;
  return [
    run.version === null ? '–' : number(run.version),
    moment(run.sluttet),
    ...shown.map(({ value, text }) => {
      const known = value(run);
      return known === null ? '–' : text(known);
    }),
    h('td', { class: 'remark' }, `${how}${released}${by}`),
  ];
}
