import { moment, number } from '../shared/format.ts';
import { fileField, html, note, selectField, when } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { toast } from '../shared/notices.ts';
import { asSession } from '../shared/session.ts';
import { WATCHES, field, sendLines } from './api.ts';
import { Part, attempt, may, redraw } from './board.ts';
import { FormDialog, newButton, rowButton, rowList, section } from './pieces.ts';
import { sureTo, textField, textOf } from './pieces.ts';
import type { WatchList } from './types.ts';
import { activeBadge } from './words.ts';

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

/** Edited one by one; of a longer list all are replaced. */
const SHOWN = 1_000;

export const watches = new Part(() => field<readonly WatchList[]>('lister', 'GET', WATCHES));
const dialog = new FormDialog('watch');
/** null: a new list. */
let editing: WatchList | null = null;
let before = '';
let kind: Kind = 'bfe';

export function watchesView(): TemplateResult {
  const open = () => openDialog(null);
  const none = t(
    'Kontoen har ingen lister. En liste med adresser, ejendomme, jordstykker eller områder: når et register ændrer en af dem, får jeres webhooks besked.',
    'This account has no watch-lists. A list of addresses, properties, parcels or areas: when a register changes one of them, your webhooks are notified.',
  );
  return section(
    {
      id: 'watches',
      title: t('Overvågning', 'Watch-lists'),
      button: newButton('new-watch', may('uses'), t('Ny liste', 'New list'), open),
    },
    html`${rowList(watches, { id: 'watches', item: watchItem, none })} ${dialogView()}`,
  );
}

function watchItem(list: WatchList): TemplateResult {
  const { id, navn, type, antal, paa_pause: isPaused, aendret } = list;
  const act = (text: string, deed: () => unknown) => rowButton(navn, text, deed);
  return html`<li class="hook" id=${id}>
    <div class="hook-name">
      <h3><bdi>${navn}</bdi></h3>
      <p class="muted">
        ${number(antal)} ${kindWords()[type][antal === 1 ? 1 : 0]} · ${t('rettet', 'edited')}
        ${moment(aendret)}
      </p>
      <p>${foundWords(list)}</p>
      ${warnings(list).map((text) => note(text, 'notice warn'))}
    </div>
    ${activeBadge(!isPaused)}
    ${when(
      may('uses'),
      () =>
        html`<div class="do">
          ${act(t('Send en prøve', 'Send a test'), () => sendTest(list))}
          ${act(isPaused ? t('Genoptag', 'Resume') : t('Sæt på pause', 'Pause'), () =>
            setPaused(list, !isPaused),
          )}
          ${act(t('Ret', 'Edit'), () => attempt(() => openDialog(list)))}
          ${act(t('Fjern', 'Remove'), () => remove(list))}
        </div>`,
    )}
  </li>`;
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
  const noKey = t(
    'Ingen af kontoens nøgler må læse de registre, listen ændrer sig med: lav en nøgle, der må.',
    'No key of the account may read the registers that the list changes with: make one that may.',
  );
  const noWebhook = t(
    'Ingen webhook får besked: vælg “Noget på en overvågningsliste er ændret” på en af dem.',
    'No webhook gets it: choose “Something on a watch-list has changed” for one of them.',
  );
  return [...(registre.length === 0 ? [noKey] : []), ...(modtagere === 0 ? [noWebhook] : [])];
}

async function sendTest({ id }: WatchList): Promise<void> {
  await watches.change(true, async () => {
    const sent = await field<number>('modtagere', 'POST', `${WATCHES}/${id}/test`, {});
    toast(
      `${t('En prøve er på vej. Webhooks:', 'A test is on its way. Webhooks:')} ${number(sent)}`,
    );
  });
}

async function setPaused({ id }: WatchList, paused: boolean): Promise<void> {
  const said = paused
    ? t(
        'Listen er på pause: ændringer imens sendes ikke senere.',
        'The list is paused: changes meanwhile are not sent later.',
      )
    : t('Listen er aktiv igen.', 'The list is active again.');
  await watches.change(true, async () => {
    await asSession('PATCH', `${WATCHES}/${id}`, { paa_pause: paused });
    toast(said);
  });
}

async function remove({ id, navn }: WatchList): Promise<void> {
  const means = t('Dens objekter overvåges ikke længere.', 'Its objects are no longer watched.');
  await watches.change(sureTo(t('Fjern', 'Remove'), navn, means), async () => {
    await asSession('DELETE', `${WATCHES}/${id}`);
    toast(t('Listen er fjernet.', 'The list is removed.'));
  });
}

async function openDialog(list: WatchList | null): Promise<void> {
  before = list === null || list.antal > SHOWN ? '' : await shownObjects(list);
  [editing, kind] = [list, list?.type ?? 'bfe'];
  dialog.open(async (given) => {
    const file = given.get('watch-file');
    const isFile = file instanceof File && file.name !== '';
    const lines = isFile ? (await file.text()).trim() : textOf(given, 'objects');
    await send(textOf(given, 'name'), lines);
    await watches.read();
    return () => undefined;
  });
}

/** A line each. Shapes have none: such a list is left as it is, or replaced. */
async function shownObjects({ id }: WatchList): Promise<string> {
  const objects = await field<readonly unknown[]>(
    'objekter',
    'GET',
    `${WATCHES}/${id}?antal=${SHOWN}`,
  );
  const hasShapes = objects.some((object) => typeof object === 'object');
  return hasShapes ? '' : objects.map(String).join('\n');
}

async function send(name: string, lines: string): Promise<void> {
  if (editing === null) {
    await sendLines('POST', `${WATCHES}?${new URLSearchParams({ navn: name, type: kind })}`, lines);
    return;
  }
  if (lines !== '' && lines !== before) await sendLines('PATCH', `${WATCHES}/${editing.id}`, lines);
  if (name !== editing.navn) await asSession('PATCH', `${WATCHES}/${editing.id}`, { navn: name });
}

function dialogView(): TemplateResult {
  const isNew = editing === null;
  const kinds = Object.entries(kindWords()).map(([each, [name]]) => [each, name] as const);
  const onKind = (event: Event): void => {
    kind = (event.target as HTMLSelectElement).value as Kind;
    redraw();
  };
  return dialog.view(
    editing?.navn ?? t('Ny liste', 'New list'),
    isNew ? t('Overvåg', 'Watch') : t('Gem', 'Save'),
    html`${textField({
        ...{ id: 'watch-name', name: 'name', most: 120, value: editing?.navn ?? '' },
        label: t('Listens navn', 'Name of the list'),
      })}
      <div ?hidden=${!isNew} @change=${onKind}>
        ${selectField(['watch-kind', t('Hvad overvåges', 'What is watched'), kinds, kind])}
      </div>
      ${objectFields(isNew)}`,
  );
}

function objectFields(isNew: boolean): TemplateResult {
  return html`<label for="watch-objects">
      ${
        isNew || before !== ''
          ? t('Objekter', 'Objects')
          : t('Andre objekter i stedet (tom: uændret)', 'Other objects instead (empty: unchanged)')
      }
    </label>
    <textarea
      id="watch-objects"
      name="objects"
      rows="6"
      spellcheck="false"
      aria-describedby="watch-hint"
      .defaultValue=${before}
    ></textarea>
    <p class="muted hint" id="watch-hint">${kindWords()[kind][2]}</p>
    ${fileField({
      ...{ id: 'watch-file', accept: '.csv,.txt' },
      label: t('Eller en CSV-fil', 'Or a CSV file'),
    })}`;
}
