/** In the legend; those that failed to load on the map too. */
import { byId, say, show } from '../shared/dom.ts';
import type { Status } from '../shared/answers.ts';
import { html, note, nothing, render, svg } from '../shared/template.ts';
import type { Content, TemplateResult } from '../shared/template.ts';
import { inLanguage, t } from '../shared/language.ts';
import { ADDRESSES, CADASTRE, HOUSE_TILES, PARCEL_TILES } from '../../layers/keys.ts';
import type { MirrorId } from '../../layers/keys.ts';
import { MAP_LAYERS } from './address-bar.ts';
import type { MapLayer } from './address-bar.ts';
import { lookUp } from './api.ts';
import { CONDITION_GROUPS, colourOf, nameOf } from './conditions.ts';
import type { ConditionGroup } from './conditions.ts';
import type { PlaceMap } from './map.ts';
import { swatch } from './panel.ts';
import { remember, state } from './state.ts';
import { UNCOVERED } from './styles.ts';

/** The operator's; empty: none. */
export const BACKGROUND = document.body.dataset['baggrund'] ?? '';

/** Until a layer is asked for again. */
const RETRY_MS = { failed: 30_000, starting: 5_000 };
const TABLES: Readonly<Record<string, MirrorId>> = {
  [PARCEL_TILES]: CADASTRE,
  [HOUSE_TILES]: ADDRESSES,
};

/** With the status of a tile that did not come. */
const missing = new Map<MapLayer, number>();
/** To be asked for again; asked again and not answered yet. */
const waiting = new Set<MapLayer>();
const askedAgain = new Set<MapLayer>();
let isBackgroundMissing = false;
/** Not mirrored yet; empty where it is not told. */
let starting: ReadonlySet<string> = new Set();
let readingStarting: Promise<void> | null = null;
let map: PlaceMap | null = null;
let onToggle = (): void => undefined;

export function install(shown: PlaceMap, whenToggled: () => void): void {
  [map, onToggle] = [shown, whenToggled];
}

/** Layers that failed to load are named on the map as well: their emptiness is no "no". */
export function draw(): void {
  const { layers, background } = state;
  const named = (are: boolean) =>
    layers.filter((each) => missing.has(each) && isStarting(each) === are).map(nameOf);
  const failed = named(false);
  if (isBackgroundMissing && background) failed.push(backgroundWord());
  const parts = [
    [t('Kortlaget kunne ikke hentes', 'The layer could not be fetched'), failed],
    [t('Hentes endnu', 'Still being fetched'), named(true)],
  ] as const;
  const told = parts.filter(([, names]) => names.length > 0);
  const words = told.map(([begin, names]) => `${begin}: ${shortened(names)}`);
  say(byId('map-trouble'), words.join('. '));
  render(legend(), byId('legend-content'));
}

function legend(): TemplateResult {
  const covered = document.body.dataset['daekning'];
  const uncovered = t(
    `Gråt er ikke dækket. Her dækkes kun ${covered}`,
    `Grey is not covered. Covered here is only ${covered}`,
  );
  const { background } = state;
  const input = box('background', '', background, (now) => showBackground(now));
  const backgroundItem = html`<li><label>${input}${backgroundWord()}</label></li>`;
  return html`<p class="muted" id="drawn-now">${drawnNow()}</p>
    <ul class="signs" id="signs">
      ${signs()}
      ${covered === undefined ? nothing : html`<li>${swatch(UNCOVERED)}${uncovered}</li>`}
    </ul>
    <div class="legend" id="layers">
      <ul>
        ${BACKGROUND === '' ? nothing : backgroundItem} ${MAP_LAYERS.map(item)}
      </ul>
      ${CONDITION_GROUPS.map(group)}
    </div>`;
}

/** What is drawn at this zoom, and what appears nearer. */
function drawnNow(): string {
  const { layers } = state;
  const far = layers.filter(isFar);
  const drawn = layers.filter((layer) => !far.includes(layer) && !missing.has(layer));
  const now = `${t('Tegnet nu', 'Drawn now')}: ${drawn.length} ${t('af', 'of')} ${layers.length}.`;
  if (far.length === 0) return now;
  const names = far.map(nameOf).join(', ');
  return `${now} ${names} ${t('kommer frem, når der zoomes ind', 'appear when zoomed in')}.`;
}

function isFar(layer: MapLayer): boolean {
  return map?.isTooFarOut(layer) === true;
}

function group({ name, colour, layers }: ConditionGroup): TemplateResult {
  const { layers: all } = state;
  const shown = layers.filter(([layer]) => all.includes(layer)).length;
  const count = shown > 0 ? ` (${shown} ${t('af', 'of')} ${layers.length})` : '';
  return html`<details>
    <summary>${swatch(colour)} ${inLanguage(name)}${count}</summary>
    <ul>
      ${layers.map(([layer]) => item(layer))}
    </ul>
  </details>`;
}

function item(layer: MapLayer): TemplateResult {
  const isShown = state.layers.includes(layer);
  const input = box('layer', layer, isShown, (now) => toggle(layer, now));
  return html`<li>
    <label>${input}${swatch(colourOf(layer))}${nameOf(layer)}</label>
    ${isShown ? notDrawn(layer) : nothing}
  </li>`;
}

function notDrawn(layer: MapLayer): Content {
  const refused = missing.get(layer);
  if (refused === undefined)
    return isFar(layer)
      ? note(t('Tegnes først, når der zoomes ind', 'Drawn only when zoomed in'))
      : nothing;
  if (isStarting(layer))
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

export function showBackground(isShown: boolean): void {
  if (BACKGROUND === '') return;
  remember({ background: isShown });
  map?.setBackground(isShown);
  show(byId('background-source'), isShown);
  byId('background-source').textContent = document.body.dataset['baggrundKilde'] ?? '';
  draw();
}

export function backgroundCame(isMissing: boolean): void {
  if (isMissing === isBackgroundMissing) return;
  isBackgroundMissing = isMissing;
  draw();
}

function toggle(layer: MapLayer, isShown: boolean): void {
  const others = state.layers.filter((each) => each !== layer);
  const layers = isShown ? [...others, layer] : others;
  remember({ layers });
  map?.setLayers(layers);
  onToggle();
  draw();
}

/** Failed tiles stay missing until they are requested again. */
export function tileCame(layer: MapLayer, refused: number | null): void {
  const isFirstAgain = askedAgain.delete(layer);
  if (refused === null && !isFirstAgain) return;
  const before = missing.get(layer);
  if (refused === null) missing.delete(layer);
  else {
    missing.set(layer, refused);
    void learnStarting().then(() => askAgainLater(layer));
  }
  if (before !== (refused ?? undefined)) draw();
}

/** A service that has just started is fetching its layers: no failure. */
function learnStarting(): Promise<void> {
  readingStarting ??= lookUp<Status>('v1/status', undefined, 'drawing').then((told) => {
    const layers = told.ok ? told.body.lag : [];
    starting = new Set(
      layers.filter(({ tilstand }) => tilstand === 'mangler').map(({ lag }) => lag),
    );
    readingStarting = null;
    draw();
  });
  return readingStarting;
}

function isStarting(layer: MapLayer): boolean {
  return starting.has(TABLES[layer] ?? layer);
}

function askAgainLater(layer: MapLayer): void {
  if (waiting.has(layer)) return;
  waiting.add(layer);
  const restMs = isStarting(layer) ? RETRY_MS.starting : RETRY_MS.failed;
  setTimeout(() => {
    waiting.delete(layer);
    askedAgain.add(layer);
    map?.retry(layer);
  }, restMs);
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
    .checked=${isChecked}
    @change=${change}
  />`;
}

function backgroundWord(): string {
  return t('Baggrundskort', 'Background map');
}

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
