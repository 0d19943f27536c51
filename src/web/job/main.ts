import './job.css';
import { Refused, wordsOf } from '../shared/ask.ts';
import { byId, installKeyboard, keepFocus, say, show } from '../shared/dom.ts';
import { badNotice, html, nothing, render } from '../shared/html.ts';
import { beginSpeaking } from '../shared/language.ts';
import type * as Example from './example.ts';
import { installSignOut, readSession } from '../shared/session.ts';
import { comeBackFrom } from '../shared/way-back.ts';
import { readState, writeState } from './address-bar.ts';
import { onSignedOut, releaseKeys } from './api.ts';
import { onDraw } from './draw.ts';
import { Intake } from './intake.ts';
import { JobList } from './list.ts';
import { Panel } from './panel.ts';

/** Written by the page itself: no other job is meant. */
let written = window.location.hash;

let example: Promise<typeof Example> | null = null;

/** What no part of the page says. */
let trouble = '';

const list = new JobList();
const panel = new Panel({
  onOpen: (shown) => {
    const state = readState(written);
    written = writeState(shown ?? { ...state, job: null, sent: null });
    if (written === window.location.hash) return;
    window.history.replaceState(null, '', `${window.location.pathname}${written}`);
  },
  onChange: () => void list.show(),
});
const intake = new Intake((ready) => {
  void list.show(ready.environment);
  void panel.send(ready);
});

async function begin(): Promise<void> {
  beginSpeaking(drawAll);
  const signedIn = await readSession().catch(wordsOf);
  if (signedIn === null || typeof signedIn === 'string') {
    leave(signedIn ?? '');
    return;
  }
  for (const id of ['board', 'sign-out']) show(byId(id), true);
  onSignedOut(leave);
  panel.begin();
  draw();
  const { environment } = readState(window.location.hash);
  await Promise.all([list.show(environment), openJob()]);
}

async function openJob(): Promise<void> {
  const { job, environment, sent } = readState(window.location.hash);
  written = window.location.hash;
  if (job !== null) await panel.open(environment, job, sent);
}

function leave(why: string): void {
  show(byId('board'), false);
  show(byId('out'), true);
  show(byId('sign-out'), false);
  show(byId('to-account'), true);
  say(byId('out-error'), why);
  if (why !== '') byId('indhold').focus();
  if (example !== null) return;
  example = import('./example.ts');
  example.then(
    ({ beginExample }) => beginExample(),
    () => undefined,
  );
}

/** Where the button with the focus is gone, the one in its place has it. */
function draw(): void {
  const board = byId('board');
  if (board.hidden) return;
  const held = document.activeElement;
  const place = held?.parentElement;
  const given = list.isForbidden ? nothing : intake.view();
  render(html`${badNotice(trouble)} ${panel.view()} ${given} ${list.view()}`, board);
  const next = place?.querySelector('button');
  if (held?.isConnected === false && next?.isConnected === true) keepFocus(null, next);
}

function drawAll(): void {
  draw();
  void example?.then(({ drawExample }) => drawExample());
}

onDraw(draw);
installKeyboard();
comeBackFrom('job');
installSignOut();
// A job of the list is an address of this page.
window.addEventListener('hashchange', () => {
  const { hash } = window.location;
  if (hash === written) return;
  if (readState(hash).job === null) panel.close();
  else void openJob();
});
window.addEventListener('pagehide', releaseKeys);
/** A file dropped beside the field must not take the page's place. */
for (const name of ['dragover', 'drop'] as const) {
  window.addEventListener(name, (event) => event.preventDefault());
}
window.addEventListener('unhandledrejection', (event) => {
  if (!(event.reason instanceof Refused)) return;
  trouble = event.reason.message;
  draw();
});

void begin();
