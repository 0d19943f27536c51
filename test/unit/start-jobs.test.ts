/** When a service that starts claims chunks of jobs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { startJobs } from '../../src/start/jobs.ts';

function starting(migrated = Promise.resolve()) {
  const said: string[] = [];
  const jobs = {
    start: () => void said.push('started'),
    stop: () => Promise.resolve(void said.push('stopped')),
    noteLoading: () => Promise.resolve(),
  };
  const addresses = { isOpen: false, isAwaited: true };
  const places = { isOpen: false, isAwaited: false };
  const stop = startJobs(jobs, migrated, [addresses, places]);
  return { said, addresses, stop };
}

test('not before the addresses are in memory, however long that takes: its rows would say they are not', async () => {
  const { said, addresses, stop } = starting();
  const hourLater = performance.now() + 3_600_000;
  const now = vi.spyOn(performance, 'now').mockReturnValue(hourLater);
  await sleep(120);
  now.mockRestore();
  expect(said).toEqual([]);
  addresses.isOpen = true;
  await expect.poll(() => said).toEqual(['started']);
  await stop();
  expect(said).toEqual(['started', 'stopped']);
});

test('never, where it stops first or the schema cannot be made', async () => {
  const waiting = starting();
  await sleep(10);
  await waiting.stop();
  const failed = starting(Promise.reject(new Error('no schema')));
  await sleep(120);
  expect(waiting.said).toEqual(['stopped']);
  expect(failed.said).toEqual([]);
  await failed.stop();
});
