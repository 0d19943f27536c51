/** A caseworker's words for the columns of answers: every column has them, and nothing unknown reads as a no. */
import { describe, expect, test } from 'vitest';
import { cellWords, columnWords } from '../../src/jobs/column-words.ts';
import { KINDS } from '../../src/core/rows/job-types.ts';
import type { AnsweredKind } from '../../src/core/rows/job-types.ts';
import { IDLE_KINDS } from '../support/registers.ts';

const columnsOf = (kind: AnsweredKind) => IDLE_KINDS.get(kind)!.rows.columns;

type Cells = Readonly<Record<string, string>>;
/** What is said of each column of a row that has these cells, and else `rest`. */
function said(kind: AnsweredKind, cells: Cells, language: 'da' | 'en' = 'da', rest = '') {
  const columns = columnsOf(kind);
  const words = cellWords(columns, language)(columns.map((column) => cells[column] ?? rest));
  return (column: string) => words[columns.indexOf(column)];
}

describe.each<AnsweredKind>([...KINDS, 'forhold'])('the columns of %s', (kind) => {
  const columns = columnsOf(kind);

  test.each(['da', 'en'] as const)('are headings, each another: %s', (language) => {
    const heads = columns.map((column) => columnWords(column, language));
    expect(heads.filter((head) => !/^\p{Lu}/u.test(head) || /_/.test(head))).toEqual([]);
    expect(new Set(heads).size).toBe(columns.length);
  });

  test('of a row without an answer say so, every one', () => {
    expect(new Set(cellWords(columns, 'da')([]))).toEqual(new Set(['ikke besvaret']));
  });

  test('never read as a no, nor as nothing, where a cell is empty', () => {
    const words = cellWords(columns, 'da')(columns.map(() => ''));
    const empty = columns.filter((_column, at) => words[at] === '');
    expect(
      empty.filter(
        (column) => !['etage', 'doer', 'supplerende_bynavn', 'ulaeste_kolonner'].includes(column),
      ),
    ).toEqual([]);
    expect(words).not.toContain('nej');
  });
});

describe('a line in words', () => {
  const columns = columnsOf('miljoe');
  const say = (cells: Cells, language?: 'da' | 'en') => said('miljoe', cells, language);
  const clear = {
    ...{ skov_status: 'ok', skov_inden_for: 'false', skov_usikker: 'false', skov_antal: '0' },
  };

  test('that is clear is a no, and tells how far was searched', () => {
    const of = say({ ...clear, soegeradius_m: '500' });
    expect(columnWords('skov_inden_for', 'da')).toBe('Inden for skovbyggelinje');
    expect(of('skov_inden_for')).toBe('nej');
    expect(of('skov_afstand_m')).toBe('ingen inden for 500 m');
    expect(of('skov_objekt_id')).toBe('ingen');
  });

  test('that is in force is a yes, and says so where it is uncertain', () => {
    expect(say({ ...clear, skov_inden_for: 'true' })('skov_inden_for')).toBe('ja');
    const unsure = { ...clear, skov_inden_for: 'true', skov_usikker: 'true' };
    expect(say(unsure)('skov_inden_for')).toBe('ja, usikkert');
    expect(say(unsure, 'en')('skov_inden_for')).toBe('yes, uncertain');
  });

  test('that was not answered is neither, in any of its columns', () => {
    const of = say({
      skov_status: 'utilgaengelig',
      utilgaengelige: 'skov kirke',
      antal_i_kraft: '2',
    });
    const its = columns.filter((column) => column.startsWith('skov_'));
    expect(new Set(its.map(of))).toEqual(new Set(['kunne ikke svares']));
    expect(of('utilgaengelige')).toBe('skovbyggelinje, kirkebyggelinje');
    expect(of('antal_i_kraft')).toBe('mindst 2');
  });
});

test('a condition in words is a no only where it was measured', () => {
  const of = said('forhold', {
    ...{ lokalplan_status: 'ok', lokalplan_beroert: 'false', zone_status: 'utilgaengelig' },
    ...{ jord_v1_status: 'ikke_kortlagt', soegeradius_m: '500', utilgaengelige: 'zone' },
  });
  expect(columnWords('omraadeklassificering_beroert', 'da')).toBe(
    'Berøres af områdeklassificering',
  );
  expect(of('lokalplan_beroert')).toBe('nej');
  expect(of('lokalplan_afstand_m')).toBe('ingen inden for 500 m');
  expect(of('zone_beroert')).toBe('kunne ikke svares');
  expect(of('jord_v1_beroert')).toBe('ikke kortlagt');
  expect(of('skov_beroert')).toBe('ikke spurgt');
  expect(of('utilgaengelige')).toBe('zone');
});

test('what is within has a distance, and a code is said', () => {
  const within = { skov_status: 'ok', skov_inden_for: 'true', skov_afstand_m: '-111.6' };
  expect(said('miljoe', within)('skov_afstand_m')).toBe('111.6');
  const of = said('datavask', { kategori: 'C', status: '2' }, 'da', 'x');
  expect([of('kategori'), of('status')]).toEqual(['C: et gæt', 'foreløbig']);
});

test('a year that BBR does not know is not stated', () => {
  const year = (text: string) => said('bbr', { opfoerelsesaar: text }, 'da', 'x')('opfoerelsesaar');
  expect([year('1000'), year('0'), year(''), year('1987')]).toEqual([
    ...['ikke oplyst', 'ikke oplyst', 'ikke oplyst', '1987'],
  ]);
});
