/** The page's life: signing in with a link, looking at one's keys, making, replacing, revoking. */
import './konto.css';
import { Refused } from '../shared/ask.ts';
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { confirmed, toast } from '../shared/notices.ts';
import {
  mintKey,
  readKeys,
  readMe,
  readSession,
  readUsage,
  revokeKey,
  rotateKey,
  signIn,
  signOut,
} from './api.ts';
import type { Account, Key, MintedKey, Usage, WantedKey } from './api.ts';
import { keyItem, meter } from './keys.ts';
import { AREA_WORDS, TIER_WORDS, monthWords } from './words.ts';

/** The link's token stands behind `#`; it leaves the address and the history at once. */
const link = window.location.hash.slice(1);
if (link !== '') window.history.replaceState(null, '', window.location.pathname);

/** A link opened where this page is open already loads nothing by itself. */
window.addEventListener('hashchange', () => {
  if (window.location.hash.length > 1) window.location.reload();
});

async function begin(): Promise<void> {
  if (link !== '') {
    stage('link');
    byId('sign-in').focus();
    return;
  }
  show(byId('loading'), true);
  await look();
}

/** Reads all there is and draws it. */
async function look(): Promise<void> {
  try {
    if ((await readSession()) === null) {
      leave('');
      return;
    }
    const [me, usage, keys] = await Promise.all([readMe(), readUsage(), readKeys()]);
    draw(me, usage, keys);
    show(byId('trouble'), false);
  } catch (error) {
    explain(error);
  }
}

function draw(
  { account }: { readonly account: Account },
  usage: Usage,
  keys: readonly Key[],
): void {
  stage('board');
  byId('account-name').textContent = account.name;
  byId('account-about').textContent = `${account.email ?? ''} · ${TIER_WORDS[account.tier]}`;
  show(byId('to-drift'), account.operator);
  byId('meters').replaceChildren(
    h('p', { class: 'muted' }, `Forbrug i ${monthWords(usage.month)}`),
    meter('Live', usage.live),
    meter('Test', usage.test),
  );
  const working = keys.filter(({ state }) => state === 'active');
  const ended = keys.filter(({ state }) => state !== 'active');
  byId('keys').replaceChildren(...working.map((key) => keyItem(key, act)));
  show(byId('keys'), working.length > 0);
  show(byId('no-keys'), working.length === 0);
  byId('ended-keys').replaceChildren(...ended.map((key) => keyItem(key, null)));
  byId('ended-title').textContent = `Ophørte nøgler (${ended.length})`;
  show(byId('ended'), ended.length > 0);
}

function stage(name: 'link' | 'out' | 'board'): void {
  for (const id of ['link', 'out', 'board']) show(byId(id), id === name);
  show(byId('session'), name === 'board');
  show(byId('loading'), false);
}

/** Nobody is signed in any more: what was shown goes away. */
function leave(why: string): void {
  forgetSecret();
  for (const id of ['keys', 'ended-keys', 'meters']) byId(id).replaceChildren();
  stage('out');
  say(byId('out-error'), why);
}

function explain(error: unknown): void {
  show(byId('loading'), false);
  if (error instanceof Refused && error.status === 401) leave(error.message);
  else say(byId('trouble'), wordsOf(error));
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const act = {
  rotate: async (key: Key) => {
    const sure = await confirmed(`Udskift ${key.name}?`, 'Udskift', [
      h(
        'p',
        {},
        'Der laves en ny nøgle med samme rettigheder. Den gamle virker et døgn endnu, så I kan nå at ' +
          'skifte.',
      ),
    ]);
    if (sure)
      await attempt(async () => {
        showSecret((await rotateKey(key.id)).key);
      });
  },
  revoke: async (key: Key) => {
    const sure = await confirmed(`Tilbagekald ${key.name}?`, 'Tilbagekald', [
      h(
        'p',
        {},
        h('code', {}, `${key.prefix}…`),
        ' holder op med at virke med det samme, for altid.',
      ),
    ]);
    if (!sure) return;
    await attempt(async () => {
      await revokeKey(key.id);
      toast(`${key.name} er tilbagekaldt.`);
    });
  },
};

async function attempt(deed: () => Promise<void>): Promise<void> {
  try {
    await deed();
    await look();
  } catch (error) {
    if (error instanceof Refused && error.status === 401) explain(error);
    else toast(wordsOf(error), 'bad');
  }
}

function showSecret({ name, secret, environment }: MintedKey): void {
  byId('fresh-title').textContent = `Din nye nøgle: ${name}`;
  byId('fresh-secret').textContent = secret;
  byId('fresh-about').textContent =
    environment === 'test'
      ? 'En testnøgle: samme data, aldrig på regningen.'
      : 'En livenøgle: opslag tæller i abonnementet.';
  byId('fresh-copy').textContent = 'Kopiér';
  show(byId('fresh'), true);
  byId('fresh').focus();
}

function forgetSecret(): void {
  byId('fresh-secret').textContent = '';
  show(byId('fresh'), false);
}

/** Without leave to write the clipboard the key is selected, ready for the keyboard. */
async function copySecret(): Promise<void> {
  const place = byId('fresh-secret');
  try {
    await navigator.clipboard.writeText(place.textContent);
    byId('fresh-copy').textContent = 'Kopieret';
    toast('Nøglen er kopieret.');
  } catch {
    window.getSelection()?.selectAllChildren(place);
    toast('Nøglen er markeret: kopiér den med tastaturet.');
  }
}

const form = byIdAs('mint-form', HTMLFormElement);
const mintDialog = byIdAs('mint', HTMLDialogElement);

function chosen(name: string): string {
  const selector = `input[name="${name}"]:checked`;
  return form.querySelector<HTMLInputElement>(selector)?.value ?? '';
}

/** Shows the questions that belong to the kind and permission chosen. */
function fitForm(): void {
  const isPublic = chosen('kind') === 'public';
  show(byId('mint-secret'), !isPublic);
  show(byId('mint-public'), isPublic);
  show(byId('mint-areas'), chosen('permission') === 'restricted');
}

function wantedKey(): WantedKey {
  const common = {
    name: byIdAs('mint-name', HTMLInputElement).value.trim(),
    environment: chosen('environment'),
  };
  if (chosen('kind') === 'public') {
    const origins = byIdAs('mint-origins', HTMLTextAreaElement)
      .value.split(/\s+/)
      .filter((line) => line !== '');
    return { ...common, kind: 'public', origins };
  }
  const areas = [...form.querySelectorAll<HTMLInputElement>('input[name="area"]:checked')].map(
    ({ value }) => value,
  );
  const permission = chosen('permission');
  return {
    ...common,
    permission: permission === 'restricted' ? `restricted:${areas.join(',')}` : permission,
  };
}

byId('mint-areas').append(
  ...Object.entries(AREA_WORDS).map(([area, words]) =>
    h(
      'label',
      { class: 'choice' },
      h('input', { type: 'checkbox', name: 'area', value: area }),
      h('span', {}, words),
    ),
  ),
);
form.addEventListener('change', fitForm);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void makeKey();
});

async function makeKey(): Promise<void> {
  try {
    const { key } = await mintKey(wantedKey());
    mintDialog.close();
    await look();
    showSecret(key);
  } catch (error) {
    if (error instanceof Refused && error.status === 401) {
      mintDialog.close();
      explain(error);
    } else say(byId('mint-error'), wordsOf(error));
  }
}

byId('new-key').addEventListener('click', () => {
  form.reset();
  fitForm();
  say(byId('mint-error'), '');
  mintDialog.showModal();
  byId('mint-name').focus();
});
byId('mint-no').addEventListener('click', () => mintDialog.close());
byId('fresh-copy').addEventListener('click', () => void copySecret());
byId('fresh-done').addEventListener('click', () => {
  forgetSecret();
  byId('new-key').focus();
});
byId('sign-in').addEventListener('click', () => void useLink());

async function useLink(): Promise<void> {
  byId('sign-in').setAttribute('aria-disabled', 'true');
  try {
    await signIn(link);
    // The link is spent: the address is the account's from here on.
    window.history.replaceState(null, '', 'konto');
    await look();
    byId('indhold').focus({ preventScroll: true });
  } catch (error) {
    byId('sign-in').setAttribute('aria-disabled', 'false');
    say(byId('link-error'), wordsOf(error));
  }
}

byId('sign-out').addEventListener('click', () => void leaveSession());

async function leaveSession(): Promise<void> {
  try {
    await signOut();
    leave('');
  } catch (error) {
    explain(error);
  }
}

void begin();
