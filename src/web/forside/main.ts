/** The page's life: an address is chosen, its place is asked about, the answers are drawn. */
import './forside.css';
import { Refused } from '../shared/ask.ts';
import { byId, byIdAs, say, show } from '../shared/dom.ts';
import { chosenLanguage, inLanguage, onLanguage, speak } from '../shared/language.ts';
import type { Language } from '../shared/language.ts';
import { areasAt, linesAt, linesPath, nearestAddress, propertyOf, readStatus } from './api.ts';
import type { Areas, Lines, Point, Property, Status, Reported } from './api.ts';
import { drawAreas, drawLines, drawProperty } from './place.ts';
import type { Part } from './place.ts';
import { beginSearch } from './search.ts';

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly point: Point;
  readonly lines: Part<Lines>;
  readonly areas: Part<Areas>;
  readonly property: Part<Property>;
}

const page: { shown: Shown | null; status: Status | 'away' | null; looks: number } = {
  shown: null,
  status: null,
  looks: 0,
};

interface Chosen {
  /** `''`: a place without an address. */
  readonly id: string;
  readonly betegnelse: string;
  readonly bfe_nummer: number | null;
  readonly koordinat: Point | null;
}

/** Asks all there is to ask about an address; each answer stands or fails by itself. */
async function lookAt({
  id,
  betegnelse,
  bfe_nummer: bfe,
  koordinat: point,
}: Chosen): Promise<void> {
  page.looks += 1;
  const look = page.looks;
  if (point === null) {
    say(
      byId('trouble'),
      inLanguage({
        da: 'Adressen har ikke noget punkt at slå op.',
        en: 'The address has no point to look up.',
      }),
    );
    return;
  }
  byId('place').setAttribute('aria-busy', 'true');
  const [lines, areas, property] = await Promise.all([
    partOf(linesAt(point)),
    partOf(areasAt(point)),
    bfe === null ? ('nothing-to-ask' as const) : partOf(propertyOf(bfe)),
  ]);
  // Another place was chosen meanwhile.
  if (look !== page.looks) return;
  page.shown = { id, name: betegnelse, point, lines, areas, property };
  draw();
  byId('place').removeAttribute('aria-busy');
  byId('place').focus({ preventScroll: true });
  byId('place').scrollIntoView({ block: 'nearest' });
}

async function partOf<Answer>(answer: Promise<Reported<Answer>>): Promise<Part<Answer>> {
  try {
    return { reported: await answer };
  } catch (error) {
    return { failure: wordsOf(error) };
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Refused
    ? error.message
    : inLanguage({ da: 'Svaret kunne ikke læses.', en: 'The answer could not be read.' });
}

function draw(): void {
  drawFreshness();
  const { shown } = page;
  show(byId('place'), shown !== null);
  if (shown === null) return;
  const { id, name, point, lines, areas, property } = shown;
  byId('place-title').textContent = name;
  const { lon, lat } = point;
  byIdAs('to-map', HTMLAnchorElement).href =
    `kort#lon=${lon}&lat=${lat}${id === '' ? '' : `&adresse=${id}`}`;
  byId('place-about').textContent = `${lat.toFixed(6)}, ${lon.toFixed(6)} (WGS84)`;
  byId('lines').replaceChildren(...drawLines(lines));
  byId('areas').replaceChildren(...drawAreas(areas));
  byId('property').replaceChildren(...drawProperty(property));
  byId('source').textContent = sourceWords(lines);
  const service = new URL('.', window.location.href).href;
  const key = inLanguage({ da: '<nøgle>', en: '<key>' });
  byId('curl').textContent =
    `curl -H 'Authorization: Bearer ${key}' '${service}${linesPath(point)}'`;
}

function sourceWords(lines: Part<Lines>): string {
  if (typeof lines === 'string' || !('reported' in lines)) return '';
  const { answer, ageS, generation } = lines.reported;
  return [
    inLanguage({ da: `Kilde: ${answer.meta.kilde}`, en: `Source: ${answer.meta.kilde}` }),
    ageS === null
      ? null
      : inLanguage({ da: `hentet for ${age(ageS)} siden`, en: `fetched ${age(ageS)} ago` }),
    generation === null ? null : `generation ${generation}`,
  ]
    .filter((text) => text !== null)
    .join(' · ');
}

/** Seconds as the largest unit a person needs. */
function age(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return inLanguage({ da: 'under et minut', en: 'less than a minute' });
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return inLanguage({ da: `${hours} timer`, en: `${hours} hours` });
  const days = Math.round(hours / 24);
  return inLanguage({ da: `${days} døgn`, en: `${days} days` });
}

function drawFreshness(): void {
  const { status } = page;
  if (status === null) return;
  byId('freshness').textContent =
    status === 'away'
      ? inLanguage({
          da: 'Hvor friske lagene er, kan ikke læses lige nu.',
          en: 'How fresh the layers are cannot be read now.',
        })
      : freshnessWords(status);
}

function freshnessWords({ lag: layers, generation }: Status): string {
  const fresh = layers.filter(({ tilstand }) => tilstand === 'frisk').length;
  const ages = layers.flatMap(({ alder_s: ageS }) => (ageS === null ? [] : [ageS]));
  const count =
    fresh === layers.length
      ? inLanguage({ da: `Alle ${fresh} lag er friske`, en: `All ${fresh} layers are fresh` })
      : inLanguage({
          da: `${fresh} af ${layers.length} lag er friske`,
          en: `${fresh} of ${layers.length} layers are fresh`,
        });
  const oldest =
    ages.length === 0
      ? null
      : inLanguage({
          da: `den ældste kopi er ${age(Math.max(...ages))} gammel`,
          en: `the oldest copy is ${age(Math.max(...ages))} old`,
        });
  return [count, oldest, `generation ${generation}`].filter((text) => text !== null).join(' · ');
}

function choose(chosen: Language): void {
  speak(chosen);
  draw();
}

function explain(error: unknown): void {
  say(byId('trouble'), error === undefined ? '' : wordsOf(error));
}

/** `lon lat` of a place with something to see; null: the service names none. */
function examplePlace(): Point | null {
  const [lon = Number.NaN, lat = Number.NaN] = (document.body.dataset['sted'] ?? '')
    .split(' ')
    .map(Number.parseFloat);
  return Number.isFinite(lon) && Number.isFinite(lat) ? { lon, lat } : null;
}

/** The place of the nearest address; the place alone where there is none. */
async function showExample(point: Point): Promise<void> {
  try {
    await lookAt(await nearestAddress(point));
    explain(undefined);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) {
      explain(error);
      return;
    }
    const betegnelse = `${point.lat}, ${point.lon}`;
    await lookAt({ id: '', betegnelse, bfe_nummer: null, koordinat: point });
  }
}

onLanguage(choose);
choose(chosenLanguage());
const isOff = document.body.dataset['proeve'] === 'off';
show(byId('search'), !isOff);
show(byId('trial-off'), isOff);
if (!isOff) {
  beginSearch({ choose: (address) => void lookAt(address), fail: explain });
  const place = examplePlace();
  show(byId('example-line'), place !== null);
  if (place !== null) byId('example').addEventListener('click', () => void showExample(place));
}
readStatus().then(
  (status) => {
    page.status = status;
    drawFreshness();
  },
  () => {
    page.status = 'away';
    drawFreshness();
  },
);
