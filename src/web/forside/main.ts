/** The page's life: a place is chosen, it is asked about, the answers are drawn. */
import './forside.css';
import { AddressSearch } from '../shared/address-search.ts';
import type { Address } from '../shared/place-address.ts';
import type { Areas, BuildingLines, NearestAddress, Reply } from '../shared/answers.ts';
import { degreesOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { byId, byIdAs, installSkipLink, say, show } from '../shared/dom.ts';
import { fromNearestWords, metres, span } from '../shared/format.ts';
import { chosenLanguage, onLanguage, speak, t } from '../shared/language.ts';
import type { Language } from '../shared/language.ts';
import { offerSignOut } from '../shared/sign-out.ts';
import { askedIn, isAt, partsOf, saidIn } from '../shared/place-address.ts';
import {
  addressOf,
  areasAt,
  heightAt,
  linesAt,
  linesPath,
  lookUp,
  nearestAddress,
  propertyOf,
  readStatus,
} from './api.ts';
import type { Height, Property, Status } from './api.ts';
import { drawAreas, drawHeight, drawLines, drawProperty } from './place.ts';

interface Shown {
  readonly place: Place;
  /** The address that was chosen; null: the place was named in another way. */
  readonly chosen: Address | null;
  /** The nearest one; null: there is none, or it was not asked for or not answered. */
  readonly nearest: NearestAddress['adresse'] | null;
  readonly lines: Reply<BuildingLines>;
  readonly areas: Reply<Areas>;
  readonly height: Reply<Height>;
  readonly property: Reply<Property> | 'no-number' | 'no-address';
}

const page: { shown: Shown | null; status: Reply<Status> | null; looks: number } = {
  shown: null,
  status: null,
  looks: 0,
};

/** Written to the page's address and history. */
function enter(place: Place, chosen: Address | null): void {
  const hash = `#${partsOf({ place, address: chosen?.id ?? null }).join('&')}`;
  if (hash !== window.location.hash) window.history.pushState(null, '', hash);
  void lookAt(place, chosen);
}

/** Shows what the page's address says, and clears the page where it says nothing. */
async function comeBack(): Promise<void> {
  page.looks += 1;
  const look = page.looks;
  const { place, address } = askedIn(saidIn(window.location.hash));
  if (place === null) {
    page.shown = null;
    search?.name('');
    draw();
    return;
  }
  const told = address === null ? null : await addressOf(address);
  if (look !== page.looks) return;
  const chosen = told?.ok === true && isAt(told.body, place) ? told.body : null;
  search?.name(chosen?.betegnelse ?? '');
  await lookAt(place, chosen);
}

/** Asks all there is to ask about a place; each answer stands or fails by itself. */
async function lookAt(place: Place, chosen: Address | null): Promise<void> {
  page.looks += 1;
  const look = page.looks;
  byId('place').setAttribute('aria-busy', 'true');
  const [lines, areas, height, ofAddress] = await Promise.all([
    linesAt(place),
    areasAt(place),
    heightAt(place),
    propertyAt(place, chosen),
  ]);
  // Another place was chosen meanwhile.
  if (look !== page.looks) return;
  page.shown = { place, chosen, lines, areas, height, ...ofAddress };
  draw();
  byId('place').removeAttribute('aria-busy');
  byId('place').focus({ preventScroll: true });
  byId('place').scrollIntoView({ block: 'nearest' });
}

/** The property of the address that was chosen, else of the nearest one. */
async function propertyAt(
  place: Place,
  chosen: Address | null,
): Promise<Pick<Shown, 'nearest' | 'property'>> {
  const asked = chosen === null ? await nearestAddress(place) : null;
  if (asked?.ok === false)
    return { nearest: null, property: asked.status === 404 ? 'no-address' : asked };
  const nearest = asked?.body.adresse ?? null;
  const bfe = (chosen ?? nearest)?.bfe_nummer ?? null;
  return { nearest, property: bfe === null ? 'no-number' : await propertyOf(bfe) };
}

function draw(): void {
  drawFreshness();
  const { shown } = page;
  show(byId('place'), shown !== null);
  document.title = shown === null ? 'Geoopslag' : `${nameOf(shown)} · Geoopslag`;
  if (shown === null) return;
  const { place, chosen, nearest, lines, areas, height, property } = shown;
  byId('place-title').textContent = nameOf(shown);
  const parts = partsOf({ place, address: chosen?.id ?? null });
  byIdAs('to-map', HTMLAnchorElement).href = `kort#${parts.join('&')}`;
  byId('place-about').textContent = `${coordinateWords(place)} (WGS84)`;
  byId('lines').replaceChildren(...drawLines(lines));
  byId('areas').replaceChildren(...drawAreas(areas));
  byId('height').replaceChildren(...drawHeight(height));
  say(byId('property-of'), fromNearestWords(nearest?.afstand_m ?? 0));
  byId('property').replaceChildren(...drawProperty(property));
  byId('source').textContent = sourceWords(lines);
  const service = new URL('.', window.location.href).href;
  const key = t('<nøgle>', '<key>');
  byId('curl').textContent =
    `curl -H 'Authorization: Bearer ${key}' '${service}${linesPath(place)}'`;
}

function nameOf({ place, chosen, nearest }: Shown): string {
  if (chosen !== null) return chosen.betegnelse;
  if (nearest === null) return coordinateWords(place);
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
  else enter({ srid: 4326, ...point }, { ...nearest, id: nearest.adgangsadresse_id });
}

onLanguage(choose);
installSkipLink();
choose(chosenLanguage());
const isOff = document.body.dataset['proeve'] === 'off';
show(byId('search'), !isOff);
show(byId('trial-off'), isOff);
const search = isOff ? null : new AddressSearch({ suggest: lookUp, onPlace: enter });
if (!isOff) {
  const place = examplePlace();
  show(byId('example-line'), place !== null);
  if (place !== null) byId('example').addEventListener('click', () => void showExample(place));
  window.addEventListener('popstate', () => void comeBack());
  if (window.location.hash !== '') void comeBack();
}
void offerSignOut();
void readStatus().then((status) => {
  page.status = status;
  drawFreshness();
});
