/** The page's life: signing in with a link, looking at one's account, making, replacing, revoking keys. */
import './konto.css';
import { wordsOf } from '../shared/ask.ts';
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { chosenLanguage, onLanguage, speak } from '../shared/language.ts';
import type { Language } from '../shared/language.ts';
import { confirmed, toast } from '../shared/notices.ts';
import { readSession, signIn, signOut } from '../shared/session.ts';
import { takeWayBack } from '../shared/way-back.ts';
import { readKeys, readMe, readUsage, revokeKey, rotateKey } from './api.ts';
import type { Key, Me, MintedKey, Role, Usage } from './types.ts';
import { drawActs, forgetActs, installActs } from './acts.ts';
import { installBill } from './bill.ts';
import { isOfPage, keyItem, meter } from './keys.ts';
import { installMint } from './mint.ts';
import { drawPersons, forgetPersons, installPersons, showPersons } from './persons.ts';
import { drawSteps, forgetSteps, installSteps, showSteps } from './first-steps.ts';
import { installSignIn } from './sign-in.ts';
import { forgetSecret, installSecret, nameSecret, showSecret } from './secret.ts';
import { keepingFocus, onSignedOut, troubleOf } from './trouble.ts';
import { drawUse, forgetUse, installUse, showUse } from './use.ts';
import { drawWatches, forgetWatches, installWatches, showWatches } from './watches.ts';
import { drawWebhooks, forgetWebhooks, installWebhooks, showWebhooks } from './webhooks.ts';
import { TIER_WORDS, monthWords, quoted, words } from './words.ts';
import { number } from '../shared/format.ts';

/** What the plan allows. Only an operator changes plan and cap. */
function drawPlan({ account, limits }: Me): void {
  const said = words();
  const { units_per_month: units, ceiling_per_month: ceiling } = limits;
  const facts: readonly (readonly [string, string])[] = [
    [said.plan, TIER_WORDS[account.tier]],
    [said.unitsLive, number(units.live)],
    [said.unitsTest, number(units.test)],
    [said.overage, limits.overage ? said.overageYes : said.overageNo],
    [said.cap, `${number(ceiling.live)} ${said.capMeans}`],
    [
      said.pace,
      `${number(limits.requests_per_second)}, ${said.burst} ${number(limits.burst_requests)}`,
    ],
    [said.batches, limits.batches ? said.yes : said.no],
  ];
  byId('plan').replaceChildren(
    ...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}

interface Board {
  readonly me: Me;
  readonly usage: Usage;
  readonly keys: readonly Key[];
}

/** null: not signed in. */
let board: Board | null = null;

/** The link's token stands behind `#`; it leaves the address and the history at once. */
const link = window.location.hash.slice(1);
if (link !== '') window.history.replaceState(null, '', window.location.pathname);

/** A link opened where this page is open already loads nothing by itself. */
window.addEventListener('hashchange', () => {
  if (window.location.hash.length > 1) window.location.reload();
});

async function begin(): Promise<void> {
  speakAs(chosenLanguage());
  if (link !== '') {
    stage('link');
    byId('sign-in').focus();
    return;
  }
  show(byId('loading'), true);
  await look();
}

/** Reads all there is and draws it. What of it is read apart fails apart. */
async function look(): Promise<void> {
  try {
    if ((await readSession()) === null) {
      leave('');
      return;
    }
    const [me, usage, keys] = await Promise.all([readMe(), readUsage(), readKeys()]);
    board = { me, usage, keys };
    stage('board');
    draw(board);
    say(byId('trouble'), '');
    await Promise.all([
      ...[showUse(me, usage, keys), showWebhooks(), showWatches(me)],
      ...[showPersons(me), showSteps(board)],
    ]);
  } catch (error) {
    explain(error);
  }
}

function draw({ me, usage, keys }: Board): void {
  const { account, person } = me;
  byId('account-name').replaceChildren(h('bdi', {}, account.name));
  byId('account-about').textContent = `${person?.email ?? ''} · ${TIER_WORDS[account.tier]}`;
  const roles = person?.roles ?? [];
  const may = (role: Role) => roles.includes(role) || roles.includes('administers');
  show(byId('to-drift'), account.operator && may('administers'));
  for (const id of ['new-key', 'new-hook', 'new-watch']) show(byId(id), may('uses'));
  show(byId('bill-part'), may('pays'));
  const { usageIn, live, test, endedKeys, keysOfPages } = words();
  byId('meters').replaceChildren(
    h('p', { class: 'muted' }, `${usageIn} ${monthWords(usage.month)}`),
    meter(live, usage.live),
    meter(test, usage.test),
  );
  const working = keys.filter(({ state }) => state === 'active');
  const ended = keys.filter(({ state }) => state !== 'active');
  const own = working.filter((key) => !isOfPage(key));
  const ofPages = working.filter(isOfPage);
  keepingFocus(() => {
    byId('keys').replaceChildren(...own.map((key) => keyItem(key, may('uses') ? act : null)));
    byId('keys-of-pages').replaceChildren(...ofPages.map((key) => keyItem(key, act)));
  }, byId('new-key'));
  show(byId('keys'), own.length > 0);
  show(byId('no-keys'), own.length === 0);
  byId('of-pages-title').textContent = `${keysOfPages} (${ofPages.length})`;
  show(byId('of-pages'), ofPages.length > 0);
  byId('ended-keys').replaceChildren(...ended.map((key) => keyItem(key, null)));
  byId('ended-title').textContent = `${endedKeys} (${ended.length})`;
  show(byId('ended'), ended.length > 0);
  drawPlan(me);
}

function stage(name: 'link' | 'out' | 'board'): void {
  for (const id of ['link', 'out', 'board']) show(byId(id), id === name);
  show(byId('session'), name === 'board');
  show(byId('loading'), false);
}

/** Nobody is signed in any more: what was shown goes away. */
function leave(why: string): void {
  board = null;
  forgetSecret();
  forgetUse();
  forgetWebhooks();
  forgetWatches();
  forgetActs();
  forgetPersons();
  forgetSteps();
  for (const id of ['keys', 'keys-of-pages', 'ended-keys', 'meters', 'plan'])
    byId(id).replaceChildren();
  stage('out');
  say(byId('out-error'), why);
}

function explain(error: unknown): void {
  show(byId('loading'), false);
  const why = troubleOf(error);
  if (why !== null) say(byId('trouble'), why);
}

function speakAs(chosen: Language): void {
  speak(chosen);
  nameSecret();
  if (board === null) return;
  draw(board);
  drawUse();
  drawWebhooks();
  drawWatches();
  drawActs();
  drawPersons();
  drawSteps();
}

const act = {
  rotate: async (key: Key) => {
    const { replace, replaceText } = words();
    const sure = await confirmed(`${replace} ${quoted(key.name)}?`, replace, [
      h('p', {}, replaceText),
    ]);
    if (sure)
      await attempt(async () => {
        tellSecret((await rotateKey(key.id)).key);
      });
  },
  revoke: async (key: Key) => {
    const { revoke, revokeText, isRevoked } = words();
    const sure = await confirmed(`${revoke} ${quoted(key.name)}?`, revoke, [
      h('p', {}, h('code', {}, `${key.prefix}…`), revokeText),
    ]);
    if (!sure) return;
    await attempt(async () => {
      await revokeKey(key.id);
      toast(`${quoted(key.name)} ${isRevoked}`);
    });
  },
};

async function attempt(deed: () => Promise<void>): Promise<void> {
  try {
    await deed();
    await look();
  } catch (error) {
    const why = troubleOf(error);
    if (why !== null) toast(why, 'bad');
  }
}

function tellSecret({ name, secret, environment }: MintedKey): void {
  const say = () => {
    const { newKey, newTestKey, newLiveKey, keyCopied } = words();
    return {
      title: `${newKey}: ${quoted(name)}`,
      about: environment === 'test' ? newTestKey : newLiveKey,
      copied: keyCopied,
    };
  };
  showSecret(secret, say, 'new-key');
}

interface LinkPlaces {
  readonly button: HTMLElement;
  readonly error: HTMLElement;
}

async function useLink(token: string, { button, error: place }: LinkPlaces): Promise<void> {
  button.setAttribute('aria-disabled', 'true');
  try {
    await signIn(token);
    const back = takeWayBack();
    if (back !== null) {
      window.location.replace(back);
      return;
    }
    // The link is spent: the address is the account's from here on.
    window.history.replaceState(null, '', 'konto');
    await look();
    byId('indhold').focus({ preventScroll: true });
  } catch (error) {
    say(place, wordsOf(error));
  } finally {
    button.setAttribute('aria-disabled', 'false');
  }
}

/** The link, or what stands behind its `#`. */
function pastedLink(): void {
  const field = byIdAs('link-text', HTMLInputElement);
  const [, token = field.value] = field.value.split('#');
  field.value = '';
  const button = byId('link-form').querySelector('button');
  if (button === null) return;
  void useLink(token.trim(), { button, error: byId('out-error') });
}

async function leaveSession(): Promise<void> {
  try {
    await signOut();
    leave('');
  } catch (error) {
    explain(error);
  }
}

onSignedOut(leave);
installMint({
  made: async (key) => {
    await look();
    tellSecret(key);
  },
});
installSecret();
installUse();
installBill();
installWebhooks();
installWatches();
installActs();
installPersons();
installSteps(look);
installSignIn();
byId('sign-in').addEventListener('click', () => {
  void useLink(link, { button: byId('sign-in'), error: byId('link-error') });
});
byId('link-form').addEventListener('submit', (event) => {
  event.preventDefault();
  pastedLink();
});
byId('sign-out').addEventListener('click', () => void leaveSession());
onLanguage(speakAs);

void begin();
