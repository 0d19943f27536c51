/** The map page: signing in, making keys, asking about a place, showing it. */
import 'ol/ol.css';
import '../forhold/list.css';
import './kort.css';
import { Refused, request } from '../shared/ask.ts';
import { byId, byIdAs, installSkipLink, say, show } from '../shared/dom.ts';
import { chosenLanguage, inLanguage, language, onLanguage, speak } from '../shared/language.ts';
import type { Language } from '../shared/language.ts';
import { copyText } from '../shared/copy.ts';
import { toast } from '../shared/notices.ts';
import { SearchBox } from '../shared/search-box.ts';
import { readSession, signOut } from '../shared/session.ts';
import { partsOf } from '../shared/place-address.ts';
import { readLinked, readSubject } from '../shared/subject.ts';
import type { Ask, Subject } from '../shared/subject.ts';
import { tellUnread } from '../shared/unread.ts';
import { toWgs84 } from '../../geo/project.ts';
import { readState, writeState } from './address-bar.ts';
import type { PageState } from './address-bar.ts';
import { askWith, beginAs, fetchTile, lookUp, releaseKey } from './api.ts';
import { ADDRESS_RADIUS_M, curlText, geoJson } from './copies.ts';
import { DEGREE_DECIMALS, degreesOf, placeOfClick } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { BACKGROUND, Layers } from './layers.ts';
import { WHOLE_COUNTRY, createMap } from './map.ts';
import type { PlaceMap } from './map.ts';
import {
  addressPart,
  areasPart,
  linesPart,
  propertyPart,
  sheetPart,
  subjectPart,
} from './panel.ts';
import { parcelPart } from './parcel.ts';
import type { LayerStatus } from '../shared/answers.ts';
import { Measure } from './measure.ts';
import { askAbout, drawingOf } from './question.ts';
import type { Answers, Drawing } from './question.ts';
import { drawSheetHead, installPrinting, sheetFacts } from './sheet.ts';
import { WORDS } from './words.ts';

/** How long a browser may look for the reader, milliseconds. */
const LOCATE_MS = 15_000;
const NOTHING_DRAWN: Drawing = { shapes: [], segments: [], notDrawn: new Set() };

let state: PageState = readState(window.location.hash);
let map: PlaceMap | null = null;
let search: SearchBox | null = null;
let answers: Answers | null = null;
let drawing = NOTHING_DRAWN;
let asking = new AbortController();
let isMeasuring = false;
/** Where something is covered. */
let coveredBounds = WHOLE_COUNTRY;
const layers = new Layers({
  map: () => map,
  state: () => state,
  remember,
  onToggle: () => drawShapes(),
  readStarting,
});
/** What stands where the answers go, until there are some. */
const NO_ANSWERS = [...byId('answers').childNodes];

async function begin(): Promise<void> {
  // The map writes its view into the address.
  tellUnread(state);
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
    onLoading: (isLoading) => {
      show(byId('map-loading'), isLoading);
      byId('map').setAttribute('aria-busy', String(isLoading));
    },
    onAsk: asked,
    onLook: (look) => {
      remember({ look });
      layers.tell();
    },
    onTile: (layer, refused) => layers.tileCame(layer, refused),
    onBackground: (isMissing) => layers.backgroundCame(isMissing),
  });
  layers.showBackground(state.background);
  await readCoverage(map);
  layers.draw();
  search = new SearchBox({
    suggest: askService,
    read: (named) => readSubject(askService, named),
    onPlace: (place) => goTo(place, null),
    onSubject: (subject) => {
      if (subject.place === null) return inLanguage(WORDS).noPoint;
      goTo(subject.place, subject);
      return null;
    },
  });
  await startView(map);
  // Not before: tiles of a view that is left at once would be fetched for nothing.
  map.setLayers(state.layers);
  map.whenDrawn(() => {
    byId('map').dataset['drawn'] = performance.now().toFixed(0);
  });
  window.addEventListener('popstate', () => void comeBack());
  await askAgain();
}

const askService: Ask = (path, signal) => lookUp(path, signal === undefined ? {} : { signal });

function goTo(place: Place, subject: Subject | null): void {
  enter(place, subject);
  map?.lookAtPlace(degreesOf(place));
  void ask(place, subject);
}

async function askAgain(): Promise<void> {
  const { place, named } = state;
  if (place === null && named === null) return;
  const now = place === null ? asking : beginAsking(place);
  const { subject, trouble } = await readLinked(askService, state);
  if (now.signal.aborted || now !== asking) return;
  search?.name(subject?.name ?? '', trouble);
  if (place !== null) await ask(place, subject);
  // A short link: the register says where it lies.
  else if (subject?.place) goTo(subject.place, subject);
}

/** Shows what another entry of the history shows. */
async function comeBack(): Promise<void> {
  state = readState(window.location.hash);
  tellUnread(state);
  layers.showBackground(state.background);
  map?.setLayers(state.layers);
  layers.draw();
  if (map !== null) await startView(map);
  layers.tell();
  if (state.place === null) showNoPlace();
  await askAgain();
}

function showNoPlace(): void {
  asking.abort();
  [answers, drawing, isMeasuring] = [null, NOTHING_DRAWN, false];
  byId('board').classList.remove('asking');
  map?.setPlace(null);
  search?.name('');
  byId('asking').textContent = '';
  byId('answers').replaceChildren(...NO_ANSWERS);
  for (const id of ['take', 'copy-text', 'parcel']) show(byId(id), false);
  // The title is the page's own again.
  speak(language());
}

/** Greys what no layer covers; where this fails, the answers themselves say so. */
async function readCoverage(shown: PlaceMap): Promise<void> {
  try {
    const lands = (await request('kort/daekning.json').then((reply) =>
      reply.json(),
    )) as readonly Covered[];
    for (const { ringe } of lands) shown.greyBeside(ringe);
    const points = lands.flatMap(({ ringe }) => ringe.flat());
    if (points.length > 0) coveredBounds = extentOf(points);
    if (lands.length > 0) document.body.dataset['daekning'] = lands.map(({ navn }) => navn).join();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

function extentOf(points: readonly (readonly [number, number])[]): readonly number[] {
  const extent = [Infinity, Infinity, -Infinity, -Infinity] as const;
  return points.reduce<readonly [number, number, number, number]>(
    ([west, south, east, north], [lon, lat]) => [
      Math.min(west, lon),
      Math.min(south, lat),
      Math.max(east, lon),
      Math.max(north, lat),
    ],
    extent,
  );
}

interface Covered {
  readonly navn: string;
  readonly ringe: readonly (readonly (readonly [number, number])[])[];
}

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
    shown.lookAtBounds(told.ok ? told.body.bounds : coveredBounds);
  }
}

function remember(change: Partial<PageState>): void {
  state = { ...state, ...change };
  window.history.replaceState(null, '', writeState(state));
}

/** A new place is an entry of the history; a new view is not. */
function enter(place: Place, subject: Subject | null): void {
  const entered = { ...state, place, named: subject };
  const isOther = writeState(entered) !== writeState(state);
  state = entered;
  if (isOther) window.history.pushState(null, '', writeState(state));
}

function leave(why: string): void {
  show(byId('board'), false);
  show(byId('out'), true);
  say(byId('out-error'), why);
}

/** What has not been mirrored yet; empty where it is not told. */
async function readStarting(): Promise<ReadonlySet<string>> {
  const told = await lookUp<{ readonly lag: readonly LayerStatus[] }>('v1/status', {
    purpose: 'drawing',
  });
  const layers = told.ok ? told.body.lag : [];
  return new Set(layers.filter(({ tilstand }) => tilstand === 'mangler').map(({ lag }) => lag));
}

const measure = new Measure((points, words) => {
  map?.drawMeasure(points.map(degreesOf));
  byId('measured').textContent = words;
  byId('measure').setAttribute('aria-pressed', String(measure.isOn));
});

/** Where the browser says that the reader is; it is sent to nobody but as a place that is asked about. */
function locate(): void {
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      const place = placeOfClick(coords.longitude, coords.latitude);
      if (place === null) toast(inLanguage(WORDS).outsideDenmark, 'bad');
      else goTo(place, null);
    },
    () => toast(inLanguage(WORDS).notLocated, 'bad'),
    { enableHighAccuracy: true, timeout: LOCATE_MS },
  );
}

function installTools(): void {
  byId('locate').addEventListener('click', locate);
  show(byId('full'), document.fullscreenEnabled);
  byId('full').addEventListener('click', () => {
    if (document.fullscreenElement === null) void byId('map-part').requestFullscreen();
    else void document.exitFullscreen();
  });
  byId('measure').addEventListener('click', () => measure.toggle(!measure.isOn));
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && measure.isOn) measure.toggle(false);
  });
}

function asked(lon: number, lat: number): void {
  const place = placeOfClick(lon, lat);
  if (place === null) {
    toast(inLanguage(WORDS).outsideDenmark, 'bad');
    return;
  }
  if (measure.isOn) {
    measure.add(place);
    return;
  }
  enter(place, null);
  search?.name('');
  void ask(place, null);
}

function beginAsking(place: Place): AbortController {
  asking.abort();
  asking = new AbortController();
  beginReading();
  show(byId('unread'), false);
  isMeasuring = true;
  byId('board').classList.add('asking');
  byId('asking').textContent = inLanguage(WORDS).asking;
  map?.setPlace(degreesOf(place));
  return asking;
}

async function ask(place: Place, subject: Subject | null): Promise<void> {
  const now = beginAsking(place);
  try {
    const found = await askAbout(place, subject, now.signal);
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

/** From the first question on the answers have the room. */
function beginReading(): void {
  if (byId('invite').hidden) return;
  show(byId('invite'), false);
  byId('board').classList.remove('first');
  byIdAs('legend', HTMLDetailsElement).open = false;
}

function drawAnswers(): void {
  if (answers === null) return;
  const { lines, rows, areas, subject, address } = answers;
  byId('asking').textContent = '';
  byId('answers').replaceChildren(
    linesPart(lines, rows, drawing.notDrawn),
    areasPart(areas),
    ...[subjectPart(subject)].filter((part) => part !== null),
    addressPart(address, ADDRESS_RADIUS_M),
    propertyPart(answers),
    sheetPart(sheetFacts(answers)),
  );
  drawSheetHead(answers);
  const asked = partsOf({ place: answers.place, named: null }).join('&');
  byIdAs('to-conditions', HTMLAnchorElement).href = `forhold#${asked}`;
  byId('answers').dataset['place'] = JSON.stringify(answers.place);
  for (const id of ['take', 'parcel']) show(byId(id), true);
  void drawParcel();
}

/** Asked about where the reader has opened it; it stays open for the next place. */
async function drawParcel(): Promise<void> {
  if (answers === null || !byIdAs('parcel', HTMLDetailsElement).open) return;
  const { place } = answers;
  if (byId('parcel-answers').dataset['place'] !== JSON.stringify(place))
    byId('parcel-answers').textContent = inLanguage(WORDS).asking;
  const parts = await parcelPart(askService, place);
  if (answers.place !== place) return;
  byId('parcel-answers').replaceChildren(...parts);
  byId('parcel-answers').dataset['place'] = JSON.stringify(place);
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

function speakAs(chosen: Language): void {
  speak(chosen);
  if (map === null) return;
  layers.draw();
  drawAnswers();
  layers.tell();
  drawShapes();
}

function textFor(kind: string, { place, paths, ...told }: Answers): string {
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
  await copyText(textFor(kind, answers));
}

onLanguage(speakAs);
installSkipLink();
installTools();
for (const button of document.querySelectorAll<HTMLElement>('button[data-copy]')) {
  button.addEventListener('click', () => void copy(button.dataset['copy'] ?? ''));
}
byIdAs('live', HTMLInputElement).addEventListener('change', ({ target }) =>
  askWith((target as HTMLInputElement).checked ? 'live' : 'test'),
);
byId('parcel').addEventListener('toggle', () => void drawParcel());
installPrinting({ map: () => map, isMeasuring: () => isMeasuring });
byId('sign-out').addEventListener('click', () => {
  signOut().then(
    () => window.location.reload(),
    (error: unknown) => toast(error instanceof Error ? error.message : String(error), 'bad'),
  );
});
window.addEventListener('pagehide', releaseKey);

void begin();
