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
import { Refused, turns, wordsOf } from '../shared/ask.ts';
import { boardView } from './board.ts';
import { noComparison } from './compare.ts';
import { byId, byIdAs, installKeyboard, say, show } from '../shared/dom.ts';
import { render } from '../shared/html.ts';
import { toast } from '../shared/notices.ts';
import { forgetTrail } from './trail.ts';
import { nameLayers } from './words.ts';
import { clock } from '../shared/format.ts';
import { chosenLanguage, onLanguage, speak, speakOfFields, t } from '../shared/language.ts';
import type { Acts, Opened, RunList } from './shown.ts';
import type { Board, Changes, Day, Layer } from './types.ts';

/** Between two looks. */
const LOOK_MS = { running: 1_500, idle: 5_000, trouble: 10_000 };
const DAYS_MS = 5 * 60_000;

interface Known {
  data: Board | null;
  /** null: not read yet. */
  readAt: Date | null;
  changes: Changes | null;
  days: readonly Day[] | string | null;
  daysAskedMs: number;
}

const NOTHING: Known = {
  ...{ data: null, readAt: null, changes: null, days: null },
  daysAskedMs: -DAYS_MS,
};
let known = NOTHING;
const open = new Map<string, Opened>();
// WCAG 2.2.2.
const pause = byId('pause');
const phone = matchMedia('(max-width: 640px)');
let timer: ReturnType<typeof setTimeout> | undefined;
const nextLook = turns();

async function look(): Promise<void> {
  clearTimeout(timer);
  const isLatest = nextLook();
  let next = LOOK_MS.trouble;
  try {
    const data = await readBoard();
    const changes = await readChanges();
    if (!isLatest()) return;
    known = { ...known, data, changes, readAt: new Date() };
    nameLayers(data.lag);
    stage('board');
    redraw();
    renewOpen(data);
    if (performance.now() - known.daysAskedMs >= DAYS_MS) void loadDays();
    show(byId('trouble'), false);
    byId('board').classList.remove('old');
    next = data.lag.some(({ koerer }) => koerer !== null) ? LOOK_MS.running : LOOK_MS.idle;
  } catch (error) {
    if (!isLatest()) return;
    if (!explain(error)) return;
  }
  if (!document.hidden && pause.ariaPressed !== 'true') timer = setTimeout(() => void look(), next);
}

/** Returns whether it is worth looking again. */
function explain(error: unknown): boolean {
  if (error instanceof Refused && error.status === 403) {
    stage('off');
    return false;
  }
  if (error instanceof Refused && error.status === 401) {
    forget();
    stage('sign-in');
    say(byId('sign-in-error'), error.message);
    byId('token').focus();
    return false;
  }
  show(byId('loading'), false);
  const isKnown = known.data !== null;
  const last = t('Nedenfor står det senest kendte.', 'What was last known is shown below.');
  const again = t('Prøver igen.', 'Trying again.');
  say(byId('trouble'), [wordsOf(error), isKnown ? last : '', again].join(' '));
  byId('board').classList.toggle('old', isKnown);
  return true;
}

function stage(name: 'sign-in' | 'off' | 'board'): void {
  for (const id of ['sign-in', 'off', 'board']) show(byId(id), id === name);
  show(byId('session'), name === 'board');
  show(byId('loading'), false);
  if (name !== 'board') show(byId('trouble'), false);
}

/** The focus stays, also where its layer has moved. */
function redraw(): void {
  const { data, readAt } = known;
  const place = byId('board');
  const held = document.activeElement;
  const name = held?.getAttribute('data-key') ?? held?.id ?? '';
  if (data === null) render(null, place);
  else render(boardView({ ...known, data, open, narrow: phone.matches }, act), place);
  byId('updated').textContent =
    readAt === null ? '' : `${t('Opdateret kl.', 'Updated at')} ${clock(readAt)}`;
  if (name === '' || held === document.activeElement) return;
  const again = place.querySelector<HTMLElement>(`[data-key="${name}"], [id="${name}"]`);
  again?.focus({ preventScroll: true });
}

const act: Acts = {
  ...asking(attempt),
  redraw,
  download: (layer) => attempt(() => download(layer.lag)),
  toggle: (layer) => {
    const wasOpen = open.delete(layer.lag);
    if (!wasOpen) {
      const comparison = noComparison();
      open.set(layer.lag, { runs: null, past: null, latest: latestOf(layer), comparison });
    }
    redraw();
    if (!wasOpen) loadPast(layer.lag);
  },
  more: (layer) => loadRuns(layer.lag, open.get(layer.lag)?.runs?.next ?? null),
};

/** Changes when the layer has gone through something new. */
function latestOf({ koersler: [latest] }: Layer): string {
  return latest === undefined ? '' : `${latest.id} ${latest.tilstand}`;
}

function renewOpen({ lag }: Board): void {
  for (const layer of lag) {
    const opened = open.get(layer.lag);
    if (opened === undefined || opened.latest === latestOf(layer)) continue;
    opened.latest = latestOf(layer);
    loadPast(layer.lag);
  }
}

function loadPast(layer: string): void {
  void loadRuns(layer, null);
  void readHistory(layer)
    .catch(wordsOf)
    .then((past) => keep(layer, { past, ...(typeof past === 'string' && { latest: '' }) }));
}

/** A failure is tried again with the next look. */
function keep(layer: string, got: Partial<Opened>): void {
  const opened = open.get(layer);
  if (opened === undefined) return;
  Object.assign(opened, got);
  redraw();
}

async function loadRuns(layer: string, before: string | null): Promise<void> {
  const earlier = before === null ? [] : (open.get(layer)?.runs?.list ?? []);
  const runs: RunList = await readRuns(layer, before).then(
    ({ koersler, naeste, ulaeste }) => ({
      list: [...earlier, ...koersler],
      unread: ulaeste,
      next: naeste,
      error: null,
    }),
    (error: unknown) => ({ list: [], unread: [], next: null, error: wordsOf(error) }),
  );
  keep(layer, { runs, ...(runs.error !== null && { latest: '' }) });
}

async function loadDays(): Promise<void> {
  known = { ...known, daysAskedMs: performance.now() };
  const days = await readDays().catch(wordsOf);
  // Signed out meanwhile.
  if (known.data === null) return;
  known = { ...known, days, ...(typeof days === 'string' && { daysAskedMs: -DAYS_MS }) };
  redraw();
}

async function attempt(deed: () => Promise<void>): Promise<void> {
  try {
    await deed();
  } catch (error) {
    toast(wordsOf(error), 'bad');
  }
  await look();
  for (const layer of open.keys()) loadPast(layer);
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
    // The form has gone: the focus goes on to the layers.
    if (session.token !== null) byId('indhold').focus({ preventScroll: true });
  });
});

pause.addEventListener('click', () => {
  pause.ariaPressed = String(pause.ariaPressed !== 'true');
  void look();
});

byId('sign-out').addEventListener('click', () => void leave());

async function leave(): Promise<void> {
  clearTimeout(timer);
  try {
    await endSession();
  } catch (error) {
    // The session may go on.
    toast(wordsOf(error), 'bad');
    await look();
    return;
  }
  forget();
  askToSignIn();
  byId('token').focus();
}

function forget(): void {
  nextLook();
  session.end();
  known = NOTHING;
  open.clear();
  forgetTrail();
  redraw();
}

function askToSignIn(): void {
  stage(document.body.dataset['drift'] === 'off' ? 'off' : 'sign-in');
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer);
  if (!document.hidden && !byId('session').hidden) void look();
});

phone.addEventListener('change', redraw);

installKeyboard();
speakOfFields();
onLanguage((chosen) => {
  speak(chosen);
  redraw();
  // The service says it in the other language when asked again.
  if (known.data !== null) void look();
});

speak(chosenLanguage());
void begin();

async function begin(): Promise<void> {
  show(byId('loading'), true);
  if (session.token !== null || (await findSession().catch(() => false))) await look();
  else askToSignIn();
}
