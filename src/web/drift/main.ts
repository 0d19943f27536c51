/** The page's life: signing in, looking again, and doing what a button says. */
// The map's own, here because the styles of what is loaded later are not.
import 'ol/ol.css';
import './drift.css';
import {
  download,
  endSession,
  findSession,
  readBoard,
  readChanges,
  readDays,
  readHistory,
  readRuns,
  session,
} from './api.ts';
import { asking } from './acts.ts';
import { Refused, wordsOf } from '../shared/ask.ts';
import { changeItems } from './changes.ts';
import { createCompare } from './compare.ts';
import type { ComparePart } from './compare.ts';
import { daysPart } from './days.ts';
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { ageParts, layerItem, stateOf } from './layer.ts';
import { nightPart } from './night.ts';
import { toast } from '../shared/notices.ts';
import { actionItems, summary, worstFirst } from './summary.ts';
import { drawTrail, forgetTrail, installTrail } from './trail.ts';
import { nameLayers } from './words.ts';
import { clock } from '../shared/format.ts';
import { chosenLanguage, language, onLanguage, speak, t } from '../shared/language.ts';
import type { Language } from '../shared/language.ts';
import type { Acts, HistoryRead, RunList } from './shown.ts';
import type { Board, Changes, Day, Layer } from './types.ts';

/** Between two looks: while something runs, while nothing does, and after a failure. */
const LOOK_MS = { running: 1_500, idle: 5_000, trouble: 10_000 };
/** The days change slowly. */
const DAYS_MS = 5 * 60_000;

/** An open layer; null while it is fetched. */
interface Opened {
  runs: RunList | null;
  past: HistoryRead | null;
  /** The latest run that was known when they were fetched: another one, and they are fetched again. */
  latest: string;
  compare: ComparePart;
}

interface Shown {
  data: Board | null;
  /** When it was read; null: not yet. */
  readAt: Date | null;
  changes: Changes | null;
  changesDrawn: string;
  days: readonly Day[] | null;
  daysAskedMs: number;
  readonly open: Map<string, Opened>;
  readonly drawn: Map<string, { readonly state: string; readonly item: HTMLElement }>;
}

const board: Shown = {
  data: null,
  readAt: null,
  changes: null,
  changesDrawn: '',
  days: null,
  daysAskedMs: -DAYS_MS,
  open: new Map(),
  drawn: new Map(),
};
const phone = matchMedia('(max-width: 640px)');
let timer: ReturnType<typeof setTimeout> | undefined;
/** Looks are numbered: the answer of one that was overtaken is not drawn. */
let looks = 0;

async function look(): Promise<void> {
  clearTimeout(timer);
  looks += 1;
  const number = looks;
  let next = LOOK_MS.trouble;
  try {
    const data = await readBoard();
    const changes = await readChanges();
    if (number !== looks) return;
    board.data = data;
    board.changes = changes;
    board.readAt = new Date();
    draw(data, changes);
    renewOpen(data);
    if (performance.now() - board.daysAskedMs >= DAYS_MS) void loadDays();
    sayWhenRead();
    show(byId('trouble'), false);
    byId('board').classList.remove('old');
    next = data.lag.some(({ koerer }) => koerer !== null) ? LOOK_MS.running : LOOK_MS.idle;
  } catch (error) {
    if (number !== looks) return;
    if (!explain(error)) return;
  }
  if (!document.hidden) timer = setTimeout(() => void look(), next);
}

function sayWhenRead(): void {
  const { readAt } = board;
  byId('updated').textContent =
    readAt === null ? '' : `${t('Opdateret kl.', 'Updated at')} ${clock(readAt)}`;
}

/** Shows why there is nothing new. Whether it is worth looking again. */
function explain(error: unknown): boolean {
  show(byId('loading'), false);
  if (error instanceof Refused && error.status === 403) {
    stage('off');
    return false;
  }
  if (error instanceof Refused && error.status === 401) {
    const wrong = error.code === 'operator_token_invalid';
    session.end();
    stage('sign-in');
    say(byId('sign-in-error'), wrong ? error.message : '');
    byId('token').focus();
    return false;
  }
  const known = board.data !== null;
  say(
    byId('trouble'),
    [
      wordsOf(error),
      known ? t('Nedenfor står det senest kendte.', 'What was last known is shown below.') : '',
      t('Prøver igen.', 'Trying again.'),
    ].join(' '),
  );
  byId('board').classList.toggle('old', known);
  return true;
}

function stage(name: 'sign-in' | 'off' | 'board'): void {
  for (const id of ['sign-in', 'off', 'board']) show(byId(id), id === name);
  show(byId('session'), name === 'board');
  show(byId('loading'), false);
  if (name !== 'board') show(byId('trouble'), false);
}

function draw(data: Board, changes: Changes | null): void {
  stage('board');
  nameLayers(data.lag);
  byId('summary').replaceChildren(...summary(data));
  if (changes !== null) drawChanges(changes);
  drawLayers(data);
  const night = nightPart(data.lag, Date.parse(data.tidspunkt));
  byId('night-parts').replaceChildren(...night);
  show(byId('night'), night.length > 0);
  byId('action-list').replaceChildren(...actionItems(data.handlinger.slice(0, 8)));
  show(byId('actions'), data.handlinger.length > 0);
}

/** Drawn anew when something is new, or the time left is another in words. */
function drawChanges(changes: Changes): void {
  const minute = Math.floor(Date.parse(changes.tidspunkt) / 60_000);
  const state = JSON.stringify([changes.varsler, minute]);
  if (state === board.changesDrawn) return;
  const focused = document.activeElement?.getAttribute('data-key');
  board.changesDrawn = state;
  const { soon, later } = changeItems(changes, act);
  show(byId('changes'), soon.length > 0);
  show(byId('later-changes'), later.length > 0);
  byId('later-title').textContent = t(
    `Varslede ændringer om mere end 90 dage (${later.length})`,
    `Announced changes in more than 90 days (${later.length})`,
  );
  byId('change-list').replaceChildren(...soon);
  byId('later-list').replaceChildren(...later);
  focusAgain(byId('board'), focused);
}

/** Redraws only what changed, so focus, scroll and open tables stay. */
function drawLayers({ lag, kan, tidspunkt }: Board): void {
  const layers = worstFirst(lag);
  const context = { can: kan, now: Date.parse(tidspunkt), narrow: phone.matches, act };
  const focused = document.activeElement?.getAttribute('data-key');
  const items = layers.map((layer) => {
    const opened = board.open.get(layer.lag);
    const { alder_s: _age, ...lasting } = layer;
    const state = JSON.stringify([
      lasting,
      opened === undefined ? null : [opened.runs, opened.past],
      context.can,
      context.narrow,
      isRecent(layer, context.now),
      language(),
    ]);
    const known = board.drawn.get(layer.lag);
    if (known?.state === state) {
      known.item.querySelector('.age')?.replaceChildren(...ageParts(layer));
      return known.item;
    }
    const open = opened !== undefined;
    const item = layerItem(layer, {
      ...context,
      open,
      runs: opened?.runs ?? null,
      past: opened?.past ?? null,
      compare: opened?.compare.element ?? null,
    });
    board.drawn.set(layer.lag, { state, item });
    return item;
  });
  const isFolded = layers.map((layer) => isFreshCondition(layer));
  const folded = items.filter((_item, at) => isFolded[at]);
  show(byId('fresh-conditions'), folded.length > 0);
  byId('fresh-title').textContent = t(
    `${folded.length} forhold, som er friske`,
    `${folded.length} conditions that are fresh`,
  );
  place(
    'layers',
    items.filter((_item, at) => !isFolded[at]),
  );
  place('fresh-layers', folded);
  focusAgain(byId('board'), focused);
}

/** Thirty layers of one kind: those that need nothing are folded. */
function isFreshCondition(layer: Layer): boolean {
  return layer.lag.startsWith('forhold_') && stateOf(layer) === 'frisk';
}

function place(id: string, items: readonly HTMLElement[]): void {
  const list = byId(id);
  const isSame =
    list.children.length === items.length &&
    items.every((item, index) => list.children[index] === item);
  if (!isSame) list.replaceChildren(...items);
}

function focusAgain(place: HTMLElement, key: string | null | undefined): void {
  if (key === null || key === undefined) return;
  place.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus({ preventScroll: true });
}

/** The age in words of a recent fallback moves on its own, a minute at a time. */
function isRecent({ seneste_noedsvar: last }: Layer, now: number): number | null {
  return last === null ? null : Math.floor((now - Date.parse(last.tidspunkt)) / 30_000);
}

const act: Acts = {
  ...asking(attempt),
  download: (layer) => attempt(() => download(layer.lag)),
  toggle: (layer) => {
    const wasOpen = board.open.delete(layer.lag);
    if (!wasOpen) {
      const compare = createCompare(layer);
      board.open.set(layer.lag, { runs: null, past: null, latest: latestOf(layer), compare });
    }
    redraw();
    if (!wasOpen) loadPast(layer.lag);
  },
  more: (layer) => loadRuns(layer.lag, board.open.get(layer.lag)?.runs?.next ?? null),
};

/** Draws what is known, with other layers open. */
function redraw(): void {
  if (board.data !== null) draw(board.data, null);
}

/** What tells that a layer has gone through something new. */
function latestOf({ koersler: [latest] }: Layer): string {
  return latest === undefined ? '' : `${latest.id} ${latest.tilstand}`;
}

function renewOpen({ lag }: Board): void {
  for (const layer of lag) {
    const opened = board.open.get(layer.lag);
    if (opened === undefined || opened.latest === latestOf(layer)) continue;
    opened.latest = latestOf(layer);
    loadPast(layer.lag);
  }
}

function loadPast(layer: string): void {
  void loadRuns(layer, null);
  void loadHistory(layer);
}

async function loadHistory(layer: string): Promise<void> {
  const past: HistoryRead = await readHistory(layer).then(
    (history) => ({ history, error: null }),
    (error: unknown) => ({ history: null, error: wordsOf(error) }),
  );
  const opened = board.open.get(layer);
  if (opened === undefined) return;
  opened.past = past;
  if (past.history !== null) opened.compare.setVersions(past.history.kan_sammenlignes);
  redraw();
}

/** A failure is said in its place, and tried again with the next look. */
async function loadDays(): Promise<void> {
  board.daysAskedMs = performance.now();
  const parts = await readDays().then(
    (days) => {
      board.days = days;
      return daysPart(days);
    },
    (error: unknown) => {
      board.daysAskedMs = -DAYS_MS;
      return [h('p', { class: 'notice bad' }, wordsOf(error))];
    },
  );
  // Who has left meanwhile sees nothing of it.
  if (board.data !== null) byId('day-parts').replaceChildren(...parts);
}

async function loadRuns(layer: string, before: string | null): Promise<void> {
  const known = before === null ? [] : (board.open.get(layer)?.runs?.list ?? []);
  const got: RunList = await readRuns(layer, before).then(
    ({ koersler, naeste, ulaeste }) => ({
      list: [...known, ...koersler],
      unread: ulaeste,
      next: naeste,
      error: null,
    }),
    (error: unknown) => ({ list: [], unread: [], next: null, error: wordsOf(error) }),
  );
  const opened = board.open.get(layer);
  if (opened === undefined) return;
  opened.runs = got;
  redraw();
}

async function attempt(deed: () => Promise<void>): Promise<void> {
  try {
    await deed();
  } catch (error) {
    toast(wordsOf(error), 'bad');
  }
  await look();
  for (const layer of board.open.keys()) loadPast(layer);
}

byId('sign-in-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const field = byIdAs('token', HTMLInputElement);
  const token = field.value.trim();
  field.value = '';
  if (token === '' || !/^[\x21-\x7e]+$/.test(token)) {
    say(
      byId('sign-in-error'),
      t(
        'En driftsnøgle har ingen mellemrum eller særtegn.',
        'An operator key has no spaces and no special characters.',
      ),
    );
    return;
  }
  session.begin(token, byIdAs('who', HTMLInputElement).value.trim());
  say(byId('sign-in-error'), '');
  void look().then(() => {
    // The form has gone; the keyboard goes on where the layers begin.
    if (session.token !== null) byId('indhold').focus({ preventScroll: true });
  });
});

byId('sign-out').addEventListener('click', () => void leave());

async function leave(): Promise<void> {
  looks += 1;
  clearTimeout(timer);
  session.end();
  await endSession().catch((error: unknown) => toast(wordsOf(error), 'bad'));
  board.data = null;
  board.readAt = null;
  board.changes = null;
  board.days = null;
  board.open.clear();
  board.drawn.clear();
  board.changesDrawn = '';
  board.daysAskedMs = -DAYS_MS;
  forgetTrail();
  byId('day-parts').replaceChildren();
  for (const id of ['layers', 'fresh-layers']) byId(id).replaceChildren();
  stage(document.body.dataset['drift'] === 'off' ? 'off' : 'sign-in');
  byId('token').focus();
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer);
  if (!document.hidden && !byId('session').hidden) void look();
});

phone.addEventListener('change', redraw);

onLanguage(speakAs);

/** Everything that is shown is said anew; two versions that were compared are asked for again. */
function speakAs(chosen: Language): void {
  speak(chosen);
  if (board.data === null) return;
  for (const layer of board.data.lag) {
    const opened = board.open.get(layer.lag);
    if (opened === undefined) continue;
    opened.compare = createCompare(layer);
    opened.compare.setVersions(opened.past?.history?.kan_sammenlignes ?? []);
  }
  board.changesDrawn = '';
  draw(board.data, board.changes);
  if (board.days !== null) byId('day-parts').replaceChildren(...daysPart(board.days));
  drawTrail();
  sayWhenRead();
  // What the service said, it says in the other language when it is asked again.
  void look();
}

installTrail();
speak(chosenLanguage());
void begin();

/** An operator who is signed in needs no token. */
async function begin(): Promise<void> {
  show(byId('loading'), true);
  if (session.token !== null || (await findSession().catch(() => false))) await look();
  else stage(document.body.dataset['drift'] === 'off' ? 'off' : 'sign-in');
}
