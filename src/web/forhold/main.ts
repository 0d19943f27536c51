import '../shared/place.css';
import './forhold.css';
import './list.css';
import { LINE_KEYS } from '../../layers/keys.ts';
import { turns } from '../shared/ask.ts';
import type {
  AreaConditions,
  Conditions,
  Facts,
  Parcels,
  Reply,
  Status,
} from '../shared/answers.ts';
import { readAsker } from '../shared/asker.ts';
import type { Place } from '../shared/coordinates.ts';
import { copyText } from '../shared/copy.ts';
import { byId, installKeyboard, say, show } from '../shared/dom.ts';
import { examplePlace, onceStarted } from '../shared/example.ts';
import { day, decimal } from '../shared/format.ts';
import type { HeldKey } from '../shared/held-key.ts';
import { beginSpeaking, language, t } from '../shared/language.ts';
import { lookUpWith } from '../shared/lookup.ts';
import { askedIn, partsOf, saidIn } from '../shared/place-address.ts';
import type { Named } from '../shared/place-address.ts';
import { SearchBox } from '../shared/search-box.ts';
import { parcelAt, pathOf, readLinked } from '../shared/subject.ts';
import type { Subject } from '../shared/subject.ts';
import { html, note, nothing, render } from '../shared/template.ts';
import type { Content, TemplateResult } from '../shared/template.ts';
import { tellUnread } from '../shared/unread.ts';
import { listOf } from './list.ts';
import { readMap } from './map.ts';

const AREAS = ['adresser', 'bbr', 'natur', 'dagi', 'stednavne', 'cvr', 'miljoe'];

interface Shown {
  readonly isExample: boolean;
  readonly named: Named;
  readonly name: string;
  readonly answer: AreaConditions;
  readonly facts: Facts;
  readonly askedAt: Date;
}

let key: HeldKey | null = null;
let search: SearchBox | null = null;
let shown: Shown | null = null;
/** null: not there yet. */
let map: (() => Content) | null = null;
const nextLook = turns();

function lookUp<Body>(path: string, signal?: AbortSignal): Promise<Reply<Body>> {
  return lookUpWith<Body>(key, path, { signal });
}

async function begin(): Promise<void> {
  installKeyboard();
  beginSpeaking(draw);
  const asker = await readAsker('Forhold', AREAS);
  show(byId('out'), !asker.canAsk);
  if (!asker.canAsk) return;
  key = asker.key;
  search = new SearchBox({
    ask: lookUp,
    onPlace: (place) => void atPlace(place, 'pushState'),
    onSubject: (subject) => {
      void ofSubject(subject, 'pushState');
      return null;
    },
  });
  window.addEventListener('popstate', () => void ofAddress());
  await ofAddress();
}

async function ofAddress(): Promise<void> {
  const isLatest = nextLook();
  const asked = askedIn(saidIn(window.location.hash));
  const isUnread = tellUnread(asked);
  const { subject, trouble } = await readLinked(lookUp, asked);
  if (!isLatest()) return;
  if (trouble !== '') fail(trouble);
  else if (subject !== null) await ofSubject(subject, 'replaceState');
  else if (asked.place !== null) await atPlace(asked.place, 'replaceState');
  else {
    take(null);
    if (!isUnread) await showExample(isLatest);
  }
}

/** Looks for which the example waits for every layer. */
const PATIENT_LOOKS = 20;

async function showExample(isLatest: () => boolean): Promise<void> {
  const place = examplePlace();
  if (place === null) return;
  byId('asking').textContent = t('Henter et eksempel …', 'Fetching an example …');
  const told = await onceStarted(
    async (waited) => {
      const status = await lookUpWith<Status>(null, 'v1/status');
      const isStarting =
        status.ok && status.body.lag.some(({ tilstand }) => tilstand === 'mangler');
      if (isStarting && waited < PATIENT_LOOKS) return null;
      const found = await parcelAt(lookUp, place);
      return found.ok ? found : null;
    },
    () => !isLatest(),
  );
  if (!isLatest()) return;
  byId('asking').textContent = '';
  if (told?.body) await ask(told.body, told.body.name, null);
}

/** A parcel that an address led to takes its place. */
type Step = 'pushState' | 'replaceState';

/** A parcel or property is asked about itself, anything else by the parcel that it lies on. */
async function ofSubject(subject: Subject, step: Step): Promise<void> {
  const { kind, name, place } = subject;
  if (kind === 'jordstykke' || kind === 'ejendom') await ask(subject, name, step);
  else if (place !== null) await atPlace(place, step);
  else fail(t('Stedet har intet punkt.', 'The place has no point.'));
}

async function atPlace(place: Place, step: Step): Promise<void> {
  const isLatest = nextLook();
  const told = await parcelAt(lookUp, place);
  if (!isLatest()) return;
  if (!told.ok) fail(told.message);
  else if (told.body === null)
    fail(t('Her er intet jordstykke med nummer.', 'There is no parcel with a number here.'));
  else await ask(told.body, told.body.name, step);
}

function fail(why: string): void {
  nextLook();
  byId('asking').textContent = '';
  say(byId('trouble'), why);
  take(null);
}

function take(taken: Shown | null): void {
  [shown, map] = [taken, null];
  draw();
}

/** `step` null: an example. */
async function ask(named: Named, name: string, step: Step | null): Promise<void> {
  const isLatest = nextLook();
  const isExample = step === null;
  const hash = hashOf(named);
  if (!isExample && hash !== window.location.hash) window.history[step](null, '', hash);
  say(byId('trouble'), '');
  show(byId('unread'), false);
  byId('asking').textContent = t('Spørger …', 'Asking …');
  const path = pathOf(named.id);
  const [told, parcels] = await Promise.all([
    lookUp<AreaConditions>(`v1/forhold/${named.kind}/${path}`),
    lookUp<Parcels>(`v1/matrikel/${named.kind}/${path}`),
  ]);
  if (!isLatest()) return;
  if (!isExample) search?.name(name);
  if (!told.ok) {
    fail(told.message);
    return;
  }
  byId('asking').textContent = '';
  const { body: answer, facts } = told;
  take({ isExample, named, name, answer, facts, askedAt: new Date() });
  if (!isExample) byId('svar').focus({ preventScroll: true });
  const drawn = await mapOf(parcels, answer.forhold);
  if (!isLatest()) return;
  map = drawn;
  draw();
}

async function mapOf(
  parcels: Reply<Parcels>,
  conditions: Conditions,
): Promise<(() => Content) | null> {
  if (!parcels.ok) {
    const none = t('Kortet kunne ikke tegnes', 'The map could not be drawn');
    return () => note(`${none}: ${parcels.message}`, 'notice warn');
  }
  const polygons = parcels.body.jordstykker.flatMap(({ geometri }) => geometri?.coordinates ?? []);
  if (polygons.length === 0) return null;
  return await readMap(polygons, layersOf(conditions), (path, options) =>
    lookUpWith(key, path, options),
  );
}

function hashOf(named: Named): string {
  return `#${partsOf({ place: null, named }).join('&')}`;
}

/** What lies on a part of the parcel is drawn; what covers it whole says nothing on a map. */
function layersOf(conditions: Conditions) {
  const isLine = (each: string) => LINE_KEYS.some((line) => line === each);
  return Object.entries(conditions).flatMap(([each, { beroert, andel, navn: name }]) =>
    beroert === true && andel !== null && andel < 0.999
      ? [{ layer: isLine(each) ? each : `forhold_${each}`, name }]
      : [],
  );
}

function draw(): void {
  show(byId('svar'), shown !== null);
  document.title = document.querySelector('title')?.dataset[language()] ?? '';
  if (shown === null) return;
  const { named, name } = shown;
  const title = named.kind === 'jordstykke' ? t(`Jordstykke ${name}`, `Parcel ${name}`) : name;
  document.title = `${title} · Geoopslag`;
  render(view(title, shown), byId('svar'));
}

function view(title: string, { isExample, named, answer, facts, askedAt }: Shown): TemplateResult {
  const { forhold: conditions, areal_m2: area, ejendom: property } = answer;
  const about = [
    area === null ? '' : `${decimal(area)} m²`,
    property?.egen_grund === false ? t('grunden, den står på', 'the ground that it stands on') : '',
    t('vejledende: registrene afgør', 'advisory: the registers decide'),
  ];
  const credits = new Set(Object.values(conditions).map(({ kilde }) => kilde.kreditering));
  const at = day(askedAt);
  const hash = hashOf(named);
  const link = new URL(hash, window.location.href).href;
  const example = html`<span class="badge">${t('Et eksempel', 'An example')}</span> `;
  return html`<h2>${isExample ? example : nothing}<span id="title">${title}</span></h2>
    ${note(about.filter((part) => part !== '').join(' · '))}
    <div class="buttons start no-print">
      <button type="button" id="share" @click=${() => copyText(link)}>
        ${t('Kopiér link', 'Copy a link')}
      </button>
      <button type="button" id="print" @click=${() => window.print()}>
        ${t('Udskriv', 'Print')}
      </button>
      <a href="kort${hash}">${t('Se det på kortet', 'See it on the map')}</a>
    </div>
    <pre class="wrap no-print" id="copy-text" hidden></pre>
    <div class="parts">
      <div id="list" class="conditions">${listOf(conditions)}</div>
      <figure id="map">${map?.()}</figure>
    </div>
    <p class="muted" id="facts">
      ${t('Spurgt', 'Asked')} ${at} · ${t('datageneration', 'data generation')}
      ${facts.generation ?? '–'} · ${t('Kilder', 'Sources')}:
      <span lang="da">${[...credits].join('; ')}</span> · ${window.location.host}
    </p>`;
}

void begin();
