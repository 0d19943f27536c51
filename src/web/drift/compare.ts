import { ref } from 'lit-html/directives/ref.js';
import { wordsOf } from '../shared/ask.ts';
import { moment, number } from '../shared/format.ts';
import { button, html, note, nothing, selectField } from '../shared/html.ts';
import type { Choice, TemplateResult } from '../shared/html.ts';
import { inLanguage, t } from '../shared/language.ts';
import type { Words } from '../../layers/words.ts';
import { readDifference } from './api.ts';
import type { Comparison } from './shown.ts';
import type { ChangedFeature, Difference, DifferenceKind, History, Layer } from './types.ts';
import { DIFFERENCES, DIFFERENCE_COLOURS } from './terms.ts';
import { list } from './units.ts';

/** Features named beside the map; all are drawn. */
const NAMED = 40;
const KINDS: readonly DifferenceKind[] = ['nye', 'fjernede', 'flyttede', 'aendrede'];

export function noComparison(): Comparison {
  return { from: null, to: null, isAsking: false, found: null, map: null, draw: () => undefined };
}

export function comparePart(
  layer: Layer,
  { kan_sammenlignes: known }: History,
  comparison: Comparison,
  redraw: () => void,
): TemplateResult | null {
  const [newest, before] = known;
  // A register has no shapes to compare.
  if (newest === undefined) return null;
  const title = html`<h4>${t('Forskel på to versioner', 'Difference of two versions')}</h4>`;
  if (before === undefined) {
    const alone = t(
      'Kun den seneste versions indhold er gemt: der er ikke noget at sammenligne den med.',
      'Only the content of the latest version is kept: there is nothing to compare it with.',
    );
    return html`${title}${note(alone)}`;
  }
  const kept = (chosen: number | null, preset: number): number =>
    known.some(({ version }) => version === chosen) ? (chosen ?? preset) : preset;
  const from = kept(comparison.from, before.version);
  const to = kept(comparison.to, newest.version);
  const ask = (event: Event): void => {
    event.preventDefault();
    if (!comparison.isAsking) void compare(layer, comparison, { from, to, redraw });
  };
  const choices = known.map(({ version, udgivet }, at): Choice => {
    const used = at === 0 ? t('i brug, ', 'in use, ') : '';
    return [`${version}`, `version ${number(version)} (${used}${moment(udgivet)})`];
  });
  const select = (name: string, label: string, version: number) =>
    selectField([`${name}-${layer.lag}`, label, choices, `${version}`]);
  const choose = ({ target }: { readonly target: HTMLSelectElement }): void => {
    comparison[target.id.startsWith('from-') ? 'from' : 'to'] = Number(target.value);
    redraw();
  };
  return html`${title}
    <form class="compare" @submit=${ask} @change=${choose}>
      ${select('from', t('Fra', 'From'), from)} ${select('to', t('til', 'to'), to)}
      <button
        type="submit"
        class="plain"
        data-key=${`${layer.lag}:forskel`}
        aria-label=${t(`Vis forskel: ${layer.navn}`, `Show the difference: ${layer.navn}`)}
        aria-disabled=${String(comparison.isAsking)}
      >
        ${t('Vis forskel', 'Show the difference')}
      </button>
    </form>
    ${result(layer, comparison)}`;
}

interface Asked {
  readonly from: number;
  readonly to: number;
  readonly redraw: () => void;
}

async function compare(layer: Layer, comparison: Comparison, asked: Asked): Promise<void> {
  const { from, to, redraw } = asked;
  Object.assign(comparison, { from, to, isAsking: true, found: null, map: null });
  redraw();
  try {
    const found = await readDifference(layer.lag, from, to);
    if (found.objekter.length > 0) await drawWhenPlaced(comparison, found);
    comparison.found = found;
  } catch (error) {
    comparison.found = wordsOf(error);
  }
  comparison.isAsking = false;
  redraw();
}

async function drawWhenPlaced(comparison: Comparison, { objekter }: Difference): Promise<void> {
  const { createDifferenceMap } = await import('./difference-map.ts');
  comparison.draw = (place) => {
    if (!(place instanceof HTMLElement)) return;
    // It has its size once the page has it.
    queueMicrotask(() => (comparison.map = createDifferenceMap(place, objekter)));
  };
}

function result(layer: Layer, comparison: Comparison): TemplateResult {
  const { found, isAsking } = comparison;
  const isKnown = found !== null && typeof found !== 'string';
  const known = isKnown ? sentence(found) : (found ?? '');
  const said = isAsking ? t('Sammenligner…', 'Comparing…') : known;
  const kind = isAsking ? 'muted' : typeof found === 'string' ? 'notice bad' : '';
  return html`<p role="status" class=${kind}>${said}</p>
    ${isKnown && found.objekter.length > 0 ? mapPart(layer, found, comparison) : null}`;
}

function sentence({ fra, til, tal, objekter }: Difference): string {
  const all = KINDS.reduce((sum, kind) => sum + tal[kind], 0);
  const versions = t(
    `Fra version ${number(fra.version)} til ${number(til.version)}`,
    `From version ${number(fra.version)} to ${number(til.version)}`,
  );
  if (all === 0) return `${versions}: ${t('de er ens', 'they are the same')}.`;
  const counts = KINDS.flatMap((kind) =>
    tal[kind] === 0 ? [] : [`${number(tal[kind])} ${inLanguage(DIFFERENCES[kind])}`],
  );
  const drawn =
    objekter.length === all
      ? ''
      : t(
          ` Tegnet er ${number(objekter.length)} af dem, de enkleste: resten er for mange til kortet.`,
          ` Drawn are ${number(objekter.length)} of them, the simplest: the rest is too much for the map.`,
        );
  return `${versions}: ${list(counts)}.${drawn}`;
}

function mapPart(layer: Layer, difference: Difference, comparison: Comparison): TemplateResult {
  const { objekter: features, tal } = difference;
  const more = features.length - NAMED;
  const label = t(
    `Kort over forskellen i ${layer.navn}: piletaster flytter, plus og minus zoomer`,
    `Map of the difference in ${layer.navn}: arrow keys move it, plus and minus zoom`,
  );
  const item = (feature: ChangedFeature) =>
    html`<li class=${feature.art}>
      ${button(feature.objekt_id, () => comparison.map?.lookAt(feature), 'link')}
      ${inLanguage(ONE[feature.art])}
    </li>`;
  return html`<div class="difference">
    <ul class="keys muted">
      ${KINDS.filter((kind) => tal[kind] > 0).map(
        (kind) =>
          html`<li>
            <svg width="18" height="4" aria-hidden="true">
              <path
                d="M0 2H18"
                stroke=${DIFFERENCE_COLOURS[kind]}
                stroke-width="3"
                stroke-dasharray=${kind === 'fjernede' ? '6 3' : nothing}
              ></path></svg
            >${inLanguage(LEGEND[kind])}
          </li>`,
      )}
    </ul>
    <div class="difference-parts">
      <div
        class="difference-map"
        tabindex="0"
        role="application"
        aria-label=${label}
        ${ref(comparison.draw)}
      ></div>
      <ul class="changed">
        ${features.slice(0, NAMED).map(item)}
        ${
          more > 0
            ? html`<li class="muted">
                ${t(`og ${number(more)} til på kortet`, `and ${number(more)} more on the map`)}
              </li>`
            : null
        }
      </ul>
    </div>
  </div>`;
}

const LEGEND: Readonly<Record<DifferenceKind, Words>> = {
  nye: { da: 'nye', en: 'new' },
  fjernede: { da: 'fjernede (stiplet)', en: 'gone (dashed)' },
  flyttede: {
    da: 'flyttede: før stiplet, efter fuldt',
    en: 'moved: dashed before, full after',
  },
  aendrede: { da: 'ændrede oplysninger, samme sted', en: 'changed facts, same place' },
};

const ONE: Readonly<Record<DifferenceKind, Words>> = {
  nye: { da: 'ny', en: 'new' },
  fjernede: { da: 'fjernet', en: 'gone' },
  flyttede: { da: 'flyttet', en: 'moved' },
  aendrede: { da: 'ændret', en: 'changed' },
};
