/** Which layers are drawn, in the legend; which failed to load, on the map. */
import { byId, say, show } from '../shared/dom.ts';
import { html, live, note, nothing, render, svg } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { inLanguage, t } from '../shared/language.ts';
import { ADDRESSES, CADASTRE, HOUSE_TILES, PARCEL_TILES } from '../../layers/keys.ts';
import type { MirrorId } from '../../layers/keys.ts';
import { MAP_LAYERS } from './address-bar.ts';
import type { MapLayer, PageState } from './address-bar.ts';
import { CONDITION_GROUPS, colourOf, nameOf } from './conditions.ts';
import type { ConditionGroup } from './conditions.ts';
import type { PlaceMap } from './map.ts';
import { swatch } from './panel.ts';
import { UNCOVERED } from './styles.ts';

export interface LayersDeps {
  readonly map: () => PlaceMap | null;
  readonly state: () => PageState;
  readonly remember: (change: Partial<PageState>) => void;
  readonly onToggle: () => void;
  /** What has not been mirrored yet. */
  readonly readStarting: () => Promise<ReadonlySet<string>>;
}

/** The operator's; empty: none. */
export const BACKGROUND = document.body.dataset['baggrund'] ?? '';

/** Milliseconds until a layer that did not come is asked for again, and one that is being mirrored. */
const RETRY_MS = { failed: 30_000, starting: 5_000 };
/** Of tiles that are cut from tables. */
const TABLES: Readonly<Record<string, MirrorId>> = {
  [PARCEL_TILES]: CADASTRE,
  [HOUSE_TILES]: ADDRESSES,
};

export class Layers {
  readonly #deps: LayersDeps;
  /** With the status of a tile that did not come. */
  readonly #missing = new Map<MapLayer, number>();
  /** Of those: which will be asked for again, and which have been and not answered yet. */
  readonly #waiting = new Set<MapLayer>();
  readonly #askedAgain = new Set<MapLayer>();
  #isBackgroundMissing = false;
  #starting: ReadonlySet<string> = new Set();
  #readingStarting: Promise<void> | null = null;

  constructor(deps: LayersDeps) {
    this.#deps = deps;
  }

  /** Names shown layers that failed to load on the map as well: their emptiness is no "no". */
  draw(): void {
    const { layers, background } = this.#deps.state();
    const failed = layers.filter((layer) => this.#missing.has(layer));
    const [missing, later] = [false, true].map((isStarting) =>
      failed.filter((each) => this.#isStarting(each) === isStarting).map(nameOf),
    );
    if (this.#isBackgroundMissing && background) missing?.push(backgroundWord());
    const parts = [
      [t('Kortlaget kunne ikke hentes', 'The layer could not be fetched'), missing ?? []],
      [t('Hentes endnu', 'Still being fetched'), later ?? []],
    ] as const;
    const told = parts.filter(([, names]) => names.length > 0);
    const words = told.map(([begin, names]) => `${begin}: ${shortened(names)}`);
    say(byId('map-trouble'), words.join('. '));
    render(this.#legend(), byId('legend-content'));
  }

  #legend(): TemplateResult {
    const covered = document.body.dataset['daekning'];
    const uncovered = t(
      `Gråt er ikke dækket. Her dækkes kun ${covered}`,
      `Grey is not covered. Covered here is only ${covered}`,
    );
    const { background } = this.#deps.state();
    const input = box('background', '', background, (now) => this.showBackground(now));
    const backgroundItem = html`<li><label>${input}${backgroundWord()}</label></li>`;
    return html`<p class="muted" id="drawn-now">${this.#drawnNow()}</p>
      <ul class="signs" id="signs">
        ${signs()}
        ${covered === undefined ? nothing : html`<li>${swatch(UNCOVERED)}${uncovered}</li>`}
      </ul>
      <div class="legend" id="layers">
        <ul>
          ${BACKGROUND === '' ? nothing : backgroundItem}
          ${MAP_LAYERS.map((layer) => this.#item(layer))}
        </ul>
        ${CONDITION_GROUPS.map((group) => this.#group(group))}
      </div>`;
  }

  /** What is drawn at this zoom, and what appears nearer. */
  #drawnNow(): string {
    const { layers } = this.#deps.state();
    const far = layers.filter((layer) => this.#isFar(layer));
    const drawn = layers.filter((layer) => !far.includes(layer) && !this.#missing.has(layer));
    const now = `${t('Tegnet nu', 'Drawn now')}: ${drawn.length} ${t('af', 'of')} ${layers.length}.`;
    if (far.length === 0) return now;
    const names = far.map(nameOf).join(', ');
    return `${now} ${names} ${t('kommer frem, når der zoomes ind', 'appear when zoomed in')}.`;
  }

  #isFar(layer: MapLayer): boolean {
    return this.#deps.map()?.isTooFarOut(layer) === true;
  }

  #group({ name, colour, layers }: ConditionGroup): TemplateResult {
    const { layers: all } = this.#deps.state();
    const shown = layers.filter(([layer]) => all.includes(layer)).length;
    const count = shown > 0 ? ` (${shown} ${t('af', 'of')} ${layers.length})` : '';
    return html`<details>
      <summary>${swatch(colour)} ${inLanguage(name)}${count}</summary>
      <ul>
        ${layers.map(([layer]) => this.#item(layer))}
      </ul>
    </details>`;
  }

  #item(layer: MapLayer): TemplateResult {
    const isShown = this.#deps.state().layers.includes(layer);
    const input = box('layer', layer, isShown, (now) => this.#toggle(layer, now));
    return html`<li>
      <label>${input}${swatch(colourOf(layer))}${nameOf(layer)}</label>
      ${isShown ? this.#notDrawn(layer) : nothing}
    </li>`;
  }

  /** Nothing where it is drawn. */
  #notDrawn(layer: MapLayer): Content {
    const refused = this.#missing.get(layer);
    if (refused === undefined)
      return this.#isFar(layer)
        ? note(t('Tegnes først, når der zoomes ind', 'Drawn only when zoomed in'))
        : nothing;
    if (this.#isStarting(layer))
      return note(
        t(
          'Hentes fra registret for første gang.',
          'Being fetched from the register for the first time.',
        ),
      );
    return html`<p class="missing" title=${refused}>
      ${t('Ikke tegnet: kunne ikke hentes. Prøver igen.', 'Not drawn: could not be fetched. Trying again.')}
    </p>`;
  }

  showBackground(isShown: boolean): void {
    if (BACKGROUND === '') return;
    this.#deps.remember({ background: isShown });
    this.#deps.map()?.setBackground(isShown);
    show(byId('background-source'), isShown);
    byId('background-source').textContent = document.body.dataset['baggrundKilde'] ?? '';
    this.draw();
  }

  backgroundCame(isMissing: boolean): void {
    if (isMissing === this.#isBackgroundMissing) return;
    this.#isBackgroundMissing = isMissing;
    this.draw();
  }

  #toggle(layer: MapLayer, isShown: boolean): void {
    const others = this.#deps.state().layers.filter((each) => each !== layer);
    const layers = isShown ? [...others, layer] : others;
    this.#deps.remember({ layers });
    this.#deps.map()?.setLayers(layers);
    this.#deps.onToggle();
    this.draw();
  }

  /** Failed tiles stay missing until they are requested again. */
  tileCame(layer: MapLayer, refused: number | null): void {
    const isFirstAgain = this.#askedAgain.delete(layer);
    if (refused === null && !isFirstAgain) return;
    const before = this.#missing.get(layer);
    if (refused === null) this.#missing.delete(layer);
    else {
      this.#missing.set(layer, refused);
      void this.#learnStarting().then(() => this.#askAgainLater(layer));
    }
    if (before !== (refused ?? undefined)) this.draw();
  }

  /** A service that has just started is fetching its layers: no failure. */
  #learnStarting(): Promise<void> {
    this.#readingStarting ??= this.#deps.readStarting().then((starting) => {
      this.#starting = starting;
      this.#readingStarting = null;
      this.draw();
    });
    return this.#readingStarting;
  }

  #isStarting(layer: MapLayer): boolean {
    return this.#starting.has(TABLES[layer] ?? layer);
  }

  #askAgainLater(layer: MapLayer): void {
    if (this.#waiting.has(layer)) return;
    this.#waiting.add(layer);
    const restMs = this.#isStarting(layer) ? RETRY_MS.starting : RETRY_MS.failed;
    setTimeout(() => {
      this.#waiting.delete(layer);
      this.#askedAgain.add(layer);
      this.#deps.map()?.retry(layer);
    }, restMs);
  }
}

function box(
  name: string,
  value: string,
  isChecked: boolean,
  onChange: (isChecked: boolean) => void,
): TemplateResult {
  const change = ({ target }: Event) => onChange((target as HTMLInputElement).checked);
  return html`<input
    type="checkbox"
    name=${name}
    value=${value}
    .checked=${live(isChecked)}
    @change=${change}
  />`;
}

function backgroundWord(): string {
  return t('Baggrundskort', 'Background map');
}

/** Names told before the rest is a number: all are in the legend. */
const MOST_NAMES = 3;

function shortened(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  if (more < 2) return names.join(', ');
  return `${names.slice(0, MOST_NAMES).join(', ')} ${t(`og ${more} andre`, `and ${more} others`)}`;
}

function signs(): readonly TemplateResult[] {
  const box = (dashes: unknown, fill: string) =>
    svg`<rect x="1" y="1" width="22" height="12" stroke="currentColor" stroke-dasharray=${dashes}
      fill=${fill} fill-opacity="0.25"></rect>`;
  const kinds = [
    [box(nothing, 'currentColor'), t('I kraft', 'In force')],
    [box('3 3', 'none'), t('Ophævet', 'Repealed')],
    [
      svg`<path d="M1 13 9 1M7 13 15 1M13 13 21 1" stroke="currentColor"></path>`,
      t(
        'Kunne ikke læses eller hentes: her svares ikke',
        'Could not be read or fetched: no answer here',
      ),
    ],
  ] as const;
  return kinds.map(
    ([drawn, words]) =>
      html`<li><svg width="24" height="14" aria-hidden="true">${drawn}</svg>${words}</li>`,
  );
}
