/** A caseworker's words for the columns of answers: every column has them, and nothing unknown reads as a no. */
import { describe, expect, test } from 'vitest';
import { cellWords, columnWords } from '../../src/jobs/column-words.ts';
import { kindOf } from '../../src/core/rows/kind.ts';
import { KINDS } from '../../src/core/rows/job-types.ts';
import type { AnsweredKind } from '../../src/core/rows/job-types.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import { IDLE_KINDS } from '../support/registers.ts';

const columnsOf = (kind: AnsweredKind) => kindOf(IDLE_KINDS, kind).rows.columns;

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
    const said = cellWords(columns, 'da')(columns.map(() => ''));
    const empty = columns.filter((_column, at) => said[at] === '');
    expect(
      empty.filter(
        (column) => !['etage', 'doer', 'supplerende_bynavn', 'ulaeste_kolonner'].includes(column),
      ),
    ).toEqual([]);
    expect(said).not.toContain('nej');
  });
});

describe('a line in words', () => {
  const columns = columnsOf('miljoe');
  const say = (cells: Readonly<Record<string, string>>, language: 'da' | 'en' = 'da') => {
    const said = cellWords(columns, language)(columns.map((column) => cells[column] ?? ''));
    return (column: string) => said[columns.indexOf(column)];
  };
  const clear = {
    skov_status: 'ok',
    skov_inden_for: 'false',
    skov_usikker: 'false',
    skov_antal: '0',
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

  test('has a name of its own', () => {
    const heads = LINE_KEYS.map((key) => columnWords(`${key}_inden_for`, 'da'));
    expect(new Set(heads).size).toBe(LINE_KEYS.length);
  });
});

describe('a condition in words', () => {
  const columns = columnsOf('forhold');
  const say = (cells: Readonly<Record<string, string>>) => {
    const said = cellWords(columns, 'da')(columns.map((column) => cells[column] ?? ''));
    return (column: string) => said[columns.indexOf(column)];
  };

  test('is a no only where it was measured', () => {
    const of = say({
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
});

test('what is within has a distance, and a code is said', () => {
  const columns = columnsOf('miljoe');
  const cells: Readonly<Record<string, string>> = {
    skov_status: 'ok',
    skov_inden_for: 'true',
    skov_afstand_m: '-111.6',
  };
  const said = cellWords(columns, 'da')(columns.map((column) => cells[column] ?? ''));
  expect(said[columns.indexOf('skov_afstand_m')]).toBe('111.6');
  const ofAddress = columnsOf('datavask');
  const told = cellWords(
    ofAddress,
    'da',
  )(ofAddress.map((column) => ({ kategori: 'C', status: '2' })[column] ?? 'x'));
  expect(told[ofAddress.indexOf('kategori')]).toBe('C: et gæt');
  expect(told[ofAddress.indexOf('status')]).toBe('foreløbig');
});

test('a year that BBR does not know is not stated', () => {
  const columns = columnsOf('bbr');
  const year = (text: string) =>
    cellWords(columns, 'da')(columns.map((column) => (column === 'opfoerelsesaar' ? text : 'x')))[
      columns.indexOf('opfoerelsesaar')
    ];
  expect([year('1000'), year('0'), year(''), year('1987')]).toEqual([
    ...['ikke oplyst', 'ikke oplyst', 'ikke oplyst', '1987'],
  ]);
});
