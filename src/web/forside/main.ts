/** The page's life: a place is chosen, it is asked about, the answers are drawn. */
import './forside.css';
import type { Areas, BuildingLines, NearestAddress, Reply } from '../shared/answers.ts';
import { degreesOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { byId, byIdAs, installSkipLink, say, show } from '../shared/dom.ts';
import { fromNearestWords, metres, span } from '../shared/format.ts';
import { chosenLanguage, onLanguage, speak, t } from '../shared/language.ts';
import type { Language } from '../shared/language.ts';
import { askedIn, partsOf, saidIn } from '../shared/place-address.ts';
import { SearchBox } from '../shared/search-box.ts';
import { offerSignOut } from '../shared/sign-out.ts';
import { readLinked, readSubject, subjectOfAddress } from '../shared/subject.ts';
import type { Subject } from '../shared/subject.ts';
import {
  areasAt,
  heightAt,
  linesAt,
  linesPath,
  lookUp,
  nearestAddress,
  propertyOf,
  readStatus,
  releaseKeys,
} from './api.ts';
import type { Height, Property, Status } from './api.ts';
import { drawAreas, drawCompany, drawHeight, drawLines, drawProperty } from './place.ts';

interface Shown {
  /** null: the subject has no point. */
  readonly place: Place | null;
  /** null: the place was named in another way. */
  readonly subject: Subject | null;
  /** null: none, not asked for or not answered. */
  readonly nearest: NearestAddress['adresse'] | null;
  readonly lines: Reply<BuildingLines> | null;
  readonly areas: Reply<Areas> | null;
  readonly height: Reply<Height> | null;
  readonly property: Reply<Property> | 'no-number' | 'no-address' | null;
}

const page: { shown: Shown | null; status: Reply<Status> | null; looks: number } = {
  shown: null,
  status: null,
  looks: 0,
};

function enter(place: Place | null, subject: Subject | null): void {
  const hash = `#${partsOf({ place, named: subject }).join('&')}`;
  if (hash !== window.location.hash) window.history.pushState(null, '', hash);
  void lookAt(place, subject);
}

/** Shows what the page's address says, and clears the page where it says nothing. */
async function comeBack(): Promise<void> {
  page.looks += 1;
  const look = page.looks;
  const asked = askedIn(saidIn(window.location.hash));
  const { place } = asked;
  const { subject, trouble } = await readLinked(lookUp, asked);
  if (look !== page.looks) return;
  search?.name(subject?.name ?? '', trouble);
  if (place !== null || subject !== null) {
    await lookAt(place, subject);
    return;
  }
  page.shown = null;
  draw();
}

/** Asks all there is to ask about a place; each answer stands or fails by itself. */
async function lookAt(place: Place | null, subject: Subject | null): Promise<void> {
  page.looks += 1;
  const look = page.looks;
  byId('place').setAttribute('aria-busy', 'true');
  const [lines, areas, height, ofAddress] = await Promise.all([
    place && linesAt(place),
    place && areasAt(place),
    place && heightAt(place),
    propertyAt(place, subject),
  ]);
  // Another place was chosen meanwhile.
  if (look !== page.looks) return;
  page.shown = { place, subject, lines, areas, height, ...ofAddress };
  draw();
  byId('place').removeAttribute('aria-busy');
  byId('place').focus({ preventScroll: true });
  byId('place').scrollIntoView({ block: 'nearest' });
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
  byId('place-title').textContent = nameOf(shown);
  const parts = partsOf({ place, named: subject });
  byIdAs('to-map', HTMLAnchorElement).href = `kort#${parts.join('&')}`;
  byId('place-about').textContent =
    place === null
      ? t('Uden et punkt på kortet', 'Without a point on the map')
      : `${coordinateWords(place)} (WGS84)`;
  for (const element of document.querySelectorAll<HTMLElement>('.of-place')) {
    show(element, place !== null);
  }
  drawPart('company', subject?.company, drawCompany);
  drawPart('lines', lines, drawLines);
  drawPart('areas', areas, drawAreas);
  drawPart('height', height, drawHeight);
  drawPart('property', property, drawProperty);
  say(byId('property-of'), fromNearestWords(nearest?.afstand_m ?? 0));
  byId('source').textContent = lines === null ? '' : sourceWords(lines);
  const service = new URL('.', window.location.href).href;
  const key = t('<nøgle>', '<key>');
  byId('curl').textContent =
    place === null ? '' : `curl -H 'Authorization: Bearer ${key}' '${service}${linesPath(place)}'`;
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

function nameOf({ place, subject, nearest }: Shown): string {
  if (subject !== null) return subject.name;
  if (nearest === null) return place === null ? '' : coordinateWords(place);
  const { betegnelse, afstand_m: far } = nearest;
  return far === 0 ? betegnelse : `${metres(far)} ${t('fra', 'from')} ${betegnelse}`;
}

function coordinateWords(place: Place): string {
  const { lon, lat } = degreesOf(place);
  return `${lat.toFixed(6)}, ${lon.toFixed(6)}`;
}

function sourceWords(lines: Reply<BuildingLines>): string {
  if (!lines.ok) return '';
  const { ageS, generation } = lines.facts;
  const { kilde: source } = lines.body.meta;
  return [
    t(`Kilde: ${source}`, `Source: ${source}`),
    ageS === null ? null : t(`hentet for ${span(ageS)} siden`, `fetched ${span(ageS)} ago`),
    generation === null ? null : `generation ${generation}`,
  ]
    .filter((text) => text !== null)
    .join(' · ');
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

function freshnessWords({ lag: layers, generation }: Status): string {
  const fresh = layers.filter(({ tilstand }) => tilstand === 'frisk').length;
  const ages = layers.flatMap(({ alder_s: ageS }) => (ageS === null ? [] : [ageS]));
  const count =
    fresh === layers.length
      ? t(`Alle ${fresh} lag er friske`, `All ${fresh} layers are fresh`)
      : t(
          `${fresh} af ${layers.length} lag er friske`,
          `${fresh} of ${layers.length} layers are fresh`,
        );
  const oldest =
    ages.length === 0
      ? null
      : t(
          `den ældste kopi er ${span(Math.max(...ages))} gammel`,
          `the oldest copy is ${span(Math.max(...ages))} old`,
        );
  return [count, oldest, `generation ${generation}`].filter((text) => text !== null).join(' · ');
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

/** The nearest address, where there is one with a point; else the place itself. */
async function showExample(place: Place): Promise<void> {
  const found = await nearestAddress(place);
  const nearest = found.ok ? found.body.adresse : null;
  const point = nearest?.koordinat ?? null;
  search?.name(nearest?.betegnelse ?? '');
  if (nearest === null || point === null) enter(place, null);
  else {
    const subject = subjectOfAddress({ ...nearest, id: nearest.adgangsadresse_id });
    enter(subject.place, subject);
  }
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
if (!isOff) {
  const place = examplePlace();
  show(byId('example-line'), place !== null);
  if (place !== null) byId('example').addEventListener('click', () => void showExample(place));
  window.addEventListener('popstate', () => void comeBack());
  if (window.location.hash !== '') void comeBack();
}
window.addEventListener('pagehide', releaseKeys);
void offerSignOut();
void readStatus().then((status) => {
  page.status = status;
  drawFreshness();
});
