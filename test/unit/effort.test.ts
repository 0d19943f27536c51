/** How hard jobs are worked on, alone and beside lookups. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { concurrencyBeside } from '../../src/jobs/concurrency.ts';
import { METERING_LIMITS } from '../../src/metering/limits.ts';
import { ActivityProbe } from '../../src/metering/activity-probe.ts';
import { journalDirectory } from '../../src/metering/journal.ts';
import { ownFolder } from '../support/opened.ts';
import { until } from '../support/until.ts';

test.each([
  // cores, places, rest: one chunk at work takes a core while it works.
  [1, 1, 3],
  [2, 1, 1],
  [3, 1, 0],
  [4, 1, 0],
  [8, 3, 0],
  [16, 7, 0],
  [64, 10, 0],
])(
  'beside lookups, of %i cores: %i chunks at a time, rest %f times their work',
  (cores, places, rest) => {
    expect(concurrencyBeside(10, cores)).toEqual({ places, rest });
  },
);

describe('who is answered on this machine is seen in its journals', () => {
  const dataDir = ownFolder('answering');
  const directory = journalDirectory(dataDir);
  const look = () => sleep(METERING_LIMITS.besideLookMs + 20);
  test('nobody, where there is no journal, none that grows, or another file that does', async () => {
    const none = new ActivityProbe(directory);
    expect(none.isUnderWay()).toBe(false);
    await look();
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'aaa-1.journal'), 'an old line\n');
    const old = new ActivityProbe(directory);
    appendFileSync(join(directory, 'place'), 'a name');
    await look();
    old.isUnderWay();
    await look();
    expect(old.isUnderWay()).toBe(false);
  });

  test('somebody, once any of them grows, until a while after, whoever else is folded meanwhile', async () => {
    const answering = new ActivityProbe(directory);
    const isSeenToGrow = (): boolean => {
      appendFileSync(join(directory, 'bbb-1.journal'), 'a line\n');
      return answering.isUnderWay();
    };
    await until(isSeenToGrow);
    rmSync(join(directory, 'aaa-1.journal'));
    await until(() => !answering.isUnderWay());
    await until(isSeenToGrow);
  });
});
