/** Memory of bodies: lent, given back, lent again; never to two at a time. */
import { describe, expect, test } from 'vitest';
import { BufferPool } from '../../src/kernel/buffer-pool.ts';
import { LIMITS } from '../../src/kernel/limits.ts';

describe('a lent buffer', () => {
  test.each([0, 1, 4_095, 4_096, 4_097, 65_536, 70_001, LIMITS.bodyPooledBytes])(
    'has just the length that was asked for: %i',
    (length) => {
      const pool = new BufferPool();
      expect(pool.acquire(length).length).toBe(length);
    },
  );

  test('is lent again once it is back, and not before', () => {
    const pool = new BufferPool();
    const first = pool.acquire(5_000);
    const second = pool.acquire(6_000);
    expect(second.buffer).not.toBe(first.buffer);
    pool.release(first.subarray(0, 10));
    expect(pool.acquire(8_000).buffer).toBe(first.buffer);
    expect(pool.freeBytes).toBe(0);
  });

  test('given back twice is lent to one', () => {
    const pool = new BufferPool();
    const first = pool.acquire(100);
    pool.release(first);
    pool.release(first);
    expect(pool.acquire(100).buffer).not.toBe(pool.acquire(100).buffer);
  });

  test('that was not lent here is left alone', () => {
    const pool = new BufferPool();
    pool.release(Buffer.from('somebody else’s'));
    pool.release(new BufferPool().acquire(100));
    expect(pool.freeBytes).toBe(0);
  });

  test('is kept up to a limit in all, and made for once past one of its own', () => {
    const pool = new BufferPool(10_000);
    const lent = [1, 2, 3, 4].map(() => pool.acquire(4_000));
    for (const buffer of lent) pool.release(buffer);
    expect(pool.freeBytes).toBe(2 * 4_096);
    const long = pool.acquire(LIMITS.bodyPooledBytes + 1);
    pool.release(long);
    expect(long.buffer).toBeInstanceOf(ArrayBuffer);
    expect(pool.freeBytes).toBe(2 * 4_096);
  });
});
