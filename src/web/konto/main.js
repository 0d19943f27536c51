/** The page's life: signing in with a link, looking at one's keys, making, replacing, revoking. */
import './konto.css';
import { Refused } from '../shared/ask.ts';
import { byId, h, show } from '../shared/dom.ts';
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
} from './api.js';
import { keyItem, meter } from './keys.js';
import { AREA_WORDS, TIER_WORDS, monthWords } from './words.js';

/** The link's token stands behind `#`; it leaves the address and the history at once. */
const link = window.location.hash.slice(1);
if (link !== '') window.history.replaceState(null, '', window.location.pathname);

async function begin() {
  if (link !== '') {
    stage('link');
    byId('sign-in').focus();
    return;
  }
  show(byId('loading'), true);
  await look();
}

/** Reads all there is and draws it. */
async function look() {
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

function draw({ account }, usage, keys) {
  stage('board');
  byId('account-name').textContent = account.name;
  byId('account-about').textContent = `${account.email} · ${TIER_WORDS[account.tier]}`;
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

function stage(name) {
  for (const id of ['link', 'out', 'board']) show(byId(id), id === name);
  show(byId('session'), name === 'board');
  show(byId('loading'), false);
}

/** Nobody is signed in any more: what was shown goes away. */
function leave(why) {
  forgetSecret();
  for (const id of ['keys', 'ended-keys', 'meters']) byId(id).replaceChildren();
  stage('out');
  say(byId('out-error'), why);
}

function explain(error) {
  show(byId('loading'), false);
  if (error instanceof Refused && error.status === 401) leave(error.message);
  else say(byId('trouble'), error.message);
}

function say(element, text) {
  element.textContent = text;
  show(element, text !== '');
}

const act = {
  rotate: async (key) => {
    const sure = await confirmed(`Udskift ${key.name}?`, 'Udskift', [
      h(
        'p',
        {},
        'Der laves en ny nøgle med samme rettigheder. Den gamle virker et døgn endnu, så I kan nå at ' +
          'skifte.',
      ),
    ]);
    if (sure) await attempt(async () => showSecret((await rotateKey(key.id)).key));
  },
  revoke: async (key) => {
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

async function attempt(deed) {
  try {
    await deed();
    await look();
  } catch (error) {
    if (error instanceof Refused && error.status === 401) explain(error);
    else toast(error.message, 'bad');
  }
}

function showSecret({ name, secret, environment }) {
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

function forgetSecret() {
  byId('fresh-secret').textContent = '';
  show(byId('fresh'), false);
}

/** Without leave to write the clipboard the key is selected, ready for the keyboard. */
async function copySecret() {
  const place = byId('fresh-secret');
  try {
    await navigator.clipboard.writeText(place.textContent);
    byId('fresh-copy').textContent = 'Kopieret';
    toast('Nøglen er kopieret.');
  } catch {
    window.getSelection().selectAllChildren(place);
    toast('Nøglen er markeret: kopiér den med tastaturet.');
  }
}

const form = byId('mint-form');
const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`)?.value ?? '';

/** Shows the questions that belong to the kind and permission chosen. */
function fitForm() {
  const isPublic = chosen('kind') === 'public';
  show(byId('mint-secret'), !isPublic);
  show(byId('mint-public'), isPublic);
  show(byId('mint-areas'), chosen('permission') === 'restricted');
}

function wantedKey() {
  const common = { name: byId('mint-name').value.trim(), environment: chosen('environment') };
  if (chosen('kind') === 'public') {
    const origins = byId('mint-origins')
      .value.split(/\s+/)
      .filter((line) => line !== '');
    return { ...common, kind: 'public', origins };
  }
  const areas = [...form.querySelectorAll('input[name="area"]:checked')].map(({ value }) => value);
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
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    const { key } = await mintKey(wantedKey());
    byId('mint').close();
    await look();
    showSecret(key);
  } catch (error) {
    if (error instanceof Refused && error.status === 401) {
      byId('mint').close();
      explain(error);
    } else say(byId('mint-error'), error.message);
  }
});
byId('new-key').addEventListener('click', () => {
  form.reset();
  fitForm();
  say(byId('mint-error'), '');
  byId('mint').showModal();
  byId('mint-name').focus();
});
byId('mint-no').addEventListener('click', () => byId('mint').close());
byId('fresh-copy').addEventListener('click', copySecret);
byId('fresh-done').addEventListener('click', () => {
  forgetSecret();
  byId('new-key').focus();
});
byId('sign-in').addEventListener('click', async () => {
  byId('sign-in').setAttribute('aria-disabled', 'true');
  try {
    await signIn(link);
    await look();
    byId('indhold').focus({ preventScroll: true });
  } catch (error) {
    byId('sign-in').setAttribute('aria-disabled', 'false');
    say(byId('link-error'), error.message);
  }
});
byId('sign-out').addEventListener('click', async () => {
  try {
    await signOut();
    leave('');
  } catch (error) {
    explain(error);
  }
});

void begin();
