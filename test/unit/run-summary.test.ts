import { describe, expect, test } from 'vitest';
import { filesToRunAgain, withSecondRuns } from '../support/run-again.ts';
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
const run = (files: readonly FileReport[], more: Partial<Run> = {}): Run => ({
  seconds: 3,
  status: 0,
  report: { files, errors: [] },
  ...more,
});
const said = (given: Run): string => summarize(given).lines.join('\n');

test('every failure is named with its file, its lane and the first line of what it said', () => {
  const failures = [
    { test: 'a > b', message: 'expected 1 to be 2' },
    { test: null, message: 'no such module' },
  ];
  const files = [file('a'), file('c', { lane: 'embedded', failures })];
  const { ok, lines } = summarize(run(files, { status: 1 }));
  expect(ok).toBe(false);
  expect(lines.slice(-7)).toEqual([
    'Failed',
    '  test/c.test.ts (embedded): a > b',
    '      expected 1 to be 2',
    '  test/c.test.ts (embedded): the file itself',
    '      no such module',
    '',
    '4 passed, 2 failed, 0 skipped in 3 s',
  ]);
});

test('a run that reports nothing, or ends badly with nothing failed, is a failure that is told', () => {
  const silent = run([], { status: 7, report: null });
  expect(summarize(silent).ok).toBe(false);
  expect(said(silent)).toContain('vitest: ended with status 7 and no report');
  expect(said(run([file('a')], { status: 1 }))).toContain('vitest: ended with status 1');
  const report = { files: [], errors: ['no store'] };
  expect(said(run([], { status: 1, report }))).toContain('vitest: no store');
});

test('nothing passed is no success, and something is', () => {
  expect(summarize(run([file('a', { passed: 0, skipped: 2 })])).ok).toBe(false);
  expect(summarize(run([file('a')])).ok).toBe(true);
});

describe('files that failed', () => {
  const failures = [{ test: 'a > b', message: 'expected 1 to be 2' }];
  const failed = (name: string): FileReport => file(name, { failures, passed: 1 });

  test('are run again while they are few and the run is whole', () => {
    expect(filesToRunAgain(run([file('a'), failed('b')])).map(({ file }) => file)).toEqual([
      'test/b.test.ts',
    ]);
    expect(filesToRunAgain(run(['a', 'b', 'c', 'd'].map(failed)))).toEqual([]);
    expect(filesToRunAgain(run([], { report: null }))).toEqual([]);
    const broken = { files: [failed('a')], errors: ['no store'] };
    expect(filesToRunAgain(run([], { report: broken }))).toEqual([]);
  });

  test('and pass then are told as flaky, and the run is good', () => {
    const whole = withSecondRuns(run([file('a'), failed('b')], { status: 1 }), [run([file('b')])]);
    const { ok, lines } = summarize(whole);
    expect(ok).toBe(true);
    expect(lines.slice(-5)).toEqual([
      'Flaky: failed, and passed when run again',
      '  test/b.test.ts (store): a > b',
      '      expected 1 to be 2',
      '',
      '4 passed, 0 failed, 0 skipped in 6 s',
    ]);
  });

  test('and fail again, or do not run again, are failures', () => {
    const first = run([failed('a'), failed('b')], { status: 1 });
    const seconds = [
      [run([file('a')]), run([failed('b')], { status: 1 })],
      [run([file('a')]), run([], { status: 7, report: null })],
      [run([file('a')]), run([file('b', { passed: 0, skipped: 3 })])],
      [],
    ];
    for (const second of seconds) {
      const { ok, lines } = summarize(withSecondRuns(first, second));
      expect(ok).toBe(false);
      expect(lines.join('\n')).toContain('Failed');
    }
  });
});
