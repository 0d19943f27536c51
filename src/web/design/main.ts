import './design.css';
import { copyText } from '../shared/copy.ts';
import { byId, installKeyboard } from '../shared/dom.ts';
import { button, html, note, render, rowsTable, scrolledPart } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { beginSpeaking, t } from '../shared/language.ts';
import { toast } from '../shared/notices.ts';

const TOKENS = [
  ...['ground', 'card', 'ink', 'muted', 'rule', 'accent', 'on-accent', 'good', 'good-soft', 'warn'],
  ...['warn-soft', 'bad', 'bad-soft', 'none', 'none-soft', 'track', 'sea', 'map', 'map-rule'],
  'map-own',
];
const CODE = 'curl -H "Authorization: Bearer $GEOOPSLAG_KEY" https://…/v1/status';

function part(title: string, content: Content | readonly Content[]): TemplateResult {
  return html`<section class="card">
    <h2>${title}</h2>
    <div class="row">${content}</div>
  </section>`;
}

const token = (name: string) =>
  html`<div class="token">
    <svg aria-hidden="true"><rect width="100%" height="100%" fill="var(--${name})"></rect></svg>
    ${name}
  </div>`;

const field = (id: string, label: string, value: string, isClosed = false) =>
  html`<form>
    <label for=${id}>${label}</label>
    <input
      id=${id}
      value=${value}
      placeholder=${t('Vej og nummer', 'Road and number')}
      ?disabled=${isClosed}
    />
  </form>`;

const bar = (kind: string, share: number) =>
  html`<span class="token">
    <svg class="bar ${kind}">
      <rect class="track" width="200" height="8"></rect>
      <rect class="fill" width=${100 * share} height="8"></rect>
    </svg>
    ${Math.round(100 * share)} %
  </span>`;

const nothingDone = () => undefined;

const notice = (kind: string, title: string, text: string) =>
  html`<p class="notice ${kind}"><strong>${title}</strong> ${text}</p>`;

function controls(): TemplateResult {
  const closed = t('Kan ikke bruges', 'Not usable');
  return html`${part(t('Farver', 'Colours'), TOKENS.map(token))}
  ${part(t('Knapper', 'Buttons'), [
    button(t('Almindelig', 'Plain'), nothingDone),
    button(t('Vigtigst', 'Primary'), nothingDone, 'primary'),
    button(t('Stille', 'Quiet'), nothingDone, 'quiet'),
    button(t('Som link', 'As a link'), nothingDone, 'link'),
    html`<button type="button" aria-disabled="true">${closed}</button>`,
  ])}
  ${part(t('Felter', 'Fields'), [
    field('empty', t('Tomt', 'Empty'), ''),
    field('filled', t('Udfyldt', 'Filled'), 'Ny Prøvegade 12A'),
    field('closed', t('Lukket', 'Closed'), '9100001', true),
  ])}`;
}

function states(): TemplateResult {
  const rows = [
    ['Strandbeskyttelseslinje', '124,4'],
    ['Fortidsmindebeskyttelseslinje', '1.024,0'],
  ];
  const head = [t('Linje', 'Line'), 'm'];
  const badge = (kind: string) =>
    html`<span class="badge ${kind}">${kind === '' ? t('ingen', 'none') : kind}</span>`;
  return html`${part(t('Mærker', 'Tags'), ['', 'good', 'warn', 'bad'].map(badge))}
  ${part(t('Beskeder', 'Notices'), [
    notice(
      'warn',
      t('Gammel kopi.', 'An old copy.'),
      t('Spørg igen om lidt.', 'Ask again shortly.'),
    ),
    notice('bad', t('Intet svar.', 'No answer.'), t('Det er ikke et nej.', 'That is not a no.')),
    note(t('Her er intet endnu.', 'There is nothing here yet.')),
    button(t('Vis en kort besked', 'Show a short notice'), () => toast(t('Gemt.', 'Saved.'))),
  ])}
  ${part(t('På vej', 'On its way'), [
    html`<span><span class="spinner" aria-hidden="true"></span>${t('Henter…', 'Loading…')}</span>`,
    ...[bar('', 0.3), bar('soon', 0.8), bar('dead', 1)],
  ])}
  ${part(
    t('Tabel', 'Table'),
    scrolledPart(t('Linjer', 'Lines'), rowsTable({ head, rows, isNumber: (at) => at === 1 })),
  )}
  ${part(
    t('Kode', 'Code'),
    html`<pre class="wrap"><code>${CODE}</code></pre>
      ${button(t('Kopiér', 'Copy'), () => copyText(CODE))}
      <pre class="wrap" id="copy-text" hidden></pre>`,
  )}`;
}

installKeyboard();
beginSpeaking(() => render(html`${controls()}${states()}`, byId('parts')));
