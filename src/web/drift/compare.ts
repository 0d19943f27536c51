/** Two versions of a layer compared, in numbers and on a map that is loaded when requested. */
import { wordsOf } from '../shared/ask.ts';
import { h } from '../shared/dom.ts';
import { moment, number } from '../shared/format.ts';
import { inLanguage, t } from '../shared/language.ts';
import type { Both } from '../shared/language.ts';
import { readDifference } from './api.ts';
import type { DifferenceMap } from './difference-map.ts';
import type { ChangedFeature, Difference, DifferenceKind, KnownVersion, Layer } from './types.ts';
import { differenceWord } from './words.ts';
import { list } from './units.ts';

/** Features that are named beside the map; the others are drawn all the same. */
const NAMED = 40;

export interface ComparePart {
  readonly element: HTMLElement;
  /** Newest first. */
  setVersions(known: readonly KnownVersion[]): void;
}

/** Made once for an open layer and kept while the page refreshes. */
export function createCompare(layer: Pick<Layer, 'lag' | 'navn'>): ComparePart {
  const key = (name: string) => ({ 'data-key': `${layer.lag}:${name}` });
  const from = h('select', { id: `fra-${layer.lag}`, ...key('fra') });
  const to = h('select', { id: `til-${layer.lag}`, ...key(t('til', 'to')) });
  const button = h(
    'button',
    {
      type: 'submit',
      class: 'plain',
      'aria-label': t(`Vis forskel: ${layer.navn}`, `Show the difference: ${layer.navn}`),
      ...key('forskel'),
    },
    t('Vis forskel', 'Show the difference'),
  );
  const form = h(
    'form',
    { class: 'compare', hidden: true },
    h('label', { for: from.id }, t('Fra', 'From')),
    from,
    h('label', { for: to.id }, t('til', 'to')),
    to,
    button,
  );
  const why = h('p', { class: 'muted' });
  const place = h('div', { class: 'difference' });
  const said = h('p', { role: 'status' });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void showDifference(layer, [Number(from.value), Number(to.value)], { said, place, button });
  });
  let shown = '';
  return {
    element: h('div', {}, why, form, said, place),
    setVersions: (known) => {
      const state = JSON.stringify(known);
      if (state === shown) return;
      shown = state;
      form.hidden = known.length < 2;
      why.hidden = known.length >= 2;
      why.textContent =
        known.length === 0
          ? t(
              'Versionernes indhold er ikke gemt: to af dem kan ikke sammenlignes.',
              'The content of the versions is not kept: two of them cannot be compared.',
            )
          : t(
              'Kun den seneste versions indhold er gemt: der er ikke noget at sammenligne den med.',
              'Only the content of the latest version is kept: there is nothing to compare it with.',
            );
      offer(from, known, known[1]);
      offer(to, known, known[0]);
    },
  };
}

/** The choices; what was chosen stays chosen while it is there. */
function offer(
  select: HTMLSelectElement,
  known: readonly KnownVersion[],
  preset: KnownVersion | undefined,
): void {
  const before = select.value;
  select.replaceChildren(
    ...known.map(({ version, udgivet }, index) =>
      h(
        'option',
        { value: version },
        `version ${number(version)} (${index === 0 ? t('i brug, ', 'in use, ') : ''}${moment(udgivet)})`,
      ),
    ),
  );
  const kept = known.some(({ version }) => String(version) === before);
  select.value = kept ? before : String(preset?.version ?? '');
}

interface Places {
  readonly said: HTMLElement;
  readonly place: HTMLElement;
  readonly button: HTMLButtonElement;
}

async function showDifference(
  layer: Pick<Layer, 'lag' | 'navn'>,
  [from, to]: readonly [number, number],
  { said, place, button }: Places,
): Promise<void> {
  button.disabled = true;
  said.className = 'muted';
  said.textContent = t('Sammenligner…', 'Comparing…');
  place.replaceChildren();
  try {
    const difference = await readDifference(layer.lag, from, to);
    said.className = '';
    said.textContent = sentence(difference);
    if (difference.objekter.length > 0) await drawMap(layer, difference, place);
  } catch (error) {
    said.className = 'notice bad';
    said.textContent = wordsOf(error);
  } finally {
    button.disabled = false;
  }
}

const KINDS: readonly DifferenceKind[] = ['nye', 'fjernede', 'flyttede', 'aendrede'];

function sentence({ fra, til, tal, objekter }: Difference): string {
  const all = KINDS.reduce((sum, kind) => sum + tal[kind], 0);
  const versions = t(
    `Fra version ${number(fra.version)} til ${number(til.version)}`,
    `From version ${number(fra.version)} to ${number(til.version)}`,
  );
  if (all === 0) return `${versions}: ${t('de er ens', 'they are the same')}.`;
  const counts = KINDS.flatMap((kind) =>
    tal[kind] === 0 ? [] : [`${number(tal[kind])} ${differenceWord(kind)}`],
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

async function drawMap(
  layer: Pick<Layer, 'navn'>,
  difference: Difference,
  place: HTMLElement,
): Promise<void> {
  const { createDifferenceMap } = await import('./difference-map.ts');
  const target = h('div', {
    class: 'difference-map',
    tabindex: 0,
    role: 'application',
    'aria-label': t(
      `Kort over forskellen i ${layer.navn}: piletaster flytter, plus og minus zoomer`,
      `Map of the difference in ${layer.navn}: arrow keys move it, plus and minus zoom`,
    ),
  });
  const named = h('ul', { class: 'changed' });
  place.replaceChildren(
    h(
      'ul',
      { class: 'keys muted' },
      ...KINDS.filter((kind) => difference.tal[kind] > 0).map((kind) =>
        h('li', { class: kind }, h('i', { 'aria-hidden': 'true' }), inLanguage(LEGEND[kind])),
      ),
    ),
    h('div', { class: 'difference-parts' }, target, named),
  );
  const map = createDifferenceMap(target, difference.objekter);
  named.append(...difference.objekter.slice(0, NAMED).map((feature) => item(feature, map)));
  if (difference.objekter.length > NAMED) {
    const more = difference.objekter.length - NAMED;
    named.append(
      h(
        'li',
        { class: 'muted' },
        t(`og ${number(more)} til på kortet`, `and ${number(more)} more on the map`),
      ),
    );
  }
}

const LEGEND: Readonly<Record<DifferenceKind, Both>> = {
  nye: { da: 'nye', en: 'new' },
  fjernede: { da: 'fjernede (stiplet)', en: 'gone (dashed)' },
  flyttede: {
    da: 'flyttede: før stiplet, efter fuldt',
    en: 'moved: dashed before, full after',
  },
  aendrede: { da: 'ændrede oplysninger, samme sted', en: 'changed facts, same place' },
};

const ONE: Readonly<Record<DifferenceKind, Both>> = {
  nye: { da: 'ny', en: 'new' },
  fjernede: { da: 'fjernet', en: 'gone' },
  flyttede: { da: 'flyttet', en: 'moved' },
  aendrede: { da: 'ændret', en: 'changed' },
};

function item(feature: ChangedFeature, map: DifferenceMap): HTMLElement {
  return h(
    'li',
    { class: feature.art },
    h(
      'button',
      { type: 'button', class: 'link', onclick: () => map.lookAt(feature) },
      feature.objekt_id,
    ),
    ` ${inLanguage(ONE[feature.art])}`,
  );
}
