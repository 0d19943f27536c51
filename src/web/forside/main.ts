/** The page's life: a place is chosen, it is asked about, the answers are drawn. */
import './forside.css';
import type { NearestAddress, Reply } from '../shared/answers.ts';
import { degreesOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { ADDRESSES, isLineKey } from '../../layers/keys.ts';
import { lineRows } from '../shared/answers.ts';
import { copyText } from '../shared/copy.ts';
import { byId, byIdAs, h, installSkipLink, say, show } from '../shared/dom.ts';
import { fromNearestWords, span } from '../shared/format.ts';
import { chosenLanguage, onLanguage, speak, t } from '../shared/language.ts';
import { answerSentence } from '../shared/line-words.ts';
import type { Language } from '../shared/language.ts';
import { askedIn, partsOf, saidIn } from '../shared/place-address.ts';
import { SearchBox } from '../shared/search-box.ts';
import { offerSignOut } from '../shared/session.ts';
import { readLinked, readSubject, subjectOfAddress } from '../shared/subject.ts';
import type { Subject } from '../shared/subject.ts';
import { tellUnread } from '../shared/unread.ts';
import {
  areasAt,
  heightAt,
  linesAt,
  linesPath,
  lookUp,
  nearestAddress,
  parcelsOf,
  propertyOf,
  readStatus,
  readTile,
  releaseKeys,
} from './api.ts';
import type { Parcels, Status } from './api.ts';
import type { Rings } from './place-map.ts';
import { drawAreas, drawCompany, drawHeight, drawLines, drawProperty } from './place.ts';
import type { Program } from './programs.ts';
import { answerText, coordinateWords, linkOf, nameOf, sourceWords } from './shown.ts';
import type { Shown } from './shown.ts';

interface Page {
  shown: Shown | null;
  /** Draws the map in the reader's language; null: not there yet. */
  picture: (() => readonly Node[]) | null;
  status: Reply<Status> | null;
  looks: number;
  program: Program;
}

const page: Page = { shown: null, picture: null, status: null, looks: 0, program: 'curl' };

function enter(place: Place | null, subject: Subject | null): void {
  const hash = `#${partsOf({ place, named: subject }).join('&')}`;
  if (hash !== window.location.hash) window.history.pushState(null, '', hash);
  void lookAt(place, subject);
}

/** Shows what the page's address says, and the example where it says nothing. */
async function comeBack(): Promise<void> {
  page.looks += 1;
  const look = page.looks;
  const asked = askedIn(saidIn(window.location.hash));
  const { subject, trouble } = await readLinked(lookUp, asked);
  if (look !== page.looks) return;
  const place = asked.place ?? subject?.place ?? null;
  search?.name(subject?.name ?? '', trouble);
  if (place !== null || subject !== null) {
    await lookAt(place, subject);
    return;
  }
  page.shown = null;
  draw();
  if (!tellUnread(asked)) await showExample(look);
}

/** Asks all there is to ask about a place; each answer stands or fails by itself. */
async function lookAt(
  place: Place | null,
  subject: Subject | null,
  isExample = false,
): Promise<void> {
  page.looks += 1;
  const look = page.looks;
  show(byId('unread'), false);
  byId('place').setAttribute('aria-busy', 'true');
  const [lines, areas, height, ofAddress] = await Promise.all([
    place && linesAt(place),
    place && areasAt(place),
    place && heightAt(place),
    propertyAt(place, subject),
  ]);
  // Another place was chosen meanwhile.
  if (look !== page.looks) return;
  const askedAt = new Date();
  page.shown = { isExample, place, subject, lines, areas, height, ...ofAddress, askedAt };
  page.picture = null;
  draw();
  byId('place').removeAttribute('aria-busy');
  if (!isExample) {
    byId('place').focus({ preventScroll: true });
    byId('place').scrollIntoView({ block: 'nearest' });
  }
  await drawMap(page.shown, look);
}

/** The map comes after the answers, which do not wait for it. */
async function drawMap(shown: Shown, look: number): Promise<void> {
  const { place, lines, property } = shown;
  if (place === null || lines === null) return;
  const bfe =
    typeof property === 'object' && property?.ok === true ? property.body.bfe_nummer : null;
  const parcels = bfe === null ? null : await parcelsOf(bfe);
  const drawer = await import('./place-map.ts').catch(() => null);
  if (drawer === null) {
    const why = t('Kortet kunne ikke hentes.', 'The map could not be fetched.');
    byId('map').replaceChildren(h('p', { class: 'notice warn' }, why));
    return;
  }
  const picture = await drawer.drawPlaceMap({
    place: degreesOf(place),
    rows: lines.ok ? lineRows(lines, new Map()) : [],
    readTile,
    parcels: parcels?.ok === false ? null : ringsOf(parcels?.body ?? null),
    widthPx: byId('map').clientWidth,
  });
  if (look !== page.looks) return;
  page.picture = picture;
  byId('map').replaceChildren(...picture());
}

function ringsOf(parcels: Parcels | null): Rings {
  return (parcels?.jordstykker ?? []).flatMap(({ geometri }) => geometri?.coordinates ?? []);
}

function askAgain(): void {
  if (page.shown !== null) void lookAt(page.shown.place, page.shown.subject, page.shown.isExample);
}

async function propertyAt(
  place: Place | null,
  subject: Subject | null,
): Promise<Pick<Shown, 'nearest' | 'property'>> {
  const known = subject?.bfe;
  if (known !== undefined) return { nearest: null, property: await propertyIn(known) };
  if (place === null) return { nearest: null, property: null };
  const asked = await nearestAddress(place);
  if (!asked.ok) return { nearest: null, property: asked.status === 404 ? 'no-address' : asked };
  const nearest = asked.body.adresse;
  return { nearest, property: await propertyIn(nearest.bfe_nummer) };
}

async function propertyIn(bfe: number | null): Promise<Shown['property']> {
  return bfe === null ? 'no-number' : await propertyOf(bfe);
}

function draw(): void {
  drawFreshness();
  const { shown } = page;
  show(byId('place'), shown !== null);
  document.title = shown === null ? 'Geoopslag' : `${nameOf(shown)} · Geoopslag`;
  if (shown === null) return;
  const { place, subject, nearest, lines, areas, height, property } = shown;
  show(byId('place-example'), shown.isExample);
  byId('place-title').textContent = nameOf(shown);
  byIdAs('to-map', HTMLAnchorElement).href = `kort#${partsOf({ place, named: subject }).join('&')}`;
  byId('place-about').textContent =
    place === null
      ? t('Uden et punkt på kortet', 'Without a point on the map')
      : `${coordinateWords(place)} (WGS84)`;
  for (const element of document.querySelectorAll<HTMLElement>('.of-place')) {
    show(element, place !== null);
  }
  drawSentence(lines);
  byId('map').replaceChildren(...(page.picture?.() ?? []));
  drawPart('company', subject?.company, drawCompany);
  drawPart('lines', lines, (reply) => drawLines(reply, askAgain));
  drawPart('areas', areas, drawAreas);
  drawPart('height', height, drawHeight);
  drawPart('property', property, drawProperty);
  say(byId('property-of'), fromNearestWords(nearest?.afstand_m ?? 0));
  byId('source').textContent = sourceWords(shown);
  void drawProgram();
}

function drawSentence(lines: Shown['lines']): void {
  const { text, kind } =
    lines?.ok === true
      ? answerSentence(lineRows(lines, new Map()), lines.body.soegeradius_m)
      : { text: '', kind: 'good' };
  say(byId('sentence'), text);
  byId('sentence').className = `sentence left ${kind}`;
}

/** Loaded for who wants it. The language of the program is the reader's choice, which stays with the page. */
async function drawProgram(): Promise<void> {
  const place = page.shown?.place ?? null;
  if (place === null || !byIdAs('for-programs', HTMLDetailsElement).open) return;
  const { PROGRAMS, programText } = await import('./programs.ts');
  byId('programs').replaceChildren(
    ...PROGRAMS.map((program) =>
      h(
        'button',
        {
          type: 'button',
          'aria-pressed': String(program === page.program),
          onclick: async () => {
            page.program = program;
            await drawProgram();
            byId('programs').querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
          },
        },
        program,
      ),
    ),
  );
  const service = new URL('.', window.location.href).href;
  byId('program').textContent = programText(page.program, `${service}${linesPath(place)}`);
}

function drawPart<Told>(
  id: string,
  told: Told | null | undefined,
  drawn: (told: Told) => Node[],
): void {
  const isTold = told !== null && told !== undefined;
  byId(id).replaceChildren(...(isTold ? drawn(told) : []));
  const part = byId(id).closest('section');
  if (part !== null) show(part, isTold);
}

function installActions(): void {
  byId('for-programs').addEventListener('toggle', () => void drawProgram());
  const withShown = (id: string, act: (shown: Shown) => void) =>
    byId(id).addEventListener('click', () => {
      if (page.shown !== null) act(page.shown);
    });
  withShown('copy', (shown) => void copyText(answerText(shown)));
  withShown('share', (shown) => void copyText(linkOf(shown)));
  withShown('print', () => window.print());
  withShown('copy-program', () => void copyText(byId('program').textContent));
}

function drawFreshness(): void {
  const { status } = page;
  if (status === null) return;
  byId('freshness').textContent = status.ok
    ? freshnessWords(status.body)
    : t(
        'Hvor friske lagene er, kan ikke læses lige nu.',
        'How fresh the layers are cannot be told right now.',
      );
}

/** A layer that has not been mirrored yet is no fault of a service that has just started. */
function freshnessWords({ lag: layers, generation }: Status): string {
  const count = (state: string) => layers.filter(({ tilstand }) => tilstand === state).length;
  const [fresh, late] = [count('frisk'), count('forsinket')];
  const [failed, missing] = [count('fejlet'), count('mangler')];
  const all = layers.length;
  const ages = layers.flatMap(({ alder_s: ageS }) => (ageS === null ? [] : [ageS]));
  const oldest = ages.length === 0 ? null : span(Math.max(...ages));
  return [
    fresh === all
      ? t(`Alle ${all} registerlag er friske`, `All ${all} layers of registers are fresh`)
      : missing > 0
        ? t(
            `${all - missing} af ${all} registerlag er hentet, resten er på vej`,
            `${all - missing} of ${all} layers of registers are fetched, the rest are on their way`,
          )
        : null,
    missing > 0 && page.shown === null
      ? t('et eksempel vises, når det kan besvares', 'an example comes when it can be answered')
      : null,
    late > 0 ? t(`${late} er over deres frist`, `${late} are past their limit`) : null,
    failed > 0
      ? t(`${failed} kunne ikke fornyes sidste gang`, `${failed} could not be renewed last time`)
      : null,
    oldest === null
      ? null
      : t(`den ældste kopi er ${oldest} gammel`, `the oldest copy is ${oldest} old`),
    `generation ${generation}`,
  ]
    .filter((text) => text !== null)
    .join(' · ');
}

function choose(chosen: Language): void {
  speak(chosen);
  draw();
}

/** `lon lat` of a place with something to see; null: the service names none. */
function examplePlace(): Place | null {
  const [lon = Number.NaN, lat = Number.NaN] = (document.body.dataset['sted'] ?? '')
    .split(' ')
    .map(Number.parseFloat);
  return Number.isFinite(lon) && Number.isFinite(lat) ? { srid: 4326, lon, lat } : null;
}

/** Milliseconds between two looks at a service that cannot answer yet, and how many there are. */
const STARTING_MS = 3_000;
const MOST_LOOKS = 200;

/** The example's address, else its place: shown until the reader asks about another one (D203). */
async function showExample(look: number): Promise<void> {
  const place = examplePlace();
  if (place === null) return;
  let found = await askForExample(place);
  for (let tries = 0; found === null && tries < MOST_LOOKS; tries++) {
    await new Promise((resolve) => setTimeout(resolve, STARTING_MS));
    if (look !== page.looks) return;
    found = await askForExample(place);
  }
  if (look !== page.looks) return;
  const nearest = found?.ok === true ? found.body.adresse : null;
  const subject =
    nearest === null || nearest.koordinat === null
      ? null
      : subjectOfAddress({ ...nearest, id: nearest.adgangsadresse_id });
  await lookAt(subject?.place ?? place, subject, true);
}

/** null: the service has just started, and cannot answer yet. */
async function askForExample(place: Place): Promise<Reply<NearestAddress> | null> {
  if (isStarting(await readFreshness())) return null;
  const found = await nearestAddress(place);
  return found.ok || found.status === 404 ? found : null;
}

/** Whether what the example asks for is still being fetched for the first time. */
function isStarting(status: Reply<Status>): boolean {
  return (
    status.ok &&
    status.body.lag.some(
      ({ lag, tilstand }) => tilstand === 'mangler' && (isLineKey(lag) || lag === ADDRESSES),
    )
  );
}

async function readFreshness(): Promise<Reply<Status>> {
  const status = await readStatus();
  page.status = status;
  drawFreshness();
  return status;
}

onLanguage(choose);
installSkipLink();
choose(chosenLanguage());
const isOff = document.body.dataset['proeve'] === 'off';
show(byId('search'), !isOff);
show(byId('trial-off'), isOff);
const search = isOff
  ? null
  : new SearchBox({
      suggest: lookUp,
      read: (named) => readSubject(lookUp, named),
      onPlace: (place) => enter(place, null),
      onSubject: (subject) => {
        enter(subject.place, subject);
        return null;
      },
    });
installActions();
if (!isOff) {
  window.addEventListener('popstate', () => void comeBack());
  void comeBack();
}
window.addEventListener('pagehide', releaseKeys);
void offerSignOut();
// Where the example is shown it reads this itself.
if (isOff || window.location.hash !== '') void readFreshness();
