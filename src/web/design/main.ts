/** All components in all states, for who makes pages. */
import './design.css';
import { copyText } from '../shared/copy.ts';
import { byId, h, installSkipLink, s } from '../shared/dom.ts';
import type { Child } from '../shared/dom.ts';
import { chosenLanguage, onLanguage, speak, t } from '../shared/language.ts';
import type { Language } from '../shared/language.ts';
import { toast } from '../shared/notices.ts';
import { scrolled, table } from '../shared/table.ts';

const TOKENS = [
  ...['ground', 'card', 'ink', 'muted', 'rule', 'accent', 'on-accent', 'good', 'good-soft', 'warn'],
  ...['warn-soft', 'bad', 'bad-soft', 'none', 'none-soft', 'track', 'sea', 'map', 'map-rule'],
  'map-own',
];
const CODE = 'curl -H "Authorization: Bearer $GEOOPSLAG_KEY" https://…/v1/status';

function part(title: string, ...children: readonly Child[]): HTMLElement {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, title),
    h('div', { class: 'row' }, ...children),
  );
}

function token(name: string): HTMLElement {
  const rect = s('rect', { width: '100%', height: '100%', fill: `var(--${name})` });
  return h('div', { class: 'token' }, s('svg', { 'aria-hidden': 'true' }, rect), name);
}

function field(id: string, label: string, more: Record<string, string | boolean>): HTMLElement {
  return h('form', {}, h('label', { for: id }, label), h('input', { id, type: 'text', ...more }));
}

function bar(kind: string, share: number): HTMLElement {
  const rect = (of: string, width: number) => s('rect', { class: of, width, height: 8 });
  return h(
    'span',
    { class: 'token' },
    s('svg', { class: `bar ${kind}` }, rect('track', 200), rect('fill', 100 * share)),
    `${Math.round(100 * share)} %`,
  );
}

const button = (text: string, more: Record<string, string> = {}) =>
  h('button', { type: 'button', ...more }, text);
const notice = (kind: string, title: string, text: string) =>
  h('p', { class: `notice ${kind}` }, h('strong', {}, `${title} `), text);

function controls(): readonly HTMLElement[] {
  return [
    part(t('Farver', 'Colours'), ...TOKENS.map(token)),
    part(
      t('Knapper', 'Buttons'),
      button(t('Almindelig', 'Plain')),
      button(t('Vigtigst', 'Primary'), { class: 'primary' }),
      button(t('Stille', 'Quiet'), { class: 'quiet' }),
      button(t('Som link', 'As a link'), { class: 'link' }),
      button(t('Kan ikke bruges', 'Not usable'), { 'aria-disabled': 'true' }),
    ),
    part(
      t('Felter', 'Fields'),
      field('empty', t('Tomt', 'Empty'), { placeholder: t('Vej og nummer', 'Road and number') }),
      field('filled', t('Udfyldt', 'Filled'), { value: 'Ny Prøvegade 12A' }),
      field('closed', t('Lukket', 'Closed'), { value: '9100001', disabled: true }),
    ),
  ];
}

function states(): readonly HTMLElement[] {
  const rows = [
    ['Strandbeskyttelseslinje', '124,4'],
    ['Fortidsmindebeskyttelseslinje', '1.024,0'],
  ];
  return [
    part(
      t('Mærker', 'Tags'),
      ...['', 'good', 'warn', 'bad'].map((kind) =>
        h('span', { class: `badge ${kind}` }, kind === '' ? t('ingen', 'none') : kind),
      ),
    ),
    part(
      t('Beskeder', 'Notices'),
      notice(
        'warn',
        t('Gammel kopi.', 'An old copy.'),
        t('Spørg igen om lidt.', 'Ask again shortly.'),
      ),
      notice('bad', t('Intet svar.', 'No answer.'), t('Det er ikke et nej.', 'That is not a no.')),
      h('p', { class: 'muted' }, t('Her er intet endnu.', 'There is nothing here yet.')),
      button(t('Vis en kort besked', 'Show a short notice'), { id: 'toaster' }),
    ),
    part(
      t('På vej', 'On its way'),
      h(
        'span',
        {},
        h('span', { class: 'spinner', 'aria-hidden': 'true' }),
        t('Henter…', 'Loading…'),
      ),
      bar('', 0.3),
      bar('soon', 0.8),
      bar('dead', 1),
    ),
    part(
      t('Tabel', 'Table'),
      scrolled(
        t('Linjer', 'Lines'),
        table({ head: [t('Linje', 'Line'), 'm'], rows, isNumber: (at) => at === 1 }),
      ),
    ),
    part(
      t('Kode', 'Code'),
      h('pre', { class: 'wrap' }, h('code', {}, CODE)),
      button(t('Kopiér', 'Copy'), { id: 'copier' }),
      h('pre', { class: 'wrap', id: 'copy-text', hidden: true }),
    ),
  ];
}

function draw(): void {
  byId('parts').replaceChildren(...controls(), ...states());
  byId('toaster').addEventListener('click', () => toast(t('Gemt.', 'Saved.')));
  byId('copier').addEventListener('click', () => void copyText(CODE));
}

function choose(chosen: Language): void {
  speak(chosen);
  draw();
}

onLanguage(choose);
installSkipLink();
choose(chosenLanguage());
