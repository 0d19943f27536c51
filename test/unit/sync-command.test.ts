import { CONDITION_IDS } from '../../src/layers/conditions/index.ts';
import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../sync/command.ts';
import { displayOn, outcomeLines } from '../../sync/terminal.ts';
import { noCounts } from '../../sync/deps.ts';
import type { Progress, RunOutcome } from '../../sync/deps.ts';
import { MIRROR_IDS } from '../../src/layers/mirror-ids.ts';

function commandOf(...argv: string[]) {
  const parsed = parseCommand(argv);
  if (parsed.kind !== 'run') throw new Error(`not a command: ${JSON.stringify(parsed)}`);
  return parsed.command;
}

function mistakeOf(...argv: string[]): string {
  const parsed = parseCommand(argv);
  return parsed.kind === 'mistake' ? parsed.message : '';
}

describe('the sync command', () => {
  test('takes layers in the order of the catalogue, each once, whatever order they came in', () => {
    expect(commandOf('soe', 'region', 'soe').layers).toEqual(['region', 'soe']);
    expect(commandOf('all').layers).toEqual(MIRROR_IDS);
    expect(commandOf('all', 'soe').layers).toEqual(MIRROR_IDS);
    expect(commandOf('forhold', 'soe').layers).toEqual(['soe', ...CONDITION_IDS]);
  });

  test('lifts guards named with commas or one by one', () => {
    expect(commandOf('soe', '--lift', 'empty,issues').lift).toEqual(['empty', 'issues']);
    expect(commandOf('soe', '--lift=empty', '--lift=issues').lift).toEqual(['empty', 'issues']);
  });

  test('asks the terrain in a dry run only, by its name or with all', () => {
    expect(commandOf('dhm', '--dry-run')).toMatchObject({ layers: [], terrain: true });
    expect(commandOf('cvr', 'dhm', '--dry-run')).toMatchObject({ layers: ['cvr'], terrain: true });
    expect(commandOf('all', '--dry-run').terrain).toBe(true);
    expect(commandOf('all').terrain).toBe(false);
    expect(mistakeOf('dhm')).toContain('Nothing of dhm is mirrored');
  });

  test('refuses to lift a guard against lost rows, and names those that can be lifted', () => {
    expect(mistakeOf('soe', '--lift', 'parsed')).toMatch(
      /^Cannot lift: parsed. Guards: .*announced/,
    );
  });

  test('reverts the layers named, for whom it is told, but never all at once', () => {
    expect(parseCommand(['revert', 'soe', 'aa', '--by', 'Ida'])).toEqual({
      kind: 'revert',
      command: { layers: ['soe', 'aa'], by: 'Ida', json: false },
    });
    expect(mistakeOf('revert')).toContain('Name the layers to revert');
    expect(mistakeOf('revert', 'all')).toContain('Unknown layer: all');
    expect(mistakeOf('revert', 'soe', '--lift', 'empty')).toContain('neither');
  });

  test('replays one run by its number, dry unless told to publish', () => {
    const command = { runId: '47', publish: false, lift: [], by: null, json: false };
    expect(parseCommand(['replay', '47'])).toEqual({ kind: 'replay', command });
    expect(parseCommand(['replay', '47', '--publish', '--lift', 'empty'])).toEqual({
      kind: 'replay',
      command: { ...command, publish: true, lift: ['empty'] },
    });
    expect(mistakeOf('replay')).toContain('Name the one run');
    expect(mistakeOf('replay', 'soe')).toContain('Name the one run');
    expect(mistakeOf('replay', '47', '--dry-run')).toContain('--publish');
    expect(mistakeOf('soe', '--publish')).toContain('--publish belongs to replay');
  });

  test('refuses no layers and unknown options', () => {
    expect(mistakeOf()).toContain('Name the layers');
    expect(mistakeOf('soe', '--force')).toContain('--force');
  });
});

const at: Progress = {
  layer: 'soe',
  phase: 'fetch',
  pages: 2,
  features: 4000,
  announced: 9000,
  elapsedMs: 1500,
};
const ran = {
  layer: 'soe',
  runId: '1',
  counts: { ...noCounts(), staged: 5 },
  elapsedMs: 900,
} as const;

function shown(isTTY: boolean, outcome: RunOutcome): string {
  let text = '';
  const display = displayOn({ isTTY, columns: 60, write: (more) => (text += more) });
  display.progress(at);
  display.progress({ ...at, pages: 3 });
  display.ended(outcome);
  return text;
}

describe('the display', () => {
  test('rewrites one line on a terminal and never runs over its width', () => {
    const text = shown(true, { ...ran, state: 'unchanged' });
    expect(text.match(/\n/g)).toHaveLength(1);
    const lines = text.split('\r\u001b[K').slice(1);
    expect(lines[0]).toContain('fetch    2 pages, 4,000 of 9,000 feature');
    for (const line of lines) expect(line.length).toBeLessThan(61);
  });

  test('tells a busy layer from a failed one', () => {
    expect(outcomeLines({ layer: 'soe', state: 'busy', sinceMs: 0 })[0]).toContain('1970-01-01');
  });
});
