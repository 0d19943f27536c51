/** What applies to a parcel or property: asked for, listed, drawn small, to hand on by link and on paper. */
import './forhold.css';
import './list.css';
import { LINE_KEYS } from '../../layers/keys.ts';
import type { Facts, Reply } from '../shared/answers.ts';
import { Refused } from '../shared/ask.ts';
import { queryOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { copyText } from '../shared/copy.ts';
import { byId, installSkipLink, say, show } from '../shared/dom.ts';
import { decimal } from '../shared/format.ts';
import { HeldKey, mintSessionKey, mintTrialKey } from '../shared/held-key.ts';
import { chosenLanguage, language, onLanguage, speak, t } from '../shared/language.ts';
import { lookUpWith } from '../shared/lookup.ts';
import { askedIn, partsOf, saidIn } from '../shared/place-address.ts';
import type { Named } from '../shared/place-address.ts';
import { SearchBox } from '../shared/search-box.ts';
import { readSession } from '../shared/session.ts';
import { readSubject, subjectOfParcel } from '../shared/subject.ts';
import type { NamedParcel, Subject } from '../shared/subject.ts';
import { tellUnread } from '../shared/unread.ts';
import { readVectorTile } from '../shared/vector-tile.ts';
import { listOf } from './list.ts';
import type { Conditions } from './list.ts';
import { mapOf } from './map.ts';
import type { Rings } from './map.ts';

const TRIAL = document.body.dataset['proeve'] ?? 'off';
const AREAS = ['adresser', 'bbr', 'natur', 'dagi', 'stednavne', 'miljoe'];

interface Answer {
  readonly areal_m2: number | null;
  readonly ejendom?: { readonly egen_grund: boolean };
  readonly forhold: Conditions;
  readonly meta: { readonly kilde: string };
}

interface Parcels {
  readonly jordstykker: readonly (NamedParcel & {
    readonly geometri: { readonly coordinates: readonly Rings[] } | null;
  })[];
}

interface Shown {
  readonly name: string;
  readonly answer: Answer;
  readonly facts: Facts;
  readonly askedAt: Date;
  readonly polygons: readonly Rings[];
}

let key: HeldKey | null = null;
let search: SearchBox | null = null;
let shown: Shown | null = null;
/** Of the latest question: what comes of an earlier one is left. */
let looks = 0;

function lookUp<Body>(path: string, signal?: AbortSignal): Promise<Reply<Body>> {
  return lookUpWith<Body>(key, path, { signal });
}

const readTile = (path: string) =>
  lookUpWith(key, path, { read: async (response) => readVectorTile(await response.arrayBuffer()) });

async function begin(): Promise<void> {
  speak(chosenLanguage());
  const session = await readSession().catch((error: unknown) => {
    if (error instanceof Refused) return null;
    throw error;
  });
  if (session === null && TRIAL === 'off') {
    show(byId('out'), true);
    return;
  }
  if (session !== null) key = new HeldKey(() => mintSessionKey('Forhold', 'test', AREAS));
  else if (TRIAL === 'on') key = new HeldKey(mintTrialKey);
  search = new SearchBox({
    suggest: lookUp,
    read: (named) => readSubject(lookUp, named),
    onPlace: (place) => void atPlace(place),
    onSubject: (subject) => {
      void ofSubject(subject);
      return null;
    },
  });
  window.addEventListener('popstate', () => void ofAddress());
  await ofAddress();
}

/** What the page's address names. */
async function ofAddress(): Promise<void> {
  const asked = askedIn(saidIn(window.location.hash));
  const { place, named } = asked;
  tellUnread(asked);
  if (named !== null) {
    const told = await readSubject(lookUp, named);
    if (told.ok) await ofSubject(told.body);
    else fail(told.message);
  } else if (place !== null) await atPlace(place);
  else show(byId('svar'), false);
}

/** A parcel or property is asked about itself, anything else by the parcel that it lies on. */
async function ofSubject(subject: Subject): Promise<void> {
  if (subject.kind === 'jordstykke' || subject.kind === 'ejendom') await ask(subject, subject.name);
  else if (subject.place !== null) await atPlace(subject.place);
  else fail(t('Stedet har intet punkt.', 'The place has no point.'));
}

async function atPlace(place: Place): Promise<void> {
  const told = await lookUp<Parcels>(`v1/matrikel/jordstykke?${queryOf(place)}`);
  if (!told.ok) {
    fail(told.message);
    return;
  }
  const [subject = null] = told.body.jordstykker.map(subjectOfParcel);
  if (subject === null)
    fail(t('Her er intet jordstykke med nummer.', 'There is no parcel with a number here.'));
  else await ask(subject, subject.name);
}

function fail(why: string): void {
  show(byId('svar'), false);
  byId('asking').textContent = '';
  say(byId('trouble'), why);
}

async function ask(named: Named, name: string): Promise<void> {
  looks += 1;
  const look = looks;
  const hash = `#${partsOf({ place: null, named }).join('&')}`;
  if (hash !== window.location.hash) window.history.pushState(null, '', hash);
  say(byId('trouble'), '');
  show(byId('unread'), false);
  byId('asking').textContent = t('Spørger …', 'Asking …');
  const path = named.id.split('-').map(encodeURIComponent).join('/');
  const isParcel = named.kind === 'jordstykke';
  const [told, parcels] = await Promise.all([
    lookUp<Answer>(`v1/forhold/${named.kind}/${path}`),
    lookUp<Parcels>(`v1/matrikel/${named.kind}/${path}`),
  ]);
  if (look !== looks) return;
  search?.name(name);
  if (!told.ok) {
    fail(told.message);
    return;
  }
  const polygons = parcels.ok
    ? parcels.body.jordstykker.flatMap(({ geometri }) => geometri?.coordinates ?? [])
    : [];
  const title = isParcel ? t(`Jordstykke ${name}`, `Parcel ${name}`) : name;
  shown = { name: title, answer: told.body, facts: told.facts, askedAt: new Date(), polygons };
  byId('asking').textContent = '';
  draw();
  byId('svar').focus({ preventScroll: true });
  await drawMap(look);
}

function draw(): void {
  if (shown === null) return;
  const { name, answer, facts, askedAt } = shown;
  const { forhold: conditions, areal_m2: area } = answer;
  show(byId('svar'), true);
  document.title = `${name} · Geoopslag`;
  byId('title').textContent = name;
  const ground = answer.ejendom?.egen_grund === false;
  byId('about').textContent = [
    area === null ? '' : `${decimal(area)} m²`,
    ground ? t('grunden, den står på', 'the ground that it stands on') : '',
    t('vejledende: registrene afgør', 'advisory: the registers decide'),
  ]
    .filter((part) => part !== '')
    .join(' · ');
  byId('list').replaceChildren(...listOf(conditions));
  const credits = new Set(Object.values(conditions).map(({ kilde }) => kilde.kreditering));
  const at = askedAt.toLocaleString(language() === 'en' ? 'en-GB' : 'da-DK', {
    timeZone: 'Europe/Copenhagen',
    dateStyle: 'long',
    timeStyle: 'short',
  });
  byId('facts').textContent =
    `${t('Spurgt', 'Asked')} ${at} · ${t('datageneration', 'data generation')} ${facts.generation ?? '–'} · ` +
    `${t('Kilder', 'Sources')}: ${[...credits].join('; ')} · ${window.location.host}`;
}

/** What lies on a part of the parcel is drawn; what covers it whole says nothing on a map. */
async function drawMap(look: number): Promise<void> {
  if (shown === null) return;
  const { polygons, answer } = shown;
  byId('map').replaceChildren();
  if (polygons.length === 0) return;
  const partly = Object.entries(answer.forhold).filter(
    ([, { beroert, andel }]) => beroert === true && andel !== null && andel < 0.999,
  );
  const isLine = (each: string) => LINE_KEYS.some((line) => line === each);
  const layers = partly.map(([each, { navn: name }]) => ({
    layer: isLine(each) ? each : `forhold_${each}`,
    name,
  }));
  const drawn = await mapOf(polygons, layers, readTile);
  if (look === looks) byId('map').replaceChildren(...drawn);
}

onLanguage((chosen) => {
  speak(chosen);
  draw();
  void drawMap(looks);
});
installSkipLink();
byId('share').addEventListener('click', () => void copyText(window.location.href));
byId('print').addEventListener('click', () => window.print());
byId('to-map').addEventListener('click', (event) => {
  const { hash } = window.location;
  (event.currentTarget as HTMLAnchorElement).href = `kort${hash}`;
});
window.addEventListener('pagehide', () => key?.release());

void begin();
