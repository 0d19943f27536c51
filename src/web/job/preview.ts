import { JOB_LIMITS, textOf } from '../../jobs/for-pages.ts';
import type { Cell, Charset, Row } from '../../jobs/for-pages.ts';
import { html, rowsTable } from '../shared/html.ts';
import type { Choice, Content, TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import type { Looked } from './source.ts';
import type { Tried } from './trial.ts';

export const SHOWN_ROWS = 20;

/** iso-8859-1 is read as Windows-1252, which has all of it. */
export const CHARSET_CHOICES: readonly (readonly [Charset, string])[] = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Windows-1252'],
  ['macintosh', 'Mac Roman'],
  ['utf-16', 'UTF-16'],
];

export function delimiterChoices(): readonly Choice[] {
  return [
    [';', t('Semikolon ;', 'Semicolon ;')],
    [',', t('Komma ,', 'Comma ,')],
    ['\t', t('Tabulator', 'Tab')],
    ['|', t('Lodret streg |', 'Bar |')],
    ['', t('Ingen: én kolonne', 'None: one column')],
  ];
}

export function decimalChoices(): readonly Choice[] {
  return [
    ['comma', t('Komma: 55,5', 'Comma: 55,5')],
    ['point', t('Punktum: 55.5', 'Point: 55.5')],
    ['', t('Ingen decimaler', 'No decimals')],
  ];
}

const HEAD_ROWS = 10;

export function headRowChoices(found: number): readonly Choice[] {
  const count = Math.min(JOB_LIMITS.headRow.max, Math.max(found, HEAD_ROWS));
  return Array.from({ length: count }, (_, i) => [String(i + 1), String(i + 1)]);
}

function shown(cell: Cell): string {
  if (typeof cell === 'boolean') return String(cell);
  return textOf(cell) ?? '';
}

export function previewTable({ columns, rows, numbers }: Looked): TemplateResult {
  return rowsTable({
    caption: t('De første rækker i filen', 'The first rows of the file'),
    head: [t('Række', 'Row'), ...columns],
    rows: rows
      .slice(0, SHOWN_ROWS)
      .map((row, at) => [
        String(numbers[at] ?? at + 1),
        ...columns.map((_name, place) => shown(row[place])),
      ]),
  });
}

/** For a person to know the row again. */
export function rowText(row: Row, places: readonly number[]): string {
  return places
    .map((place) => shown(row[place]))
    .filter((text) => text !== '')
    .join(' · ');
}

export function triedCell(tried: Tried | null): Content {
  if (tried === null) return t('spørger …', 'asking …');
  if ('answer' in tried) return tried.answer;
  return html`<span class="fault">${t('Intet svar: ', 'No answer: ')}${tried.failure}</span>`;
}
