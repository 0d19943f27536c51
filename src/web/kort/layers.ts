/** Which layers are drawn, in the legend; which failed to load, on the map. */
import { byId, h, s, say, show } from '../shared/dom.ts';
import { inLanguage } from '../shared/language.ts';
import { ADDRESSES, CADASTRE, HOUSE_TILES, PARCEL_TILES } from '../../layers/keys.ts';
import type { MirrorId } from '../../layers/keys.ts';
import { MAP_LAYERS } from './address-bar.ts';
import type { MapLayer, PageState } from './address-bar.ts';
import { CONDITION_GROUPS, colourOf, nameOf } from './conditions.ts';
import type { ConditionGroup } from './conditions.ts';
import type { PlaceMap } from './map.ts';
import { swatch } from './panel.ts';
import { UNCOVERED } from './styles.ts';
import { WORDS } from './words.ts';

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
  /** Groups of conditions, by colour. */
  readonly #open = new Set<string>();
  #isBackgroundMissing = false;
  #starting: ReadonlySet<string> = new Set();
  #readingStarting: Promise<void> | null = null;

  constructor(deps: LayersDeps) {
    this.#deps = deps;
  }

  draw(): void {
    const said = inLanguage(WORDS);
    const covered = document.body.dataset['daekning'];
    byId('signs').replaceChildren(
      ...SIGNS.map(([kind, word]) => h('li', {}, sign(kind), said[word])),
      ...(covered === undefined
        ? []
        : [h('li', {}, swatch(UNCOVERED), `${said.uncovered} ${covered}`)]),
    );
    byId('drawn-now').textContent = this.#drawnNow();
    byId('layers').replaceChildren(
      h(
        'ul',
        {},
        BACKGROUND !== '' && this.#backgroundItem(),
        ...MAP_LAYERS.map((layer) => this.#item(layer)),
      ),
      ...CONDITION_GROUPS.map((group) => this.#group(group)),
    );
  }

  /** What is drawn at this zoom, and what appears nearer. */
  #drawnNow(): string {
    const said = inLanguage(WORDS);
    const { layers } = this.#deps.state();
    const far = layers.filter((layer) => this.#deps.map()?.isTooFarOut(layer) === true);
    const drawn = layers.filter((layer) => !far.includes(layer) && !this.#missing.has(layer));
    const now = `${said.drawnNow}: ${drawn.length} ${said.of} ${layers.length}.`;
    if (far.length === 0) return now;
    return `${now} ${far.map(nameOf).join(', ')} ${said.comeNearer}.`;
  }

  #group({ name, colour, layers }: ConditionGroup): HTMLElement {
    const { layers: all } = this.#deps.state();
    const shown = layers.filter(([layer]) => all.includes(layer)).length;
    const { of } = inLanguage(WORDS);
    return h(
      'details',
      {
        open: this.#open.has(colour),
        ontoggle: ({ target }: Event) =>
          this.#open[(target as HTMLDetailsElement).open ? 'add' : 'delete'](colour),
      },
      h(
        'summary',
        {},
        swatch(colour),
        ` ${inLanguage(name)}`,
        shown > 0 && ` (${shown} ${of} ${layers.length})`,
      ),
      h('ul', {}, ...layers.map(([layer]) => this.#item(layer))),
    );
  }

  #item(layer: MapLayer): HTMLElement {
    const isShown = this.#deps.state().layers.includes(layer);
    const box = h('input', {
      type: 'checkbox',
      name: 'layer',
      value: layer,
      checked: isShown,
      onchange: (event: Event) => this.#toggle(layer, event.target as HTMLInputElement),
    });
    return h(
      'li',
      {},
      h('label', {}, box, swatch(colourOf(layer)), nameOf(layer)),
      isShown && this.#notDrawn(layer),
    );
  }

  /** null: it is drawn. */
  #notDrawn(layer: MapLayer): HTMLElement | null {
    const said = inLanguage(WORDS);
    const refused = this.#missing.get(layer);
    if (refused !== undefined)
      return this.#isStarting(layer)
        ? h('p', { class: 'muted' }, said.drawnLater)
        : h('p', { class: 'missing', title: String(refused) }, said.drawnMissing);
    const isFar = this.#deps.map()?.isTooFarOut(layer) === true;
    return isFar ? h('p', { class: 'muted' }, said.zoomIn) : null;
  }

  #backgroundItem(): HTMLElement {
    const box = h('input', {
      type: 'checkbox',
      name: 'background',
      checked: this.#deps.state().background,
      onchange: (event: Event) => this.showBackground((event.target as HTMLInputElement).checked),
    });
    return h('li', {}, h('label', {}, box, inLanguage(WORDS).background));
  }

  showBackground(isShown: boolean): void {
    if (BACKGROUND === '') return;
    this.#deps.remember({ background: isShown });
    this.#deps.map()?.setBackground(isShown);
    show(byId('background-source'), isShown);
    byId('background-source').textContent = document.body.dataset['baggrundKilde'] ?? '';
    this.tell();
  }

  backgroundCame(isMissing: boolean): void {
    if (isMissing === this.#isBackgroundMissing) return;
    this.#isBackgroundMissing = isMissing;
    this.tell();
  }

  #toggle(layer: MapLayer, { checked }: HTMLInputElement): void {
    const { layers: before } = this.#deps.state();
    const others = before.filter((each) => each !== layer);
    const layers = checked ? [...others, layer] : others;
    this.#deps.remember({ layers });
    this.#deps.map()?.setLayers(layers);
    this.#deps.onToggle();
    this.tell();
    this.draw();
    const box = byId('layers').querySelector<HTMLElement>(`[value="${layer}"]`);
    box?.focus({ preventScroll: true });
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
    if (before !== (refused ?? undefined)) this.tell();
  }

  /** A service that has just started is fetching its layers: no failure. */
  #learnStarting(): Promise<void> {
    this.#readingStarting ??= this.#deps.readStarting().then((starting) => {
      this.#starting = starting;
      this.#readingStarting = null;
      this.tell();
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

  /** Names shown layers that failed to load on the map: their emptiness is no "no". */
  tell(): void {
    const { layers, background } = this.#deps.state();
    const said = inLanguage(WORDS);
    const failed = layers.filter((layer) => this.#missing.has(layer));
    const named = (isStarting: boolean) =>
      failed.filter((each) => this.#isStarting(each) === isStarting).map(nameOf);
    const missing = named(false);
    if (this.#isBackgroundMissing && background) missing.push(said.background);
    const parts = [
      [said.tilesFailed, missing],
      [said.tilesLater, named(true)],
    ] as const;
    const told = parts.filter(([, names]) => names.length > 0);
    say(
      byId('map-trouble'),
      told.map(([words, names]) => `${words}: ${shortened(names)}`).join('. '),
    );
    // Whoever is at the boxes keeps the one that has the focus.
    if (!byId('layers').contains(document.activeElement)) this.draw();
  }
}

/** Names told before the rest is a number: all are in the legend. */
const MOST_NAMES = 3;

function shortened(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const told = names.slice(0, more > 1 ? MOST_NAMES : names.length).join(', ');
  return more > 1 ? `${told} ${inLanguage(WORDS).and} ${more} ${inLanguage(WORDS).others}` : told;
}

const SIGNS = [
  ['solid', 'signInForce'],
  ['dashed', 'signRepealed'],
  ['hatched', 'signMissing'],
] as const;

function sign(kind: (typeof SIGNS)[number][0]): SVGSVGElement {
  const box = { x: 1, y: 1, width: 22, height: 12, stroke: 'currentColor' };
  return s(
    'svg',
    { width: 24, height: 14, 'aria-hidden': 'true' },
    kind === 'hatched'
      ? s('path', { d: 'M1 13 9 1M7 13 15 1M13 13 21 1', stroke: 'currentColor' })
      : s('rect', {
          ...box,
          fill: kind === 'solid' ? 'currentColor' : 'none',
          'fill-opacity': 0.25,
          ...(kind === 'dashed' && { 'stroke-dasharray': '3 3' }),
        }),
  );
}
