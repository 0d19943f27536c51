/** Draws how a file is read, its first rows and its columns' roles. */
import { CHARSETS, JOB_LIMITS, textOf } from '../../jobs/for-pages.ts';
import type { Cell, Row } from '../../jobs/for-pages.ts';
import { h } from '../shared/dom.ts';
import { t } from '../shared/language.ts';
import { table } from '../shared/table.ts';
import type { Looked } from './source.ts';
import type { Tried } from './trial.ts';

/** Rows of the table. */
export const SHOWN_ROWS = 20;

export interface Choice {
  readonly value: string;
  readonly words: string;
}

interface SelectOptions {
  readonly id: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: string;
  readonly onChange: (value: string) => void;
}

export function choose({ id, label, choices, chosen, onChange }: SelectOptions): Node {
  const select = h(
    'select',
    { id, onchange: (event: Event) => onChange((event.target as HTMLSelectElement).value) },
    ...choices.map(({ value, words }) => h('option', { value, selected: value === chosen }, words)),
  );
  return h('div', { class: 'field' }, h('label', { for: id }, label), select);
}

const CHARSET_WORDS = {
  ...{ 'utf-8': 'UTF-8', 'windows-1252': 'Windows-1252' },
  ...{ macintosh: 'Mac Roman', 'utf-16': 'UTF-16' },
} as const;

export function charsetChoices(): readonly Choice[] {
  // iso-8859-1 is read as Windows-1252, which has all of it.
  return CHARSETS.filter((name) => name !== 'iso-8859-1').map((value) => ({
    value,
    words: CHARSET_WORDS[value],
  }));
}

export function delimiterChoices(): readonly Choice[] {
  return [
    { value: ';', words: t('Semikolon ;', 'Semicolon ;') },
    { value: ',', words: t('Komma ,', 'Comma ,') },
    { value: '\t', words: t('Tabulator', 'Tab') },
    { value: '|', words: t('Lodret streg |', 'Bar |') },
    { value: '', words: t('Ingen: én kolonne', 'None: one column') },
  ];
}

export function decimalChoices(): readonly Choice[] {
  return [
    { value: 'comma', words: t('Komma: 55,5', 'Comma: 55,5') },
    { value: 'point', words: t('Punktum: 55.5', 'Point: 55.5') },
    { value: '', words: t('Ingen decimaler', 'No decimals') },
  ];
}

/** Rows near the one that was found. */
const HEAD_ROWS = 10;

export function headRowField(found: number, onChange: (row: number) => void): Node {
  const count = Math.min(JOB_LIMITS.headRow.max, Math.max(found, HEAD_ROWS));
  const rows = Array.from({ length: count }, (_, i) => String(i + 1));
  return choose({
    id: 'head-row',
    label: t('Overskrifterne står i række', 'Headings are in row'),
    choices: rows.map((row) => ({ value: row, words: row })),
    chosen: String(found),
    onChange: (row) => onChange(Number(row)),
  });
}

/** What a cell shows; nothing where there is nothing. */
function shown(cell: Cell): string {
  if (typeof cell === 'boolean') return String(cell);
  return textOf(cell) ?? '';
}

/** The first rows as they were read, under the names of their columns. */
export function previewTable({ columns, rows, numbers }: Looked): Node {
  return table({
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

/** A few cells of a row, for a person to know it again. */
export function rowText(row: Row, places: readonly number[]): string {
  return places
    .map((place) => shown(row[place]))
    .filter((text) => text !== '')
    .join(' · ');
}

/** What the first rows were answered. */
export function triedCell(tried: Tried | null): Node | string {
  if (tried === null) return t('spørger …', 'asking …');
  if ('answer' in tried) return tried.answer;
  return h('span', { class: 'fault' }, `${t('Intet svar: ', 'No answer: ')}${tried.failure}`);
}
