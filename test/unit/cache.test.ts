import { expect, test } from 'vitest';
import { cacheByCount } from '../../src/kernel/cache.ts';

test('a cache by count keeps as many as it says, the most recently used', () => {
  const cache = cacheByCount<{ n: number }>(3, 0);
  for (let n = 0; n < 3; n++) cache.set(String(n), { n });
  expect(cache.get('0')).toEqual({ n: 0 });
  cache.set('3', { n: 3 });
  expect(cache.size).toBe(3);
  expect(cache.get('1')).toBeUndefined();
  expect(['0', '2', '3'].map((key) => cache.get(key)?.n)).toEqual([0, 2, 3]);
});
