/** Cells nobody runs, ranges as RFC 9110 has them, and the rate of a job: without a store. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvCells, csvHeader, csvText } from '../../src/core/rows/csv-cells.ts';
import { RateMeter } from '../../src/jobs/progress.ts';
import { rangeOf } from '../../src/http/wire/range.ts';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { parseRows, readAs, runningCells } from '../jobs/csv-judge.ts';
import { anyText } from '../support/any-text.ts';
import { amountOf } from '../support/run-settings.ts';

describe('a cell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1:A9)', "'@SUM(A1:A9)"],
    ['+4512', '+4512'],
    ['-7,5', '"-7,5"'],
    ['-2+3', "'-2+3"],
    ['=HYPERLINK("x";"y")', '"\'=HYPERLINK(""x"";""y"")"'],
    ['a;=1', '"a;\'=1"'],
    ['a;=1+1;b', '"a;\'=1+1;b"'],
    ['a\n=1+1', '"a\n\'=1+1"'],
    ['a\r\n-1', '"a\r\n\'-1"'],
    ['a\t@x', '"a\t\'@x"'],
    ['＝1+1', "'＝1+1"],
    ['a;＋1', '"a;\'＋1"'],
    ['a;"=1"', '"a;""\'=1"""'],
    ['a\r\n\r\nb', '"a\r\n\r\nb"'],
    ['a;b', '"a;b"'],
    ['100,-', '"100,-"'],
    ['a;\t=1', '"a;\'\t\'=1"'],
    ['+45 123 456', "'+45 123 456"],
    ['\t1', '"\'\t1"'],
    ['-1.234,5', '"-1.234,5"'],
    ['Ærø', 'Ærø'],
  ])('%j is written as %j', (text, written) => {
    expect(csvText(text)).toBe(written);
  });

  test('of any kind comes back from a CSV as it was, but for the mark that stops a formula', () => {
    const cell = fc.oneof(anyText, fc.double(), fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (row) => {
        const [read = []] = parseRows(`${csvCells(row, row.length)}\r\n`);
        expect(read).toHaveLength(row.length);
        for (const [i, given] of row.entries()) {
          const text = given === null ? '' : String(given);
          const bare = (cell: string) => cell.replace(/^ (?=[+-])/, '').replaceAll("'", '');
          expect(bare(read[i]!)).toBe(bare(text));
          if (typeof given === 'string') expect(read[i]).not.toMatch(/^[=@\t\r]/);
        }
      }),
    );
  });

  const PIECES = 'a|1| |,|;|"|=|+|-|@|＝|＋|－|＠|\'|-5|7,5|\t|\n|\r|\r\n'.split('|');

  test('runs in no file, whichever of comma, semicolon and tab reads it', () => {
    const text = fc
      .array(fc.constantFrom(...PIECES), { maxLength: 8 })
      .map((some) => some.join(''));
    const cell = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }));
    const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 4 });
    const names = fc.array(text, { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(names, rows, (columns, some) => {
        const lines = some.map((row, i) => `${csvCells(row, 3)},${i},${csvText('=x;=y')}\r\n`);
        const file = `\ufeff${csvHeader(columns, ['raekke', '-svar'])}${lines.join('')}`;
        expect(runningCells(file)).toEqual([]);
        expect(readAs(file, ',')).toHaveLength(some.length + 1);
      }),
      { numRuns: amountOf({ gate: 500, night: 3_000 }) },
    );
  });

  test('that would run is found by the judge', () => {
    const running = ['1,"a;=1+1;b"', '1,"a\n=1"', '-5,x', '1,"\t=1"', '=1', '1,"a;""=1"""'];
    for (const row of running) expect(runningCells(`${row}\r\n`), row).not.toEqual([]);
    expect(runningCells('1,-5,"-7,5",-1e-7\r\n')).toEqual([]);
  });
});

describe('a range', () => {
  test.each([
    ['bytes=0-', { from: 0, until: 10 }],
    ['bytes=3-5', { from: 3, until: 6 }],
    ['bytes=3-99', { from: 3, until: 10 }],
    ['bytes=-4', { from: 6, until: 10 }],
    ['bytes=-99', { from: 0, until: 10 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=9007199254740993-', 'unsatisfiable'],
    [`bytes=1${'0'.repeat(30)}-`, 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-${'9'.repeat(500)}`, 'unsatisfiable'],
    ['bytes=3-9007199254740993', { from: 3, until: 10 }],
    [`bytes=-${'9'.repeat(400)}`, { from: 0, until: 10 }],
    [`bytes=000000000000000000003-5`, { from: 3, until: 6 }],
    ['BYTES=3-5', { from: 3, until: 6 }],
    ['bytes=3-5,', { from: 3, until: 6 }],
    ['bytes=1e1-', null],
    ['bytes=+1-2', null],
    [`bytes=${Array.from({ length: 500 }, (_, at) => `${at}-${at}`).join()}`, null],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-3', null],
    ['bytes=0-1,4-5', null],
    ['rows=0-1', null],
    ['bytes=-', null],
    [undefined, null],
  ])('%s of ten bytes', (header, expected) => {
    expect(rangeOf(header, 10)).toEqual(expected);
  });
});

test('the rate of a job is that of the last moments, and unknown while nothing moves', () => {
  const meter = new RateMeter();
  const job = (rows: number, status: 'running' | 'paused' = 'running') =>
    ({ status, succeeded: rows, failed: 0, totalRows: 1_000 }) as const;
  const unknown = { rowsPerSecond: null, estimatedCompletionMs: null };
  expect(meter.see(job(0), 0)).toEqual(unknown);
  expect(meter.see(job(0), 1_000)).toEqual(unknown);
  expect(meter.see(job(400), 2_000)).toEqual({ rowsPerSecond: 200, estimatedCompletionMs: 5_000 });
  expect(meter.see(job(400, 'paused'), 3_000)).toEqual(unknown);
  const later = 3_000 + JOB_LIMITS.rateWindowMs;
  expect(meter.see(job(500), later)).toMatchObject({ rowsPerSecond: 10 });
});
