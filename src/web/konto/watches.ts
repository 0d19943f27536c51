/** The account's watch-lists: what each watches, what was found last, and the dialog that makes or edits one. */
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { moment, number } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import { confirmed, toast } from '../shared/notices.ts';
import {
  changeWatch,
  makeWatch,
  readWatched,
  readWatches,
  removeWatch,
  replaceWatched,
  testWatch,
} from './api.ts';
import { keepingFocus, troubleOf } from './trouble.ts';
import type { Me, WatchList } from './types.ts';
import { quoted, words } from './words.ts';

const dialog = byIdAs('watch', HTMLDialogElement);
const form = byIdAs('watch-form', HTMLFormElement);
const nameInput = byIdAs('watch-name', HTMLInputElement);
const kindInput = byIdAs('watch-kind', HTMLSelectElement);
const objectsInput = byIdAs('watch-objects', HTMLTextAreaElement);
const fileInput = byIdAs('watch-file', HTMLInputElement);

type Kind = WatchList['type'];

function kindWords(): Readonly<Record<Kind, readonly [many: string, one: string, form: string]>> {
  return {
    adresse: [
      t('adresser', 'addresses'),
      t('adresse', 'address'),
      t('Adressens UUID, én pr. linje.', 'The UUID of an address, one a line.'),
    ],
    bfe: [
      t('ejendomme', 'properties'),
      t('ejendom', 'property'),
      t('BFE-nummer, ét pr. linje.', 'A BFE number a line.'),
    ],
    jordstykke: [
      t('jordstykker', 'parcels'),
      t('jordstykke', 'parcel'),
      t(
        'Ejerlavskode og matrikelnummer, ét jordstykke pr. linje: 2000155-12a.',
        'District code and number, a parcel a line: 2000155-12a.',
      ),
    ],
    polygon: [
      t('områder', 'areas'),
      t('område', 'drawn area'),
      t(
        'Polygoner som WKT i grader, én pr. linje; i meter, hvor linjen begynder med sit SRID og 25832.',
        'Polygons as WKT in degrees, one a line; in metres where the line begins with its SRID, 25832.',
      ),
    ],
  };
}

/** null: not read, or not readable. */
let watches: readonly WatchList[] | null = null;
let me: Me | null = null;
/** What the dialog edits; null: a new list. */
let editing: WatchList | null = null;
/** Its objects as the dialog began with them. */
let before = '';
let isSending = false;
/** Objects that are edited one by one; of a longer list all are replaced. */
const SHOWN = 1_000;

/** Reads the lists anew; that it failed is no empty list. */
export async function showWatches(now: Me): Promise<void> {
  me = now;
  try {
    watches = await readWatches();
    say(byId('watches-trouble'), '');
  } catch (error) {
    watches = null;
    const why = troubleOf(error);
    if (why !== null) say(byId('watches-trouble'), why);
  }
  drawWatches();
}

/** Nothing of the account stays in the page. */
export function forgetWatches(): void {
  [watches, me] = [null, null];
  drawWatches();
}

/** In the language of now. */
export function drawWatches(): void {
  keepingFocus(() => {
    byId('watches').replaceChildren(...(watches ?? []).map(watchItem));
    show(byId('watches'), watches !== null && watches.length > 0);
    show(byId('no-watches'), watches !== null && watches.length === 0);
  }, byId('new-watch'));
}

function watchItem(list: WatchList): HTMLElement {
  const { id, navn, type, antal, paa_pause: isPaused, aendret } = list;
  const said = words();
  const roles = me?.person?.roles ?? [];
  const mayUse = roles.includes('uses') || roles.includes('administers');
  const of = `${number(antal)} ${kindWords()[type][antal === 1 ? 1 : 0]} · ${t('rettet', 'edited')} ${moment(aendret)}`;
  return h(
    'li',
    { class: 'hook', id },
    h(
      'div',
      { class: 'hook-name' },
      h('h3', {}, h('bdi', {}, navn)),
      h('p', { class: 'muted' }, of),
      h('p', {}, foundWords(list)),
      ...warnings(list).map((text) => h('p', { class: 'notice warn' }, text)),
    ),
    h(
      'span',
      { class: `badge ${isPaused ? 'warn' : 'good'}` },
      isPaused ? said.paused : said.active,
    ),
    mayUse &&
      h(
        'div',
        { class: 'do' },
        button(list, t('Send en prøve', 'Send a test'), () => sendTest(list)),
        button(list, isPaused ? said.resume : said.pause, () => setPaused(list, !isPaused)),
        button(list, said.edit, () => attempt(() => openDialog(list))),
        button(list, said.remove, () => remove(list)),
      ),
  );
}

function foundWords({ seneste_fund: found, registre }: WatchList): string {
  const covered =
    registre.length > 6 ? `${registre.length} ${t('registre', 'registers')}` : registre.join(', ');
  const compared = covered === '' ? '' : `${t('Sammenlignes med', 'Compared with')} ${covered}. `;
  if (found === null) return `${compared}${t('Intet fundet endnu.', 'Nothing found yet.')}`;
  const events =
    found.antal === null
      ? t('et ukendt antal ændringer', 'an unknown number of changes')
      : `${number(found.antal)} ${found.antal === 1 ? t('ændring', 'change') : t('ændringer', 'changes')}`;
  return `${compared}${t('Sidst', 'Last')}: ${events}, ${moment(found.tidspunkt)}.`;
}

function warnings({ registre, modtagere }: WatchList): readonly string[] {
  return [
    ...(registre.length === 0
      ? [
          t(
            'Ingen af kontoens nøgler må læse de registre, listen ændrer sig med: lav en nøgle, der må.',
            'No key of the account may read the registers that the list changes with: make one that may.',
          ),
        ]
      : []),
    ...(modtagere === 0
      ? [
          t(
            'Ingen webhook får besked: vælg “Noget på en overvågningsliste er ændret” på en af dem.',
            'No webhook gets it: choose “Something on a watch-list has changed” for one of them.',
          ),
        ]
      : []),
  ];
}

function button(list: WatchList, text: string, onclick: () => unknown): HTMLElement {
  const said = words();
  const deed = text === said.resume ? said.pause : text;
  const attributes = {
    'aria-label': `${text} ${quoted(list.navn)}`,
    'data-key': `${list.id} ${deed}`,
  };
  return h('button', { type: 'button', ...attributes, onclick }, text);
}

async function sendTest({ id }: WatchList): Promise<void> {
  await attempt(async () => {
    const sent = await testWatch(id);
    toast(
      `${t('En prøve er på vej. Webhooks:', 'A test is on its way. Webhooks:')} ${number(sent)}`,
    );
  });
}

async function setPaused({ id }: WatchList, paused: boolean): Promise<void> {
  await attempt(async () => {
    await changeWatch(id, { paa_pause: paused });
    toast(
      paused
        ? t(
            'Listen er på pause: ændringer imens sendes ikke senere.',
            'The list is paused: changes meanwhile are not sent later.',
          )
        : t('Listen er aktiv igen.', 'The list is active again.'),
    );
  });
}

async function remove({ id, navn }: WatchList): Promise<void> {
  const said = words();
  const sure = await confirmed(`${said.remove} ${quoted(navn)}?`, said.remove, [
    t('Dens objekter overvåges ikke længere.', 'Its objects are no longer watched.'),
  ]);
  if (!sure) return;
  await attempt(async () => {
    await removeWatch(id);
    toast(t('Listen er fjernet.', 'The list is removed.'));
  });
}

async function attempt(deed: () => Promise<void>): Promise<void> {
  try {
    await deed();
    if (me !== null) await showWatches(me);
  } catch (error) {
    const why = troubleOf(error);
    if (why !== null) toast(why, 'bad');
  }
}

async function openDialog(list: WatchList | null): Promise<void> {
  editing = list;
  form.reset();
  say(byId('watch-error'), '');
  byId('watch-title').textContent = list === null ? t('Ny liste', 'New list') : list.navn;
  byId('watch-yes').textContent = list === null ? t('Overvåg', 'Watch') : words().editYes;
  nameInput.value = list?.navn ?? '';
  kindInput.replaceChildren(
    ...Object.entries(kindWords()).map(([kind, [name]]) => h('option', { value: kind }, name)),
  );
  kindInput.value = list?.type ?? 'bfe';
  show(byId('watch-kinds'), list === null);
  before = list === null || list.antal > SHOWN ? '' : await shownObjects(list);
  objectsInput.value = before;
  byId('watch-objects-label').textContent =
    list === null || before !== ''
      ? t('Objekter', 'Objects')
      : t('Andre objekter i stedet (tom: uændret)', 'Other objects instead (empty: unchanged)');
  drawHint();
  dialog.showModal();
}

/** A line each. GeoJSON has no line of its own: such a list is left as it is, or replaced. */
async function shownObjects({ id }: WatchList): Promise<string> {
  const objects = await readWatched(id, SHOWN);
  const hasShapes = objects.some((object) => typeof object === 'object');
  return hasShapes ? '' : objects.map(String).join('\n');
}

function drawHint(): void {
  byId('watch-hint').textContent = kindWords()[kindInput.value as Kind][2];
}

/** What the service refuses is said beside what was typed. */
async function submit(): Promise<void> {
  if (isSending) return;
  isSending = true;
  byId('watch-yes').setAttribute('aria-disabled', 'true');
  try {
    const lines = (await fileInput.files?.[0]?.text()) ?? objectsInput.value;
    await send(nameInput.value.trim(), lines.trim());
    dialog.close();
    if (me !== null) await showWatches(me);
  } catch (error) {
    const why = troubleOf(error);
    if (why === null) dialog.close();
    else say(byId('watch-error'), why);
  } finally {
    isSending = false;
    byId('watch-yes').setAttribute('aria-disabled', 'false');
  }
}

async function send(name: string, lines: string): Promise<void> {
  if (editing === null) {
    await makeWatch(name, kindInput.value, lines);
    return;
  }
  if (lines !== '' && lines !== before) await replaceWatched(editing.id, lines);
  if (name !== editing.navn) await changeWatch(editing.id, { navn: name });
}

export function installWatches(): void {
  byId('new-watch').addEventListener('click', () => void openDialog(null));
  byId('watch-no').addEventListener('click', () => dialog.close());
  kindInput.addEventListener('change', drawHint);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
}
