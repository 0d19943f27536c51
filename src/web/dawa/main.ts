/** The door for clients of DAWA: try it, ask an old URL, see what to change. */
import './dawa.css';
import type { Session } from '../shared/account.ts';
import { copyText } from '../shared/copy.ts';
import { byId, byIdAs, h, installSkipLink, say, show } from '../shared/dom.ts';
import { HeldKey, mintSessionKey, mintTrialKey } from '../shared/held-key.ts';
import { chosenLanguage, onLanguage, speak, t } from '../shared/language.ts';
import { bearer } from '../shared/lookup.ts';
import { installSignOut, readSession } from '../shared/session.ts';
import { besideCaptured } from './captured.ts';
import type { Beside } from './captured.ts';
import { examplesFor } from './examples.ts';
import {
  alwaysNull,
  askedAtDoor,
  askedShort,
  entityAsked,
  refusedIn,
  urlsIn,
  withoutRefused,
} from './old-url.ts';

const DOOR = new URL('dawa', location.href).href;
const TRIAL = document.body.dataset['proeve'] ?? 'off';
const AREAS = ['adresser', 'bbr', 'dagi', 'stednavne', 'replikering'];
const LONGEST = 20_000;
const LONGEST_WAIT_S = 60;
const EXAMPLE = 'https://api.dataforsyningen.dk/postnumre?per_side=2';

interface Suggestion {
  readonly type: string;
  readonly tekst: string;
  readonly forslagstekst: string;
  readonly caretpos: number;
  readonly data: object;
}

const typed = byIdAs('typed', HTMLInputElement);
const old = byIdAs('old', HTMLInputElement);
let held: HeldKey | null = null;
let asking = new AbortController();

async function begin(): Promise<void> {
  installSkipLink();
  onLanguage(speak);
  speak(chosenLanguage());
  installSignOut();
  for (const { name, packages = '', code } of examplesFor(DOOR)) {
    byId('examples').append(
      h(
        'details',
        {},
        h('summary', {}, [name, packages].filter((text) => text !== '').join(': ')),
        h('pre', { class: 'scroll', tabindex: 0 }, h('code', {}, code)),
        h('button', { type: 'button', onclick: () => copyText(code) }, t('Kopiér', 'Copy')),
      ),
    );
  }
  old.value = EXAMPLE;
  typed.addEventListener('input', () => void suggest());
  byId('try-form').addEventListener('submit', (event) => event.preventDefault());
  byId('old-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void askOld();
  });
  byId('many-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void checkMany();
  });
  const session: Session | null = await readSession().catch(() => null);
  show(byId('sign-out'), session !== null);
  if (session !== null) held = new HeldKey(() => mintSessionKey('DAWA', 'test', AREAS));
  else if (TRIAL === 'on') held = new HeldKey(mintTrialKey);
  window.addEventListener('pagehide', () => held?.release());
  // The page arrives with an answer, where a visitor may ask at all.
  if (held !== null || TRIAL === 'open') await askOld();
}

/** How long an old URL may take to be answered. */
const ANSWER_MS = 30_000;

interface Answer {
  readonly isGood: boolean;
  /** A text where it is no JSON. */
  readonly body: unknown;
}

/** Of replication, what the data model says of the entity that is asked for. Throws where the door cannot be reached. */
async function askOnce(path: string): Promise<Answer> {
  const entity = entityAsked(path);
  if (entity === null) return await ask(path);
  const { isGood, body } = await ask('/replikering/datamodel');
  if (!isGood) return { isGood, body };
  const model = body as Readonly<Record<string, unknown>>;
  const found = model[entity];
  if (found !== undefined) return { isGood, body: { [entity]: found } };
  const told = t('Replikeres ikke her. Her er', 'Not replicated here. Here are');
  return { isGood: false, body: { details: `${told} ${Object.keys(model).join(', ')}` } };
}

/** Whatever it is, the door answers in DAWA's own form. Throws where it cannot be reached. */
async function ask(path: string, signal?: AbortSignal, waits = 5): Promise<Answer> {
  const secret = (await held?.secret()) ?? null;
  const response = await fetch(`${DOOR}${path}`, {
    credentials: 'omit',
    referrerPolicy: 'same-origin',
    headers: bearer(secret),
    signal: signal ?? AbortSignal.timeout(ANSWER_MS),
  });
  const [text, { headers, status, ok: isGood }] = [await response.text(), response];
  const waitS = Number(headers.get('retry-after') ?? Infinity);
  if (status === 429 && signal === undefined && waits > 0 && waitS <= LONGEST_WAIT_S) {
    await new Promise((done) => setTimeout(done, 1_000 * waitS));
    return await ask(path, signal, waits - 1);
  }
  const isJson = headers.get('content-type')?.includes('json') ?? false;
  return { isGood, body: isJson ? (JSON.parse(text) as unknown) : text };
}

async function suggest(): Promise<void> {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const q = typed.value;
  if (q.trim() === '') {
    byId('suggestions').replaceChildren();
    say(byId('try-note'), '');
    return;
  }
  const query = new URLSearchParams({ q, caretpos: String(typed.selectionStart ?? q.length) });
  try {
    const { isGood, body } = await ask(`/autocomplete?${query.toString()}`, signal);
    if (!isGood) say(byId('try-note'), refusedIn(body).join('; '));
    else draw(body as readonly Suggestion[]);
  } catch {
    if (!signal.aborted) say(byId('try-note'), unreachable());
  }
}

function draw(found: readonly Suggestion[]): void {
  say(
    byId('try-note'),
    found.length === 0 ? t('Ingen adresser begynder sådan.', 'No address begins like that.') : '',
  );
  byId('suggestions').replaceChildren(
    ...found.map((each) =>
      h(
        'li',
        {},
        h(
          'button',
          { type: 'button', class: 'quiet', onclick: () => choose(each) },
          each.forslagstekst,
        ),
      ),
    ),
  );
}

/** Typing goes on until an address is whole; each is shown as a program receives it. */
function choose(suggestion: Suggestion): void {
  typed.value = suggestion.tekst;
  typed.focus();
  typed.setSelectionRange(suggestion.caretpos, suggestion.caretpos);
  showJson(byId('chosen'), suggestion);
  if (suggestion.type !== 'adresse') void suggest();
}

async function askOld(): Promise<void> {
  const path = askedAtDoor(old.value);
  const note = byId('new-url');
  show(byId('answer'), false);
  show(byId('beside'), false);
  show(byId('always-null'), false);
  if (path === null) {
    say(
      note,
      t(
        'Det er ingen URL fra DAWA. Indsæt en, som dit program spørger med.',
        'That is no URL of DAWA. Paste one that your program asks.',
      ),
    );
    return;
  }
  say(note, `${DOOR}${path}`);
  try {
    const { isGood, body } = await askOnce(path);
    showJson(byId('answer'), body);
    const beside = isGood ? besideCaptured(path, body) : [];
    byId('members').replaceChildren(...beside.map(rowOf));
    show(byId('beside'), beside.length > 0);
    const unknown = isGood && beside.length === 0 ? alwaysNull(body) : [];
    const before = t('Null i dette svar', 'Null in this answer');
    say(byId('always-null'), unknown.length === 0 ? '' : `${before}: ${unknown.join(', ')}`);
  } catch {
    say(note, unreachable());
  }
}

const MOST_URLS = 200;

/** One after the other: each costs what it costs. */
async function checkMany(): Promise<void> {
  const urls = urlsIn(byIdAs('many', HTMLTextAreaElement).value, MOST_URLS);
  const list = byId('checked');
  list.replaceChildren();
  let good = 0;
  for (const [n, url] of urls.entries()) {
    say(byId('many-note'), `${n + 1} / ${urls.length}`);
    const { isGood, verdict, notes = [] } = await checked(url);
    if (isGood) good += 1;
    const told = [h('strong', {}, verdict), h('span', { class: 'muted' }, ` ${notes.join(', ')}`)];
    list.append(h('li', {}, h('code', {}, url), ' ', ...told));
  }
  const counted = t(
    `${good} af ${urls.length} besvares her.`,
    `${good} of ${urls.length} are answered here.`,
  );
  const isCut = urls.length === MOST_URLS;
  const cut = t(
    ` Kun de første ${MOST_URLS} er spurgt.`,
    ` Only the first ${MOST_URLS} were asked.`,
  );
  say(byId('many-note'), isCut ? counted + cut : counted);
}

interface Checked {
  readonly isGood: boolean;
  readonly verdict: string;
  /** What is null or empty in the answer. */
  readonly notes?: readonly string[];
}

/** Asked again without what is refused, until all that is refused is named. */
async function checked(url: string): Promise<Checked> {
  const path = askedAtDoor(url);
  if (path === null)
    return { isGood: false, verdict: t('er ingen URL fra DAWA', 'is no URL of DAWA') };
  const refused: string[] = [];
  const of = (notes: readonly string[]): Checked => {
    if (refused.length === 0) return { isGood: true, verdict: t('besvares', 'is answered'), notes };
    const verdict = `${t('afvises', 'is refused')}: ${refused.join('; ')}`;
    return { isGood: false, verdict, notes };
  };
  try {
    for (let next: string | null = askedShort(path); next !== null;) {
      const { isGood, body } = await askOnce(next);
      if (isGood) return of(notesOn(body));
      refused.push(...refusedIn(body));
      next = withoutRefused(next, body);
    }
    return of([]);
  } catch {
    return { isGood: false, verdict: unreachable() };
  }
}

function notesOn(body: unknown): readonly string[] {
  if (Array.isArray(body) && body.length === 0) return [t('tom liste', 'empty list')];
  const [first, ...others] = alwaysNull(body);
  return first === undefined ? [] : [`null: ${first}`, ...others];
}

const LONGEST_CELL = 80;

function rowOf({ member, was, value }: Beside): HTMLElement {
  const here = value === undefined ? t('mangler', 'missing') : JSON.stringify(value);
  const cut = here.length > LONGEST_CELL ? `${here.slice(0, LONGEST_CELL)}…` : here;
  const names = {
    ...{ text: t('tekst', 'text'), number: t('tal', 'number') },
    ...{ boolean: t('ja eller nej', 'yes or no'), numbers: t('tal i liste', 'numbers') },
  };
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, h('code', {}, member)),
    h('td', {}, names[was]),
    h('td', {}, h('code', {}, cut)),
  );
}

function showJson(where: HTMLElement, value: unknown): void {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  where.textContent = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…` : text;
  show(where, true);
}

function unreachable(): string {
  return t(
    'Døren svarer ikke. Log ind på Konto, eller prøv igen.',
    'The door does not answer. Sign in at Account, or try again.',
  );
}

void begin();
