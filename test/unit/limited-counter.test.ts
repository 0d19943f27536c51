/** What is counted by account or by client, and where it stops. */
import { expect, test } from 'vitest';
import { localLimiters } from '../../src/kernel/limiters.ts';

test('each has so many at a time, until it gives some back', () => {
  const count = localLimiters().counter('job files', { each: 2, total: Infinity });
  expect([count.add('a'), count.add('a'), count.add('a')]).toEqual([null, null, 'each']);
  expect(count.add('b')).toBeNull();
  count.remove('a');
  expect(count.add('a')).toBeNull();
});

test('all together have no more than the total, and what is refused is not counted', () => {
  const count = localLimiters().counter('job files', { each: 8, total: 10 });
  expect(count.add('a', 8)).toBeNull();
  expect(count.add('b', 3)).toBe('total');
  expect(count.add('a', 1)).toBe('each');
  expect(count.add('b', 2)).toBeNull();
  count.remove('a', 8);
  expect(count.add('c', 8)).toBeNull();
});

test('where memory has no room for a further holder, it is refused', () => {
  const count = localLimiters().counter('held answers', { each: 2, total: 1_000 });
  const names = Array.from({ length: 20 }, (_, n) => `h${n}`);
  const first = names.map((name) => count.add(name));
  expect(first.filter((full) => full === 'total')).toHaveLength(4);
  count.remove('h0');
  expect(count.add('h19')).toBeNull();
  expect(count.countOf('h0')).toBe(0);
});
