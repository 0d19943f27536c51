/** A disk that hangs keeps nobody waiting, and few of the threads that read for node. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DiskReads, DiskSilent } from '../../src/kernel/disk-reads.ts';
import type { ReadAt } from '../../src/kernel/disk-reads.ts';
import { LIMITS } from '../../src/kernel/limits.ts';

const { atATime, ms } = LIMITS.diskReads;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a read that hangs is given up in time, and until it is back no other is begun', async () => {
  const hanging = Promise.withResolvers<{ bytesRead: number }>();
  let isHanging = true;
  const begun = vi.fn<ReadAt>(() =>
    isHanging ? hanging.promise : Promise.resolve({ bytesRead: 1 }),
  );
  const reads = new DiskReads(begun);
  const read = () => reads.read(3, Buffer.alloc(1), 0);
  const all = Array.from({ length: 5 }, () => read().catch((error: unknown) => error));
  await vi.advanceTimersByTimeAsync(ms);
  for (const one of await Promise.all(all)) expect(one).toBeInstanceOf(DiskSilent);
  expect(begun).toHaveBeenCalledTimes(atATime);
  await expect(read()).rejects.toBeInstanceOf(DiskSilent);
  expect(begun).toHaveBeenCalledTimes(atATime);
  isHanging = false;
  hanging.resolve({ bytesRead: 1 });
  await vi.advanceTimersByTimeAsync(0);
  expect(await read()).toBe(1);
});

test('what a read says is passed on', async () => {
  const reads = new DiskReads(() => Promise.reject(new Error('EIO')));
  await expect(reads.read(3, Buffer.alloc(1), 0)).rejects.toThrow('EIO');
});
