/** Every column that decides whether a row counts, with every class of values: nothing passes silently. */
import { describe, expect, test } from 'vitest';
import { AS_OF_PATTERN, asOfMs } from '../../src/core/question/as-of.ts';
import { readTable } from '../../src/downloads/read-table.ts';
import { isAreaId } from '../../src/layers/keys.ts';
import { CODE_COLUMNS, MUNICIPALITY_COLUMN } from '../../src/layers/mappings/dagi.ts';
import { mappingOf } from '../../src/layers/mappings/index.ts';
import type { MappingId } from '../../src/layers/catalogue.ts';
import type { ColumnKind, RegisterTable } from '../../src/layers/register-tables.ts';
import { STANDING_COLUMNS } from '../../src/layers/standing-columns.ts';
import type { StandingColumn } from '../../src/layers/standing-columns.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';

const NOW_MS = Date.parse('2026-11-27T12:00:00Z');

type Outcome = 'current' | 'out' | 'future' | 'unread';
interface Seen {
  readonly outcome: Outcome;
  readonly changesAtMs: number | null;
}

const PAST = [
  ...['2020-01-01', '2020/01/01 00:00:00.000', '1999-12-31T23:59:59Z', ' 2026-11-27T11:59:59Z '],
  ...['2026-11-27T12:30:00+01:00', '2019-05-05T05:05:05.123456789Z', '2000-02-29 10:00'],
];
const FUTURE = [
  ...['2026-11-28', '2031-01-01', '2999-12-31', '2026-11-27T12:00:01Z', '2026/12/24 00:00:00.000'],
  ...['2027-01-01T00:00:00.1234567+01:00', '2026-11-27T12:30:00-01:00'],
];
const NO_END = [
  ...['1800-01-01T04:00:00.000', '1800-01-01', '9999-12-31'],
  ...['9999-12-31T23:59:59Z', '2099-10-30'],
];
const NO_TIME = [
  ...['NULL', '-', '0001-01-01', '0000-00-00', '2026-13-45', '2026-02-29', '2026-06-31', 'nu', '1'],
  ...['2026-11-27T24:30:00Z', '2026-11-27T12:61:00Z', '20261127', '27-11-2026', '27.11.2026'],
  'true',
  ...['2026-11-27T12:00:00+25:00', '2026-11-27Tmorgen', '1066-10-14', '∞', '2026'],
  '2020-01-01 ca.',
];
/** What DAR writes for a row of always. */
const FIRST_DAY = ['1753-01-01T00:00:00Z', '1753-01-01'];
const EMPTY = [null, '', '   '];
const NO_CODE = [
  ...['77', 99, '-1', '3.5', '3,5', 'x', 'NULL', '-', 'måske', 'true', '3 og 4', '0x3', '1e0', '٣'],
  '∅',
  ...['3;4', 'gældende?', 'Gjaldende', 'status', '{3}', '3-4', '½', 'III', '003a', 'ja', 'nej'],
  ...['J', 't', 'f'],
];

const PLAIN: Readonly<Record<ColumnKind, string>> = {
  ...{
    uuid: '0a3f507b-c905-32b8-e044-0003ba298018',
    text: 'x',
    id: 'a1',
    ...{ bigint: '7', integer: '7' },
    time: '2020-01-01T00:00:00Z',
  },
  ...{ decimal: '7', date: '2020-01-01', code: '0101', 'upper-number': '1', 'lower-number': '1' },
  ...{ point: 'POINT (600000 6200000)', geometry: 'POINT (600000 6200000)', status: '' },
  surface: 'POLYGON ((600000 6200000, 600100 6200000, 600100 6200100, 600000 6200000))',
};
const TIMES = {
  ...{ registreringFra: '2018-05-03T16:58:34Z', registreringTil: null },
  ...{ virkningFra: '2018-01-01T00:00:00Z', virkningTil: null },
};

function ofMapping(of: MappingId, values: object): Seen {
  const row = {
    ...{ Objekt_id: 'a', navn: 'x', status: 'vedtaget', skala: '1:10.000', ...TIMES },
    ...{ Statuskode: 3, Off_kode: 1, Skovs_kode: 1, Systid_fra: '2020-01-01', Systid_til: null },
    ...(isAreaId(of) && { [CODE_COLUMNS[of]]: 101, [MUNICIPALITY_COLUMN]: 'm' }),
    ...values,
  };
  const options = { keyProperty: 'Objekt_id', dagiScale: '1:10.000', nowMs: NOW_MS };
  const read = mappingOf(of, { ...options, readAtMs: NOW_MS })(row);
  const changesAtMs = read.kind === 'issue' ? null : (read.changesAtMs ?? null);
  const outcome = { feature: 'current', issue: 'unread', skipped: 'out' } as const;
  const isRepealed = read.kind === 'feature' && read.standing === 'repealed';
  if (read.kind === 'skipped' && changesAtMs !== null) return { outcome: 'future', changesAtMs };
  return { outcome: isRepealed ? 'out' : outcome[read.kind], changesAtMs };
}

const ALL_TABLES = Object.values(REGISTERS_CATALOGUE.registers).flatMap(
  ({ schema }) => schema.tables,
);

function ofTable(table: RegisterTable, values: object): Seen {
  const cells = table.columns.map(({ kind, from, standing }) => {
    const code = Object.keys(standing?.words ?? {})[0];
    return [from[0], kind === 'status' ? code : PLAIN[kind]];
  });
  const row = { ...Object.fromEntries(cells), ...TIMES, ...values } as object;
  const bytes = Buffer.from(JSON.stringify([row]));
  const read = readTable({ table, head: null, bytes, members: 1, nowMs: NOW_MS });
  const changesAtMs = read.nextChangeMs;
  if (read.unreadable.length > 0) return { outcome: 'unread', changesAtMs };
  if (read.current.rows > 0) return { outcome: 'current', changesAtMs };
  return { outcome: read.future > 0 ? 'future' : 'out', changesAtMs };
}

function expectedOfTime(kind: 'begin' | 'end', value: unknown, of: string): Outcome[] {
  if (PAST.includes(value as string))
    return kind === 'end' ? (of === 'CVR' ? ['out', 'current'] : ['out']) : ['current'];
  if (FUTURE.includes(value as string)) return kind === 'end' ? ['current'] : ['future'];
  if (NO_TIME.includes(value as string)) return ['unread'];
  if (FIRST_DAY.includes(value as string)) return [kind === 'end' ? 'unread' : 'current'];
  return kind === 'end' ? ['current'] : ['current', 'future'];
}

function spellings({ codes = [], words = {} }: StandingColumn): unknown[] {
  const told = codes.flatMap((code) => [code, `${code}`, ` ${code} `, `${code}.0`, `${code},0`]);
  return [
    ...told,
    ...Object.keys(words).flatMap((word) => [word, word.toUpperCase(), ` ${word} `]),
  ];
}

describe.each(
  STANDING_COLUMNS.flatMap((each) => each.of.map((of) => [of, each.column, each] as const)),
)('%s %s', (of, column, standing) => {
  const tables = ALL_TABLES.filter(
    ({ register, columns }) =>
      register === of &&
      (standing.kind !== 'code' || columns.some((each) => each.standing === standing)),
  ).slice(0, 1);
  const read = (value: unknown): Seen[] =>
    tables.length === 0
      ? [ofMapping(of as MappingId, { [column]: value })]
      : tables.map((table) => ofTable(table, { [column]: value }));

  test('takes what is empty as the table says', () => {
    const outcome = standing.absent === 'unread' ? 'unread' : 'current';
    for (const value of EMPTY) {
      for (const seen of read(value)) expect([value, seen.outcome]).toEqual([value, outcome]);
    }
  });

  test.runIf(standing.kind === 'code')('reads every spelling of its codes, and no other', () => {
    const known = spellings(standing);
    for (const value of known) {
      for (const { outcome } of read(value))
        expect([value, outcome]).not.toEqual([value, 'unread']);
    }
    for (const value of NO_CODE.filter((each) => !known.includes(each))) {
      for (const { outcome } of read(value)) expect([value, outcome]).toEqual([value, 'unread']);
    }
  });

  test.skipIf(standing.kind === 'code')('knows past, future, no end and no time apart', () => {
    for (const value of [...PAST, ...FUTURE, ...NO_END, ...NO_TIME, ...FIRST_DAY]) {
      const wanted = expectedOfTime(standing.kind as 'begin' | 'end', value, of);
      for (const { outcome, changesAtMs } of read(value)) {
        expect([value, wanted, outcome]).toEqual([
          value,
          wanted,
          wanted.includes(outcome) ? outcome : wanted[0],
        ]);
        if (FUTURE.includes(value))
          expect([value, changesAtMs]).toEqual([value, expect.any(Number)]);
      }
    }
  });
});

test('every status of every table is in the list', () => {
  const kinds = ALL_TABLES.flatMap(({ columns }) =>
    columns.filter(({ kind }) => kind === 'status'),
  );
  expect(kinds.filter(({ standing }) => standing === undefined)).toEqual([]);
});

// Fewer and more: test/edge/ejendom.test.ts.
test('an instant of a caller has up to nine digits of a second', () => {
  const nine = '2026-11-27T17:20:00.123456789Z';
  expect(nine).toMatch(new RegExp(AS_OF_PATTERN));
  expect(asOfMs(nine)).toBe(Date.UTC(2026, 10, 27, 17, 20, 0, 123));
});
