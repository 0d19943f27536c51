/** The nightly runner: goes on after a failure, and takes nothing for a pass that said nothing. */
import { expect, test } from 'vitest';
import { join } from 'node:path';
import { ageLines, keepRuns, readSummary } from '../support/nightly-summary.ts';
import { runParts } from '../support/nightly-parts.ts';
import type { Part } from '../support/nightly-parts.ts';
import { ownFolder } from '../support/opened.ts';

const directory = ownFolder('nightly-test');

function part(name: string, script: string, change: Partial<Part> = {}): Part {
  const result = /^\d+ things, \d+ findings/;
  return { name, args: ['-e', script], env: {}, limitMs: 30_000, result, ...change };
}

test('says name, seconds, result and verdict of each part, and goes on after a failed one', async () => {
  const said: string[] = [];
  const counted = await runParts(
    [
      part(
        'good',
        "console.log('seed 1'); console.log(process.env.HEAVY + ' things, 0 findings')",
        { env: { HEAVY: '7' } },
      ),
      part('found', "console.log('3 things, 1 findings'); process.exitCode = 1"),
      part('silent', ''),
      part('hangs', "console.log('5 things, 0 findings'); setInterval(() => {}, 1000)", {
        limitMs: 1_500,
      }),
      part('coloured', "console.log('\\u001b[32m9 things, 0 findings\\u001b[39m')"),
    ],
    { directory, say: (line) => said.push(line) },
  );
  expect(counted).toEqual({ passed: 2, failed: 3 });
  const heads = said.filter((line) => !line.startsWith('  | '));
  expect(heads).toEqual([
    expect.stringMatching(/^good +\d+ s {2}7 things, 0 findings {2}passed$/),
    expect.stringMatching(
      /^found +\d+ s {2}3 things, 1 findings {2}FAILED \(exit code 1; .*found\.log\)$/,
    ),
    expect.stringMatching(/^silent +\d+ s {2}no output {2}FAILED \(exit code 0; /),
    expect.stringMatching(/^hangs +\d+ s {2}5 things, 0 findings {2}FAILED \(ended by SIGKILL/),
    expect.stringMatching(/^coloured +\d+ s {2}9 things, 0 findings {2}passed$/),
    '2 passed, 3 failed',
  ]);
  expect(said).toContain('  | 3 things, 1 findings');
});

test('keeps the last run of each part, and says what is old, failed or was never run', () => {
  const path = join(directory, 'nightly.json');
  const run = { commit: null, share: 1, seed: '1', seconds: 1, passed: true, result: 'ok' };
  keepRuns(path, { faults: { ...run, date: '2026-11-01', share: 0.01 } });
  keepRuns(path, { fuzz: { ...run, date: '2026-11-10', passed: false, result: '3 findings' } });
  const now = new Date('2026-11-12T05:00:00Z');
  expect(ageLines(readSummary(path), ['faults', 'fuzz', 'failover'], now)).toEqual([
    'Night: 2 of 3 parts were run, the oldest 11 days ago, the smallest with share 0.01.',
    '  fuzz: FAILED 2 days ago: 3 findings',
    '  failover: never run',
  ]);
});
