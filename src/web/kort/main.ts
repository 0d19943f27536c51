import 'ol/ol.css';
import '../forhold/list.css';
import './kort.css';
import { boundingExtent } from 'ol/extent.js';
import { toWgs84 } from '../../geo/project.ts';
import { Refused, request } from '../shared/ask.ts';
import { DEGREE_DECIMALS, degreesOf, metresOf, placeOfClick } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { copyText } from '../shared/copy.ts';
import { byId, byIdAs, installKeyboard, say, show } from '../shared/dom.ts';
import { button, html, note, nothing, render } from '../shared/template.ts';
import type { TemplateResult } from '../shared/template.ts';
import { beginSpeaking, language, speak, t } from '../shared/language.ts';
import { toast } from '../shared/notices.ts';
import { partsOf } from '../shared/place-address.ts';
import { SearchBox } from '../shared/search-box.ts';
import { installSignOut, readSession } from '../shared/session.ts';
import { readLinked } from '../shared/subject.ts';
import type { Subject } from '../shared/subject.ts';
import { tellUnread } from '../shared/unread.ts';
import { comeBackFrom } from '../shared/way-back.ts';
import { askWith, beginAs, fetchTile, lookUp, releaseKey } from './api.ts';
import { ADDRESS_RADIUS_M, curlText, geoJson } from './copies.ts';
import * as layers from './layers.ts';
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
import { parcelView, readParcel } from './parcel.ts';
import { askAbout, drawingOf } from './question.ts';
import type { Answers, Drawing } from './question.ts';
import { installPrinting, sheetFacts, sheetHead, titleOf } from './sheet.ts';
import { enter, readAgain, remember, state } from './state.ts';
import { metres } from '../shared/format.ts';

const LOCATE_MS = 15_000;
const NOTHING_DRAWN: Drawing = { shapes: [], segments: [], notDrawn: new Set() };

let map: PlaceMap | null = null;
let search: SearchBox | null = null;
let answers: Answers | null = null;
let drawing = NOTHING_DRAWN;
let asking = new AbortController();
/** On their way: the answers; the same, or what is drawn of them. */
let [isAsking, isMeasuring] = [false, false];
let isStarted = false;
/** null: nothing is measured. */
let measured: readonly Place[] | null = null;
let coveredBounds = WHOLE_COUNTRY;
const print = installPrinting({ map: () => map, isMeasuring: () => isMeasuring });

async function begin(): Promise<void> {
  // The map writes its view into the address.
  tellUnread(state);
  if (!(await mayAsk())) return;
  show(byId('board'), true);
  byIdAs('legend', HTMLDetailsElement).open =
    state.place === null && window.matchMedia('(min-width: 821px)').matches;
  map = createMap({
    target: byId('map'),
    fetchTile,
    background: layers.BACKGROUND === '' ? null : layers.BACKGROUND,
    onLoading: (isLoading) => {
      show(byId('map-loading'), isLoading);
      byId('map').setAttribute('aria-busy', String(isLoading));
    },
    onAsk: ({ lon, lat }) => clicked(placeOfClick(lon, lat)),
    onLook: (look) => {
      // What is seen before that is nobody's choice.
      if (isStarted) remember({ look });
      layers.draw();
    },
    onTile: layers.tileCame,
    onBackground: layers.backgroundCame,
  });
  layers.install(map, drawShapes);
  layers.showBackground(state.background);
  await readCoverage(map);
  layers.draw();
  search = new SearchBox({
    ask: lookUp,
    onPlace: (place) => goTo(place, null),
    onSubject: (subject) => {
      if (subject.place === null)
        return t('Det har intet punkt på kortet.', 'It has no point on the map.');
      goTo(subject.place, subject);
      return null;
    },
  });
  await startView(map);
  isStarted = true;
  // Not before: tiles of a view that is left at once would be fetched for nothing.
  map.setLayers(state.layers);
  map.whenDrawn(() => {
    byId('map').dataset['drawn'] = performance.now().toFixed(0);
  });
  window.addEventListener('popstate', () => void comeBack());
  await askAgain();
}

/** That there is no key is said. */
async function mayAsk(): Promise<boolean> {
  try {
    const signedIn = await readSession();
    show(byId('sign-out'), signedIn !== null);
    show(byId('to-account'), signedIn === null);
    show(byId('live-choice'), signedIn !== null);
    if (beginAs(signedIn)) return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(byId('out-error'), error.message);
  }
  show(byId('out'), true);
  return false;
}

function goTo(place: Place, subject: Subject | null): void {
  enter(place, subject);
  lookAndAsk(place, subject);
}

function lookAndAsk(place: Place, subject: Subject | null): void {
  map?.lookAtPlace(degreesOf(place));
  void ask(place, subject);
}

async function askAgain(): Promise<void> {
  const { place, named } = state;
  if (place === null && named === null) return;
  const now = place === null ? asking : beginAsking(place);
  const { subject, trouble } = await readLinked(lookUp, state);
  if (now.signal.aborted || now !== asking) return;
  search?.name(subject?.name ?? '', trouble);
  if (place !== null) await ask(place, subject);
  // A short link: the register says where it lies, in the same entry of the history.
  else if (subject?.place) {
    remember({ place: subject.place, named: subject });
    lookAndAsk(subject.place, subject);
  }
}

async function comeBack(): Promise<void> {
  readAgain();
  tellUnread(state);
  layers.showBackground(state.background);
  map?.setLayers(state.layers);
  if (map !== null) await startView(map);
  layers.draw();
  if (state.place === null) showNoPlace();
  await askAgain();
}

function showNoPlace(): void {
  asking.abort();
  asking = new AbortController();
  [answers, drawing, isAsking, isMeasuring] = [null, NOTHING_DRAWN, false, false];
  map?.setPlace(null);
  search?.name('');
  draw();
  // The title is the page's own again.
  speak(language());
}

/** Where this fails, the answers themselves say so. */
async function readCoverage(shown: PlaceMap): Promise<void> {
  try {
    const lands = (await request('kort/daekning.json').then((reply) =>
      reply.json(),
    )) as readonly Covered[];
    for (const { ringe } of lands) shown.greyBeside(ringe);
    const points = lands.flatMap(({ ringe }) => ringe.flat().map((each) => [...each]));
    if (points.length > 0) coveredBounds = boundingExtent(points);
    if (lands.length > 0) document.body.dataset['daekning'] = lands.map(({ navn }) => navn).join();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

interface Covered {
  readonly navn: string;
  readonly ringe: readonly (readonly (readonly [number, number])[])[];
}

/** Where the address says, else at its place, else where there are areas at all. */
async function startView(shown: PlaceMap): Promise<void> {
  const { place, look } = state;
  if (look !== null) shown.look(look);
  else if (place !== null) shown.lookAtPlace(degreesOf(place));
  else {
    type Tiled = { readonly bounds: readonly number[] };
    const told = await lookUp<Tiled>('v1/kort/kommune.json', undefined, 'drawing');
    shown.lookAtBounds(told.ok ? told.body.bounds : coveredBounds);
  }
}

function measure(points: readonly Place[] | null): void {
  measured = points;
  map?.drawMeasure((points ?? []).map(degreesOf));
  byId('measured').textContent = points === null ? '' : measuredWords(points);
  byId('measure').setAttribute('aria-pressed', String(points !== null));
}

/** It is sent only as a place that is asked about. */
function locate(): void {
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      const place = inDenmark(placeOfClick(coords.longitude, coords.latitude));
      if (place !== null) goTo(place, null);
    },
    () =>
      toast(
        t('Browseren siger ikke, hvor du er.', 'The browser does not say where you are.'),
        'bad',
      ),
    { enableHighAccuracy: true, timeout: LOCATE_MS },
  );
}

/** null is said. */
function inDenmark(place: Place | null): Place | null {
  if (place === null)
    toast(t('Stedet ligger uden for Danmark.', 'The place lies outside Denmark.'), 'bad');
  return place;
}

function installTools(): void {
  byId('locate').addEventListener('click', locate);
  show(byId('full'), document.fullscreenEnabled);
  byId('full').addEventListener('click', () => {
    if (document.fullscreenElement === null) void byId('map-part').requestFullscreen();
    else void document.exitFullscreen();
  });
  byId('measure').addEventListener('click', () => measure(measured === null ? [] : null));
  document.addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented && measured !== null) measure(null);
  });
}

function clicked(at: Place | null): void {
  const place = inDenmark(at);
  if (place === null) return;
  if (measured !== null) {
    measure([...measured, place]);
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
  [isAsking, isMeasuring] = [true, true];
  draw();
  map?.setPlace(degreesOf(place));
  return asking;
}

async function ask(place: Place, subject: Subject | null): Promise<void> {
  const now = beginAsking(place);
  try {
    const found = await askAbout(place, subject, now.signal);
    if (now.signal.aborted) return;
    [answers, drawing, isAsking] = [found, NOTHING_DRAWN, false];
    draw();
    openParcel();
    const drawn = await drawingOf(found);
    // Another place was asked about meanwhile.
    if (asking !== now) return;
    [drawing, isMeasuring] = [drawn, false];
    draw();
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

function draw(): void {
  byId('board').classList.toggle('asking', isAsking);
  const asks = isAsking ? t('Spørger …', 'Asking …') : '';
  const invite = t(
    'Klik i kortet, søg en adresse, eller skriv koordinater.',
    'Click the map, search for an address or type coordinates.',
  );
  render(
    html`<h2 id="answers-title">${t('Hvad gælder her?', 'What holds here?')}</h2>
      <p id="asking" class="muted" role="status">${asks}</p>
      ${answers === null ? html`<div id="answers">${note(invite)}</div>` : answersView(answers)}`,
    byId('svar'),
  );
  render(answers === null ? nothing : sheetHead(answers), byId('sheet-words'));
  if (answers !== null) document.title = `${titleOf(answers)} · ${t('Kort', 'Map')} · Geoopslag`;
}

function answersView(told: Answers): TemplateResult {
  const { place, lines, rows, areas, subject, address } = told;
  const asked = partsOf({ place, named: null }).join('&');
  const copies = [
    ['curl', t('Kopiér curl', 'Copy curl')],
    ['json', t('Kopiér JSON', 'Copy JSON')],
    ['geojson', t('Kopiér GeoJSON', 'Copy GeoJSON')],
  ] as const;
  return html`<div id="answers" data-place=${JSON.stringify(place)}>
      ${linesPart(lines, rows, drawing.notDrawn)} ${areasPart(areas)} ${subjectPart(subject)}
      ${addressPart(address, ADDRESS_RADIUS_M)} ${propertyPart(told)} ${sheetPart(sheetFacts(told))}
    </div>
    <div class="buttons start" id="take">
      <button type="button" id="print" @click=${print}>${t('Udskriv', 'Print')}</button>
      <a href="forhold#${asked}">${t('Hele jordstykket', 'The whole parcel')}</a>
      ${copies.map(([kind, words]) => button(words, () => copyText(textFor(kind, told))))}
    </div>
    <pre class="wrap" id="copy-text" hidden></pre>
    <details id="parcel" @toggle=${openParcel}>
      <summary>
        ${t(
          'Hvad berører hele jordstykket, hvor meget af det, og hvorfor',
          'What touches the whole parcel, how much of it, and why',
        )}
      </summary>
      <div class="conditions" id="parcel-answers">${parcelView(place)}</div>
    </details>`;
}

/** Where the reader has opened it; it stays open for the next place. */
function openParcel(): void {
  if (answers !== null && byIdAs('parcel', HTMLDetailsElement).open)
    void readParcel(lookUp, answers.place, draw);
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

/** A refusal is copied as an error, never left out as though nothing had been found. */
function bodyOf(
  reply: { ok: true; body: unknown } | { ok: false; status: number; message: string },
) {
  return reply.ok ? reply.body : { error: reply.message, status: reply.status };
}

beginSpeaking(() => {
  draw();
  if (map === null) return;
  layers.draw();
  drawShapes();
});
installKeyboard();
comeBackFrom('kort');
installTools();
byIdAs('live', HTMLInputElement).addEventListener('change', ({ target }) =>
  askWith((target as HTMLInputElement).checked ? 'live' : 'test'),
);
installSignOut();
window.addEventListener('pagehide', releaseKey);

function measuredWords(points: readonly Place[]): string {
  if (points.length < 2)
    return t('Vælg punkter i kortet; Esc slutter.', 'Choose points on the map; Escape ends.');
  const [first = [0, 0], ...others] = points.map(metresOf);
  let [[fromX, fromY], length] = [first, 0];
  for (const [x, y] of others) {
    length += Math.hypot(x - fromX, y - fromY);
    [fromX, fromY] = [x, y];
  }
  return metres(length);
}

void begin();
