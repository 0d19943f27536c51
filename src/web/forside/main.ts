import '../shared/place.css';
import './forside.css';
import { ADDRESSES, isLineKey } from '../../layers/keys.ts';
import { turns } from '../shared/ask.ts';
import { lineRows } from '../shared/answers.ts';
import type { Areas, BuildingLines, Height, NearestAddress } from '../shared/answers.ts';
import type { Parcels, Property, Reply, Status } from '../shared/answers.ts';
import { degreesOf, queryOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { byId, installKeyboard, show } from '../shared/dom.ts';
import { examplePlace, onceStarted } from '../shared/example.ts';
import { beginSpeaking, t } from '../shared/language.ts';
import { lookUpWith } from '../shared/lookup.ts';
import { askedIn, partsOf, saidIn } from '../shared/place-address.ts';
import { SearchBox } from '../shared/search-box.ts';
import { offerSignOut } from '../shared/session.ts';
import { readLinked, subjectOfAddress } from '../shared/subject.ts';
import type { Subject } from '../shared/subject.ts';
import { note, render } from '../shared/template.ts';
import type { Content } from '../shared/template.ts';
import { tellUnread } from '../shared/unread.ts';
import { key, linesPath, lookUp, nearestAddress, releaseKeys } from './api.ts';
import { freshnessWords, nameOf } from './shown.ts';
import type { Shown } from './shown.ts';
import { placeView } from './view.ts';

let shown: Shown | null = null;
/** null: not there yet. */
let map: (() => Content) | null = null;
let status: Reply<Status> | null = null;
const nextLook = turns();

function enter(place: Place | null, subject: Subject | null): void {
  const hash = `#${partsOf({ place, named: subject }).join('&')}`;
  if (hash !== window.location.hash) window.history.pushState(null, '', hash);
  void lookAt(place, subject);
}

async function comeBack(): Promise<void> {
  const isLatest = nextLook();
  const asked = askedIn(saidIn(window.location.hash));
  const { subject, trouble } = await readLinked(lookUp, asked);
  if (!isLatest()) return;
  const place = asked.place ?? subject?.place ?? null;
  search?.name(subject?.name ?? '', trouble);
  if (place !== null || subject !== null) {
    await lookAt(place, subject);
    return;
  }
  shown = null;
  draw();
  if (!tellUnread(asked)) await showExample(isLatest);
}

/** Each answer stands or fails by itself. */
async function lookAt(
  place: Place | null,
  subject: Subject | null,
  isExample = false,
): Promise<void> {
  const isLatest = nextLook();
  show(byId('unread'), false);
  byId('place').setAttribute('aria-busy', 'true');
  const [lines, areas, height, ofAddress] = await Promise.all([
    place && lookUp<BuildingLines>(linesPath(place)),
    place && lookUp<Areas>(`v1/dagi/reverse?${queryOf(place)}`),
    place && lookUp<Height>(`v1/dhm/kote?${queryOf(place)}`),
    propertyAt(place, subject),
  ]);
  // Another place was chosen meanwhile.
  if (!isLatest()) return;
  const askedAt = new Date();
  shown = { isExample, place, subject, lines, areas, height, ...ofAddress, askedAt };
  map = null;
  draw();
  byId('place').removeAttribute('aria-busy');
  if (!isExample) {
    byId('place').focus({ preventScroll: true });
    byId('place').scrollIntoView({ block: 'nearest' });
  }
  const drawn = await readMap(shown);
  if (!isLatest()) return;
  map = drawn;
  draw();
}

/** After the answers, which do not wait for it. */
async function readMap({ place, lines, property }: Shown): Promise<(() => Content) | null> {
  if (place === null || lines === null) return null;
  const bfe =
    typeof property === 'object' && property?.ok === true ? property.body.bfe_nummer : null;
  const parcels = bfe === null ? null : await lookUp<Parcels>(`v1/matrikel/ejendom/${bfe}`);
  const maps = await import('./place-map.ts').catch(() => null);
  if (maps === null)
    return () =>
      note(t('Kortet kunne ikke hentes.', 'The map could not be fetched.'), 'notice warn');
  const found = parcels?.ok === true ? parcels.body.jordstykker : [];
  return await maps.readPlaceMap({
    place: degreesOf(place),
    rows: lines.ok ? lineRows(lines, new Map()) : [],
    ask: (path, options) => lookUpWith(key, path, options),
    parcels:
      parcels?.ok === false ? null : found.flatMap(({ geometri }) => geometri?.coordinates ?? []),
    widthPx: byId('map').clientWidth,
  });
}

function askAgain(): void {
  if (shown !== null) void lookAt(shown.place, shown.subject, shown.isExample);
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
  return bfe === null ? 'no-number' : await lookUp<Property>(`v1/bbr/ejendom/${bfe}`);
}

function draw(): void {
  byId('freshness').textContent = status === null ? '' : freshnessWords(status, shown === null);
  show(byId('place'), shown !== null);
  document.title = shown === null ? 'Geoopslag' : `${nameOf(shown)} · Geoopslag`;
  if (shown !== null) render(placeView(shown, { map: map?.(), askAgain, draw }), byId('place'));
}

/** The example's address, else its place (D203). */
async function showExample(isLatest: () => boolean): Promise<void> {
  const place = examplePlace();
  if (place === null) return;
  const found = await onceStarted(
    () => askForExample(place),
    () => !isLatest(),
  );
  if (!isLatest()) return;
  const nearest = found?.ok === true ? found.body.adresse : null;
  const subject =
    nearest === null || nearest.koordinat === null
      ? null
      : subjectOfAddress({ ...nearest, id: nearest.adgangsadresse_id });
  await lookAt(subject?.place ?? place, subject, true);
}

/** null: the service cannot answer yet. */
async function askForExample(place: Place): Promise<Reply<NearestAddress> | null> {
  if (isStarting(await readFreshness())) return null;
  const found = await nearestAddress(place);
  return found.ok || found.status === 404 ? found : null;
}

/** Whether what the example asks for is still being fetched for the first time. */
function isStarting(now: Reply<Status>): boolean {
  return (
    now.ok &&
    now.body.lag.some(
      ({ lag, tilstand }) => tilstand === 'mangler' && (isLineKey(lag) || lag === ADDRESSES),
    )
  );
}

async function readFreshness(): Promise<Reply<Status>> {
  const now = await lookUpWith<Status>(null, 'v1/status');
  status = now;
  draw();
  return now;
}

installKeyboard();
beginSpeaking(draw);
const isOff = document.body.dataset['proeve'] === 'off';
show(byId('search'), !isOff);
show(byId('trial-off'), isOff);
const search = isOff
  ? null
  : new SearchBox({
      ask: lookUp,
      onPlace: (place) => enter(place, null),
      onSubject: (subject) => {
        enter(subject.place, subject);
        return null;
      },
    });
if (!isOff) {
  window.addEventListener('popstate', () => void comeBack());
  void comeBack();
}
window.addEventListener('pagehide', releaseKeys);
void offerSignOut();
if (isOff || window.location.hash !== '') void readFreshness();
