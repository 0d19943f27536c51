import { expect, test } from 'vitest';
import type { FileReport } from '../support/run-report.ts';
import { summarize } from '../support/run-summary.ts';
import type { Run } from '../support/run-summary.ts';

const file = (name: string, more: Partial<FileReport> = {}): FileReport => ({
  file: `test/${name}.test.ts`,
  lane: 'store',
  seconds: 1,
  passed: 2,
  skipped: 0,
  failures: [],
  ...more,
});
const run = (more: Partial<Run> = {}): Run => ({
  name: 'PostgreSQL',
  seconds: 3,
  status: 0,
  report: { files: [file('a')], errors: [] },
  ...more,
});
const failedPart = (runs: readonly Run[]): string => {
  const text = summarize(runs).lines.join('\n');
  return text.slice(text.indexOf('\nFailed\n'));
};

test('every failure is named with its file, its run and the first line of what it said', () => {
  const failures = [
    { test: 'a > b', message: 'expected 1 to be 2' },
    { test: null, message: 'no such module' },
  ];
  const summary = summarize([
    run(),
    run({ name: 'embedded', status: 1, report: { files: [file('c', { failures })], errors: [] } }),
  ]);
  expect(summary.ok).toBe(false);
  expect(summary.lines.slice(-7)).toEqual([
    'Failed',
    '  test/c.test.ts (embedded): a > b',
    '      expected 1 to be 2',
    '  test/c.test.ts (embedded): the file itself',
    '      no such module',
    '',
    '4 passed, 2 failed, 0 skipped',
  ]);
});

test('a run that reports nothing, or ends badly with nothing failed, is a failure with a name', () => {
  expect(failedPart([run(), run({ status: 7, report: null })])).toContain(
    'PostgreSQL: ended with status 7 and no report',
  );
  expect(failedPart([run({ status: 1 })])).toContain('PostgreSQL: ended with status 1');
  const errors = ['no store'];
  expect(failedPart([run({ status: 1, report: { files: [], errors } })])).toContain(
    'PostgreSQL: no store',
  );
});

test('nothing passed is no success, and something is', () => {
  const none = { files: [file('a', { passed: 0, skipped: 2 })], errors: [] };
  expect(summarize([run({ report: none })]).ok).toBe(false);
  expect(summarize([run()]).ok).toBe(true);
});

test('the twenty slowest files are listed, slowest first', () => {
  const files = Array.from({ length: 30 }, (_, i) => file(`f${i}`, { seconds: i }));
  const { lines } = summarize([run({ report: { files, errors: [] } })]);
  const listed = lines.filter((line) => line.includes('.test.ts'));
  expect(listed).toHaveLength(20);
  expect(listed[0]).toContain('29.0 s  test/f29.test.ts (PostgreSQL)');
});
