import { moment, number } from '../shared/format.ts';
import { html, note, rowsTable, scrolledPart, svg } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { inLanguage, t } from '../shared/language.ts';
import type { Words } from '../../layers/words.ts';
import type { EndedRun, History, Layer } from './types.ts';
import { guardWord, kindWord } from './words.ts';
import { area, duration, list } from './units.ts';

interface Series {
  readonly title: Words;
  readonly value: (run: EndedRun) => number | null;
  readonly text: (value: number) => string;
}

const SERIES: readonly Series[] = [
  { title: { da: 'Rækker', en: 'Rows' }, value: ({ antal }) => antal, text: number },
  { title: { da: 'Areal', en: 'Area' }, value: ({ areal_m2: m2 }) => m2, text: area },
  { title: { da: 'Varighed', en: 'Duration' }, value: ({ varighed_ms: ms }) => ms, text: duration },
];

/** Newest first in the table, oldest first in the pictures, as time runs. */
export function versionsPart(layer: Layer, { versioner: versions }: History): TemplateResult {
  if (versions.length === 0)
    return note(t('Laget er aldrig udgivet.', 'The layer was never published.'));
  const shown = SERIES.filter(({ value }) => versions.some((run) => (value(run) ?? 0) > 0));
  const name = t(`Versioner af ${layer.navn}`, `Versions of ${layer.navn}`);
  const published = t('Udgivet', 'Published');
  const titles = shown.map(({ title }) => inLanguage(title));
  const table = rowsTable({
    head: ['Version', published, ...titles, t('Hvordan', 'How')],
    rows: versions.map((run) => cellsOf(run, shown)),
    isNumber: (at) => at > 1 && at < shown.length + 2,
  });
  return html`<div class="series">
      ${shown.map((series) => picture(series, versions.toReversed()))}
    </div>
    <div class="versions">${scrolledPart(name, table)}</div>`;
}

const WIDTH = 200;
const HEIGHT = 44;

function picture(series: Series, versions: readonly EndedRun[]): TemplateResult {
  const { value, text } = series;
  const title = inLanguage(series.title);
  const most = Math.max(1, ...versions.map((run) => value(run) ?? 0));
  const step = Math.min(20, WIDTH / versions.length);
  const saidOf = (run: EndedRun): string => {
    const known = value(run);
    return known === null ? t('ikke på skrift', 'not on record') : text(known);
  };
  const bars = versions.map((run, index) => {
    const known = value(run);
    const height = known === null ? HEIGHT : Math.max(1.5, (known / most) * HEIGHT);
    return svg`<rect class=${known === null ? 'unknown' : 'bar-of'}
      x=${index * step + 1} width=${Math.max(2, step - 3)} y=${HEIGHT - height} height=${height}
    ><title>Version ${run.version ?? ''}: ${saidOf(run)}</title></rect>`;
  });
  const values = list(versions.map(saidOf));
  const last = versions.at(-1);
  const latest = last === undefined ? null : value(last);
  return html`<figure>
    <figcaption>
      ${title} <b>${latest === null ? t('ukendt', 'unknown') : text(latest)}</b>
    </figcaption>
    <svg
      viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label=${t(
        `${title} i ${versions.length} versioner, ældste først: ${values}`,
        `${title} in ${versions.length} versions, oldest first: ${values}`,
      )}
    >
      ${bars}
    </svg>
  </figure>`;
}

function cellsOf(run: EndedRun, shown: readonly Series[]): readonly string[] {
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
    `${kindWord(run.slags)}${released}${by}`,
  ];
}
