/** The map page's life: signing in is the account's; here a key is made, a place asked, and it is shown. */
import 'ol/ol.css';
import './kort.css';
import { Refused, request } from '../shared/ask.ts';
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { chosenLanguage, inLanguage, onLanguage, speak } from '../shared/language.ts';
import type { Language } from '../shared/language.ts';
import { toast } from '../shared/notices.ts';
import { toWgs84 } from '../../geo/project.ts';
import { MAP_LAYERS, readState, writeState } from './address-bar.ts';
import type { MapLayer, PageState } from './address-bar.ts';
import type { ChosenAddress } from './answers.ts';
import { askWith, beginAs, fetchTile, lookUp, readSession, releaseKey, signOut } from './api.ts';
import { COLOURS } from './colours.ts';
import { ADDRESS_RADIUS_M, curlText, geoJson } from './copies.ts';
import { DEGREE_DECIMALS, degreesOf, placeOfClick } from './coordinates.ts';
import type { Place } from './coordinates.ts';
import { WHOLE_COUNTRY, createMap } from './map.ts';
import type { PlaceMap } from './map.ts';
import {
  addressPart,
  areasPart,
  chosenPart,
  linesPart,
  propertyPart,
  sheetPart,
  swatch,
} from './panel.ts';
import { askAbout, drawingOf } from './question.ts';
import type { Answers, Drawing } from './question.ts';
import { installSearch } from './search.ts';
import { UNCOVERED } from './styles.ts';
import { drawSheetHead, installPrinting, sheetFacts } from './sheet.ts';
import { LAYER_NAMES, WORDS } from './words.ts';

const NOTHING_DRAWN: Drawing = { shapes: [], segments: [], notDrawn: new Set() };

let state: PageState = readState(window.location.hash);
let map: PlaceMap | null = null;
let answers: Answers | null = null;
let drawing = NOTHING_DRAWN;
let asking = new AbortController();
/** Whether the answers are not yet there, or what is drawn of them. */
let isMeasuring = false;
/** Layers of which a tile did not come, with its status. */
const missing = new Map<MapLayer, number>();
/** Milliseconds until a layer that did not come is asked for again. */
const RETRY_MS = 30_000;
/** Of those: which will be asked for again, and which have been and not answered yet. */
const waiting = new Set<MapLayer>();
const askedAgain = new Set<MapLayer>();
/** The operator's background map, where there is one; it answers nothing. */
const BACKGROUND = document.body.dataset['baggrund'] ?? '';
let isBackgroundMissing = false;

async function begin(): Promise<void> {
  speakAs(chosenLanguage());
  try {
    const signedIn = await readSession();
    show(byId('sign-out'), signedIn !== null);
    show(byId('to-account'), signedIn === null);
    show(byId('live-choice'), signedIn !== null);
    if (!beginAs(signedIn)) {
      leave('');
      return;
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    leave(error.message);
    return;
  }
  show(byId('board'), true);
  byIdAs('legend', HTMLDetailsElement).open = state.place === null && isWide();
  map = createMap({
    target: byId('map'),
    fetchTile,
    background: BACKGROUND === '' ? null : BACKGROUND,
    onAsk: asked,
    onLook: (look) => {
      remember({ look });
      tellMissing();
    },
    onTile: tileCame,
    onBackground: backgroundCame,
  });
  showBackground(state.background);
  await readCoverage(map);
  drawLegend();
  installSearch({
    suggest: (path, signal) => lookUp(path, { signal }),
    onPlace: (place, chosen) => void ask(place, { isFromMap: false, chosen }),
  });
  await startView(map);
  // Not before: tiles of a view that is left at once would be fetched for nothing.
  map.setLayers(state.layers);
  map.whenDrawn(() => {
    byId('map').dataset['drawn'] = performance.now().toFixed(0);
  });
  const { place } = state;
  if (place !== null) await ask(place, { isFromMap: true, chosen: await chosenIn(place) });
}

/** What is covered where that is not the country; a look at it that fails leaves the answers to say so. */
async function readCoverage(shown: PlaceMap): Promise<void> {
  try {
    const lands = (await request('kort/daekning.json').then((reply) =>
      reply.json(),
    )) as readonly Covered[];
    for (const { ringe } of lands) shown.greyBeside(ringe);
    if (lands.length > 0) document.body.dataset['daekning'] = lands.map(({ navn }) => navn).join();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

interface Covered {
  readonly navn: string;
  readonly ringe: readonly (readonly (readonly [number, number])[])[];
}

/** Whether map and answers stand beside one another. */
function isWide(): boolean {
  return window.matchMedia('(min-width: 821px)').matches;
}

/** Where the address says, else at its place, else where there are areas at all. */
async function startView(shown: PlaceMap): Promise<void> {
  const { place, look } = state;
  if (look !== null) shown.look(look);
  else if (place !== null) shown.lookAtPlace(degreesOf(place));
  else {
    const told = await lookUp<{ readonly bounds: readonly number[] }>('v1/kort/kommune.json', {
      purpose: 'drawing',
    });
    shown.lookAtBounds(told.ok ? told.body.bounds : WHOLE_COUNTRY);
  }
}

/** The address that a link names, as the register has it: what a link says itself proves nothing. */
async function chosenIn(place: Place): Promise<ChosenAddress | null> {
  if (state.address === null) return null;
  const told = await lookUp<ChosenAddress>(`v1/adresser/${state.address}`);
  if (!told.ok || told.body.koordinat === null) return null;
  const [here, there] = [degreesOf(place), told.body.koordinat];
  const isHere = here.lon === there.lon && here.lat === there.lat;
  return isHere ? told.body : null;
}

/** In the address of the page, too. */
function remember(change: Partial<PageState>): void {
  state = { ...state, ...change };
  window.history.replaceState(null, '', writeState(state));
}

function leave(why: string): void {
  show(byId('board'), false);
  show(byId('out'), true);
  say(byId('out-error'), why);
}

function asked(lon: number, lat: number): void {
  const place = placeOfClick(lon, lat);
  if (place === null) toast(inLanguage(WORDS).outsideDenmark, 'bad');
  else void ask(place, { isFromMap: true });
}

async function ask(
  place: Place,
  {
    isFromMap,
    chosen = null,
  }: { readonly isFromMap: boolean; readonly chosen?: ChosenAddress | null },
): Promise<void> {
  asking.abort();
  const now = new AbortController();
  asking = now;
  remember({ place, address: chosen?.id ?? null });
  beginReading();
  isMeasuring = true;
  byId('board').classList.add('asking');
  byId('asking').textContent = inLanguage(WORDS).asking;
  map?.setPlace(degreesOf(place));
  if (!isFromMap) map?.lookAtPlace(degreesOf(place));
  try {
    const found = await askAbout(place, chosen, now.signal);
    if (now.signal.aborted) return;
    answers = found;
    byId('board').classList.remove('asking');
    drawing = NOTHING_DRAWN;
    drawAnswers();
    const drawn = await drawingOf(found);
    // Somebody may have asked about another place meanwhile.
    if (asking !== now) return;
    drawing = drawn;
    isMeasuring = false;
    // Only then there is more to say; what is selected or focused stays otherwise.
    if (drawn.notDrawn.size > 0) drawAnswers();
    drawShapes();
  } catch (error) {
    if (!now.signal.aborted) throw error;
  }
}

/** The first picture invites and explains its colours; from the first question on the answers have the room. */
function beginReading(): void {
  if (byId('invite').hidden) return;
  show(byId('invite'), false);
  byId('board').classList.remove('first');
  byIdAs('legend', HTMLDetailsElement).open = false;
}

function drawAnswers(): void {
  if (answers === null) return;
  const { lines, rows, areas, chosen, address } = answers;
  byId('asking').textContent = '';
  byId('answers').replaceChildren(
    linesPart(lines, rows, drawing.notDrawn),
    areasPart(areas),
    ...[chosenPart(chosen)].filter((part) => part !== null),
    addressPart(address, ADDRESS_RADIUS_M),
    propertyPart(answers),
    sheetPart(sheetFacts(answers)),
  );
  drawSheetHead(answers);
  byId('answers').dataset['place'] = JSON.stringify(answers.place);
  show(byId('take'), true);
}

function drawShapes(): void {
  const isShown = ({ layer }: { readonly layer: string }): boolean =>
    state.layers.some((shown) => shown === layer);
  map?.draw(drawing.shapes.filter(isShown), drawing.segments.filter(isShown));
  const { dataset } = byId('map');
  dataset['segments'] = JSON.stringify(
    drawing.segments.map(({ layer, foot: { x, y } }) => [layer, x, y]),
  );
  dataset['place'] = JSON.stringify(answers?.place);
}

function drawLegend(): void {
  const said = inLanguage(WORDS);
  const covered = document.body.dataset['daekning'];
  byId('layers').replaceChildren(
    ...(covered === undefined
      ? []
      : [h('li', {}, swatch(UNCOVERED), ` ${said.uncovered} ${covered}`)]),
    ...(BACKGROUND === '' ? [] : [backgroundItem()]),
    ...MAP_LAYERS.map((layer) => {
      const box = h('input', {
        type: 'checkbox',
        name: 'layer',
        value: layer,
        checked: state.layers.includes(layer),
        onchange: (event: Event) => toggle(layer, event.target as HTMLInputElement),
      });
      const refused = missing.get(layer);
      return h(
        'li',
        {},
        h('label', {}, box, swatch(COLOURS[layer]), LAYER_NAMES[layer]),
        refused !== undefined &&
          state.layers.includes(layer) &&
          h('p', { class: 'missing' }, `${said.drawnMissing} (${refused})`),
      );
    }),
  );
}

function backgroundItem(): HTMLElement {
  const box = h('input', {
    type: 'checkbox',
    name: 'background',
    checked: state.background,
    onchange: (event: Event) => showBackground((event.target as HTMLInputElement).checked),
  });
  return h('li', {}, h('label', {}, box, inLanguage(WORDS).background));
}

function showBackground(isShown: boolean): void {
  if (BACKGROUND === '') return;
  remember({ background: isShown });
  map?.setBackground(isShown);
  show(byId('background-source'), isShown);
  byId('background-source').textContent = document.body.dataset['baggrundKilde'] ?? '';
  tellMissing();
}

function backgroundCame(isMissing: boolean): void {
  if (isMissing === isBackgroundMissing) return;
  isBackgroundMissing = isMissing;
  tellMissing();
}

function toggle(layer: MapLayer, { checked }: HTMLInputElement): void {
  const layers = MAP_LAYERS.filter((each) =>
    each === layer ? checked : state.layers.includes(each),
  );
  remember({ layers });
  map?.setLayers(layers);
  drawShapes();
  tellMissing();
}

/** One tile that came says nothing of those that did not: until they are asked for again, they are missing. */
function tileCame(layer: MapLayer, refused: number | null): void {
  const isFirstAgain = askedAgain.delete(layer);
  if (refused === null && !isFirstAgain) return;
  const before = missing.get(layer);
  if (refused === null) missing.delete(layer);
  else {
    missing.set(layer, refused);
    askAgainLater(layer);
  }
  if (before === (refused ?? undefined)) return;
  tellMissing();
  if (!byId('layers').contains(document.activeElement)) drawLegend();
}

function askAgainLater(layer: MapLayer): void {
  if (waiting.has(layer)) return;
  waiting.add(layer);
  setTimeout(() => {
    waiting.delete(layer);
    askedAgain.add(layer);
    map?.retry(layer);
  }, RETRY_MS);
}

/** A layer that is shown but did not come is said on the map itself: its emptiness is no "no". */
function tellMissing(): void {
  const names = state.layers.filter((layer) => missing.has(layer)).map((each) => LAYER_NAMES[each]);
  if (isBackgroundMissing && state.background) names.push(inLanguage(WORDS).background);
  const far = state.layers.filter((layer) => map?.isTooFarOut(layer) === true);
  const said = inLanguage(WORDS);
  const texts = [
    ...(names.length === 0 ? [] : [`${said.tilesFailed}: ${names.join(', ')}`]),
    ...(far.length === 0
      ? []
      : [`${said.zoomIn}: ${far.map((each) => LAYER_NAMES[each]).join(', ')}`]),
  ];
  say(byId('map-trouble'), texts.join('. '));
}

function speakAs(chosen: Language): void {
  speak(chosen);
  if (map === null) return;
  drawLegend();
  drawAnswers();
  tellMissing();
  drawShapes();
}

function copyText(kind: string, { place, paths, ...told }: Answers): string {
  if (kind === 'curl') return curlText(document.baseURI, paths);
  const bodies = {
    byggelinjer: bodyOf(told.lines),
    dagi: bodyOf(told.areas),
    adresse: bodyOf(told.address),
    ejendom: told.property === null ? null : bodyOf(told.property),
  };
  if (kind === 'json') return JSON.stringify(bodies, null, 2);
  const toDegrees = (x: number, y: number): [number, number] => {
    const { lon, lat } = toWgs84({ xUtm32: x, yUtm32: y });
    return [Number(lon.toFixed(DEGREE_DECIMALS)), Number(lat.toFixed(DEGREE_DECIMALS))];
  };
  const { shapes, segments } = drawing;
  return JSON.stringify(geoJson(place, bodies, { shapes, segments, toDegrees }), null, 2);
}

/** What was refused is copied as an error, never left out as though nothing had been found. */
function bodyOf(
  reply: { ok: true; body: unknown } | { ok: false; status: number; message: string },
) {
  return reply.ok ? reply.body : { error: reply.message, status: reply.status };
}

async function copy(kind: string): Promise<void> {
  if (answers === null) return;
  const text = copyText(kind, answers);
  const place = byIdAs('copy-text', HTMLTextAreaElement);
  try {
    await navigator.clipboard.writeText(text);
    show(place, false);
    toast(inLanguage(WORDS).copied);
  } catch {
    place.value = text;
    show(place, true);
    place.select();
    toast(inLanguage(WORDS).copyFailed);
  }
}

onLanguage(speakAs);
for (const button of document.querySelectorAll<HTMLElement>('button[data-copy]')) {
  button.addEventListener('click', () => void copy(button.dataset['copy'] ?? ''));
}
byIdAs('live', HTMLInputElement).addEventListener('change', ({ target }) =>
  askWith((target as HTMLInputElement).checked ? 'live' : 'test'),
);
installPrinting({ map: () => map, isMeasuring: () => isMeasuring });
byId('sign-out').addEventListener('click', () => {
  signOut().then(
    () => window.location.reload(),
    (error: unknown) => toast(error instanceof Error ? error.message : String(error), 'bad'),
  );
});
window.addEventListener('pagehide', releaseKey);
// A link on the page itself, to another place: the page keeps its own address without an event.
window.addEventListener('hashchange', () => window.location.reload());

void begin();
