import './dawa.css';
import { readAsker } from '../shared/asker.ts';
import { copyText } from '../shared/copy.ts';
import { byId, byIdAs, installKeyboard } from '../shared/dom.ts';
import { button, html, note, nothing, render, rowsTable, scrolledPart } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { beginSpeaking, t } from '../shared/language.ts';
import { bearer } from '../shared/lookup.ts';
import { Refused, TYPING_MS } from '../shared/ask.ts';
import { SHOWN_BYTES, blobOf } from '../shared/keep-file.ts';
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

interface Checked {
  readonly isGood: boolean;
  readonly verdict: string;
  /** What is null or empty in the answer. */
  readonly notes?: readonly string[];
}

const typed = byIdAs('typed', HTMLInputElement);
const old = byIdAs('old', HTMLInputElement);
/** What is typed at once waits for it. */
const asker = readAsker('DAWA', AREAS);
let asking = new AbortController();

let answered: { readonly said: string; readonly path?: string; readonly answer?: Answer } = {
  said: '',
};
let tried: {
  readonly said: string;
  readonly found: readonly Suggestion[];
  readonly chosen?: Suggestion;
} = { said: '', found: [] };
let checked: { readonly said: string; readonly urls: readonly (Checked & { url: string })[] } = {
  ...{ said: '', urls: [] },
};

async function begin(): Promise<void> {
  installKeyboard();
  beginSpeaking(draw);
  old.value = EXAMPLE;
  typed.addEventListener('input', () => void suggest(TYPING_MS));
  byId('try-form').parentElement?.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && tried.found.length > 0) closeSuggestions();
  });
  const onSubmit = (id: string, deed: () => unknown) =>
    byId(id).addEventListener('submit', (event) => {
      event.preventDefault();
      deed();
    });
  onSubmit('try-form', () => undefined);
  onSubmit('old-form', askOld);
  onSubmit('many-form', checkMany);
  if ((await asker).canAsk) await askOld();
}

function draw(): void {
  render(answerView(), byId('old-answer'));
  render(triedView(), byId('found'));
  render(checkedView(), byId('checked'));
  render(examplesFor(DOOR).map(exampleView), byId('examples'));
}

function exampleView({ name, packages, code }: ReturnType<typeof examplesFor>[number]) {
  return html`<details>
    <summary>${name}${packages === undefined ? '' : `: ${packages}`}</summary>
    <pre class="scroll" tabindex="0"><code>${code}</code></pre>
    ${button(t('Kopiér', 'Copy'), () => copyText(code))}
  </details>`;
}

const ANSWER_MS = 30_000;

interface Answer {
  readonly isGood: boolean;
  /** A text where it is no JSON. */
  readonly body: unknown;
}

const NOTHING: Answer = { isGood: true, body: [] };

/**
 * Of replication, what the data model says of the entity. Throws where the door cannot be reached.
 */
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

/** Answered in DAWA's own form, always. Throws where the door cannot be reached. */
async function ask(path: string, signal?: AbortSignal, waits = 5): Promise<Answer> {
  const { key } = await asker;
  const secret = key === null ? null : await key.secret();
  const response = await fetch(`${DOOR}${path}`, {
    credentials: 'omit',
    referrerPolicy: 'same-origin',
    headers: bearer(secret),
    signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(ANSWER_MS)]),
  });
  const { headers, status, ok: isGood } = response;
  const text = await (await blobOf(response, SHOWN_BYTES)).text();
  const waitS = Number(headers.get('retry-after') ?? Infinity);
  if (status === 429 && signal === undefined && waits > 0 && waitS <= LONGEST_WAIT_S) {
    await new Promise((done) => setTimeout(done, 1_000 * waitS));
    return await ask(path, signal, waits - 1);
  }
  const isJson = headers.get('content-type')?.includes('json') ?? false;
  return { isGood, body: isJson ? (JSON.parse(text) as unknown) : text };
}

async function suggest(pauseMs = 0): Promise<void> {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const q = typed.value;
  const isEmpty = q.trim() === '';
  const query = new URLSearchParams({ q, caretpos: String(typed.selectionStart ?? q.length) });
  try {
    if (!isEmpty) await new Promise((done) => setTimeout(done, pauseMs));
    signal.throwIfAborted();
    const { isGood, body } = isEmpty ? NOTHING : await ask(`/autocomplete?${query}`, signal);
    const found = isGood ? (body as readonly Suggestion[]) : [];
    const none = t('Ingen adresser begynder sådan.', 'No address begins like that.');
    const said = isGood ? (isEmpty || found.length > 0 ? '' : none) : refusedIn(body).join('; ');
    tried = isGood ? { ...tried, found, said } : { found, said };
  } catch (error) {
    if (signal.aborted) return;
    // What was answered before is no answer to what is typed now.
    tried = { found: [], said: whyNot(error) };
  }
  draw();
}

function closeSuggestions(): void {
  asking.abort();
  tried = { ...tried, found: [], said: '' };
  typed.focus();
  draw();
}

/** Typing goes on until an address is whole. */
function choose(chosen: Suggestion): void {
  typed.value = chosen.tekst;
  typed.focus();
  typed.setSelectionRange(chosen.caretpos, chosen.caretpos);
  tried = { ...tried, chosen };
  draw();
  if (chosen.type !== 'adresse') void suggest();
}

function triedView(): TemplateResult {
  const { said, found, chosen } = tried;
  return html`<ul class="suggestions">
      ${found.map(
        (each) => html`<li>${button(each.forslagstekst, () => choose(each), 'quiet')}</li>`,
      )}
    </ul>
    <p class="muted" role="status">${said}</p>
    ${chosen === undefined ? nothing : jsonView('chosen', chosen)}`;
}

async function askOld(): Promise<void> {
  const path = askedAtDoor(old.value);
  const unfit = t(
    'Det er ingen URL fra DAWA. Indsæt en, som dit program spørger med.',
    'That is no URL of DAWA. Paste one that your program asks.',
  );
  answered = { said: path === null ? unfit : `${DOOR}${path}` };
  draw();
  if (path === null) return;
  try {
    answered = { ...answered, path, answer: await askOnce(path) };
  } catch (error) {
    answered = { said: whyNot(error) };
  }
  draw();
}

function answerView(): TemplateResult {
  const { said, path = '', answer } = answered;
  return html`<p id="new-url" class="muted" role="status">${said}</p>
    ${answer === undefined ? nothing : jsonView('answer', answer.body)}
    ${answer?.isGood === true ? comparedView(path, answer.body) : nothing}`;
}

function comparedView(path: string, body: unknown): Content {
  const beside = besideCaptured(path, body);
  if (beside.length > 0) {
    const name = t(
      'Ved siden af det, DAWA svarede: af en liste den første',
      'Beside what DAWA answered: of a list the first',
    );
    const head = [t('Felt', 'Member'), t('I DAWA', 'In DAWA'), t('Her', 'Here')];
    return html`${note(name)}${scrolledPart(name, rowsTable({ head, rows: beside.map(cellsOf) }))}`;
  }
  const unknown = alwaysNull(body);
  if (unknown.length === 0) return nothing;
  return note(`${t('Null i dette svar', 'Null in this answer')}: ${unknown.join(', ')}`);
}

const MOST_URLS = 200;

/** One after the other: each costs what it costs. */
async function checkMany(): Promise<void> {
  const urls = urlsIn(byIdAs('many', HTMLTextAreaElement).value, MOST_URLS);
  const all = urls.length;
  checked = { said: '', urls: [] };
  for (const [n, url] of urls.entries()) {
    checked = { ...checked, said: `${n + 1} / ${all}` };
    draw();
    checked = { ...checked, urls: [...checked.urls, { url, ...(await check(url)) }] };
  }
  const good = checked.urls.filter(({ isGood }) => isGood).length;
  const counted = t(`${good} af ${all} besvares her.`, `${good} of ${all} are answered here.`);
  const cut = t(
    ` Kun de første ${MOST_URLS} er spurgt.`,
    ` Only the first ${MOST_URLS} were asked.`,
  );
  checked = { ...checked, said: all === MOST_URLS ? counted + cut : counted };
  draw();
}

function checkedView(): TemplateResult {
  return html`<p class="muted" role="status">${checked.said}</p>
    <ol>
      ${checked.urls.map(
        ({ url, verdict, notes = [] }) =>
          html`<li>
            <code>${url}</code> <strong>${verdict}</strong>
            <span class="muted">${notes.join(', ')}</span>
          </li>`,
      )}
    </ol>`;
}

/** Asked again without what is refused, until all that is refused is named. */
async function check(url: string): Promise<Checked> {
  const path = askedAtDoor(url);
  if (path === null)
    return { isGood: false, verdict: t('er ingen URL fra DAWA', 'is no URL of DAWA') };
  const refused: string[] = [];
  let notes: readonly string[] = [];
  try {
    for (let next: string | null = askedShort(path); next !== null;) {
      const { isGood, body } = await askOnce(next);
      if (isGood) notes = notesOn(body);
      else refused.push(...refusedIn(body));
      next = isGood ? null : withoutRefused(next, body);
    }
  } catch (error) {
    return { isGood: false, verdict: whyNot(error) };
  }
  const isGood = refused.length === 0;
  const why = `${t('afvises', 'is refused')}: ${refused.join('; ')}`;
  return { isGood, verdict: isGood ? t('besvares', 'is answered') : why, notes };
}

function notesOn(body: unknown): readonly string[] {
  if (Array.isArray(body) && body.length === 0) return [t('tom liste', 'empty list')];
  const [first, ...others] = alwaysNull(body);
  return first === undefined ? [] : [`null: ${first}`, ...others];
}

const LONGEST_CELL = 80;

function cellsOf({ member, was, value }: Beside): readonly Content[] {
  const here = value === undefined ? t('mangler', 'missing') : JSON.stringify(value);
  const cut = here.length > LONGEST_CELL ? `${here.slice(0, LONGEST_CELL)}…` : here;
  const names = {
    ...{ text: t('tekst', 'text'), number: t('tal', 'number') },
    ...{ boolean: t('ja eller nej', 'yes or no'), numbers: t('tal i liste', 'numbers') },
  };
  return [html`<code>${member}</code>`, names[was], html`<code>${cut}</code>`];
}

function jsonView(id: string, value: unknown): TemplateResult {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…` : text;
  return html`<pre id=${id} class="scroll" tabindex="0">${cut}</pre>`;
}

function whyNot(error: unknown): string {
  if (error instanceof Refused && error.code === 'too_large') return error.message;
  return t(
    'Døren svarer ikke. Log ind på Konto, eller prøv igen.',
    'The door does not answer. Sign in at Account, or try again.',
  );
}

void begin();
