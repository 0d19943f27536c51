import { AREA_WORDS } from '../shared/areas.ts';
import { Refused } from '../shared/ask.ts';
import { html } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { inLanguage, t } from '../shared/language.ts';
import { field } from './api.ts';
import { lookAgain, redraw } from './board.ts';
import { FormDialog, allOf, choice, choices, noted, textField, textOf } from './pieces.ts';
import type { Named } from './pieces.ts';
import type { MintedKey, WantedKey } from './types.ts';

const dialog = new FormDialog('mint');
/** It decides what else is asked. */
let given = new FormData();

export function openMint(made: (key: MintedKey) => void): void {
  given = new FormData();
  dialog.open(async (form) => {
    const key = await field<MintedKey>('key', 'POST', 'v1/me/keys', wantedKey(form));
    return () => {
      made(key);
      void lookAgain();
    };
  });
}

function wantedKey(form: FormData): WantedKey {
  const common = { name: textOf(form, 'name'), environment: textOf(form, 'environment') };
  if (textOf(form, 'kind') === 'public') {
    const origins = textOf(form, 'origins')
      .split(/\s+/)
      .filter((line) => line !== '');
    return { ...common, kind: 'public', origins };
  }
  const permission = textOf(form, 'permission');
  if (permission !== 'restricted') return { ...common, permission };
  const areas = allOf(form, 'area');
  if (areas.length > 0) return { ...common, permission: `restricted:${areas.join(',')}` };
  throw new Refused(
    0,
    'no_area',
    t(
      'Vælg mindst ét slags opslag, nøglen må bruges til.',
      'Choose at least one kind of lookup that the key may be used for.',
    ),
  );
}

function take(event: Event): void {
  const { form } = event.target as HTMLInputElement;
  if (form !== null) given = new FormData(form);
  redraw();
}

export function mintView(): TemplateResult {
  const isPublic = given.get('kind') === 'public';
  const publicNote = t('til en webside; kun adresser', 'for a web page; addresses only');
  return dialog.view(
    t('Ny nøgle', 'New key'),
    t('Lav nøglen', 'Make the key'),
    html`<div @change=${take}>
      ${textField({ id: 'mint-name', name: 'name', most: 120, label: t('Navn', 'Name') })}
      ${radios('environment', t('Miljø', 'Environment'), [
        [
          'test',
          noted('Test', t('samme data, aldrig på regningen', 'the same data, never billed')),
        ],
        ['live', noted('Live', t('tæller i abonnementet', 'counts in the plan'))],
      ])}
      ${radios('kind', t('Slags', 'Kind'), [
        ['secret', noted(t('Hemmelig', 'Secret'), t('bliver på en server', 'stays on a server'))],
        ['public', noted(t('Offentlig', 'Public'), publicNote)],
      ])}
      <div ?hidden=${isPublic}>${permissionFields()}</div>
      <div ?hidden=${!isPublic}>${hostField()}</div>
    </div>`,
    true,
  );
}

/** The first is chosen. */
function radios(name: string, legend: string, all: Named): TemplateResult {
  return choices({ type: 'radio', name, legend, chosen: [all[0]?.[0] ?? ''] }, all);
}

function permissionFields(): TemplateResult {
  return html`${radios('permission', t('Rettigheder', 'Permission'), [
      ['read', t('Alle opslag', 'All lookups')],
      ['jobs', t('Alle opslag og job', 'All lookups and jobs')],
      ['restricted', t('Udvalgte områder', 'Chosen areas')],
    ])}
    <fieldset class="areas" ?hidden=${given.get('permission') !== 'restricted'}>
      <legend class="visually-hidden">${t('Områder', 'Areas')}</legend>
      ${Object.entries(AREA_WORDS).map(([area, words]) =>
        choice({ type: 'checkbox', name: 'area', value: area }, inLanguage(words)),
      )}
    </fieldset>`;
}

function hostField(): TemplateResult {
  return html`<label for="mint-origins">${t('Tilladte værter', 'Allowed hosts')}</label>
    <textarea id="mint-origins" name="origins" rows="3" spellcheck="false"></textarea>
    <p class="muted hint">
      ${t('Én pr. linje:', 'One per line:')} <code>example.dk</code>, <code>*.example.dk</code>,
      <code>localhost:5173</code>;
      ${t('også som browseren viser den,', 'also as the browser shows it,')}
      <code>https://example.dk</code>.
    </p>`;
}
