/** A night that did not publish: one line of the log says which layer, where, which guard and why. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { SyncQueue } from '../../sync/queue.ts';
import { keptLog } from '../support/log.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openSyncBench());
beforeAll(async () => {
  expect((await bench.sync('skov')).state).toBe('published');
});
beforeEach(() => bench.upstream.faults.clear());

/** A night's run, as the service has it; the lines at `error`. */
async function night(layer: 'skov'): Promise<ReturnType<typeof keptLog>['lines']> {
  const log = keptLog();
  const queue = new SyncQueue({ ...bench.deps, log }, 1);
  expect(queue.request(layer, 'schedule')).toBe('queued');
  await queue.idle();
  return log.lines.filter(({ level }) => level === 'error');
}

test('a refused run names its guard, the numbers and the other guards', async () => {
  bench.upstream.faults.set([{ fault: 'sudden-drop', layer: 'skov' }]);
  const [line, ...more] = await night('skov');
  expect(more).toEqual([]);
  expect(line?.fields).toMatchObject({
    layer: 'skov',
    run: expect.stringMatching(/./) as string,
    phase: 'check',
    trigger: 'schedule',
    guard: expect.stringMatching(/^(min-rows|row-drop)$/) as string,
  });
  const { guard, numbers, others } = line?.fields ?? {};
  expect(Object.values(numbers as object).every((value) => typeof value === 'number')).toBe(true);
  expect((others as { guard: string }[]).map((other) => other.guard)).toContain('area-drop');
  expect(line?.message).toMatch(
    new RegExp(`^sync of skov refused by ${String(guard)}; the old copy stays: .+`),
  );
});

test('a failed run names its phase and the cause', async () => {
  bench.upstream.faults.set([{ fault: 'http-500', layer: 'skov' }]);
  const [line, ...more] = await night('skov');
  expect(more).toEqual([]);
  expect(line?.fields).toMatchObject({
    layer: 'skov',
    run: expect.stringMatching(/./) as string,
    phase: 'fetch',
    trigger: 'schedule',
    reason: expect.stringContaining('500') as string,
    err: expect.any(Error) as Error,
  });
  expect(line?.message).toMatch(/^sync of skov failed in fetch: .*500/);
});

test('a run that was stopped is told, and is no error', async () => {
  const log = keptLog();
  const queue = new SyncQueue({ ...bench.deps, log }, 1);
  bench.upstream.faults.set([{ fault: 'http-503', layer: 'skov' }]);
  queue.request('skov', 'schedule');
  await queue.stop();
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(log.lines.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^sync of skov stopped in \w+: The service was stopped\.$/),
  );
});
