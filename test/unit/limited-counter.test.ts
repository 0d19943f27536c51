/** What is counted by account or by client, and where it stops. */
import { expect, test } from 'vitest';
import { LimitedCounter } from '../../src/kernel/limited-counter.ts';

test('each has so many at a time, until it gives some back', () => {
  const count = new LimitedCounter({ each: 2, total: Infinity });
  expect([count.add('a'), count.add('a'), count.add('a')]).toEqual([null, null, 'each']);
  expect(count.add('b')).toBeNull();
  count.remove('a');
  expect(count.add('a')).toBeNull();
});

test('all together have no more than the total, and what is refused is not counted', () => {
  const count = new LimitedCounter({ each: 8, total: 10 });
  expect(count.add('a', 8)).toBeNull();
  expect(count.add('b', 3)).toBe('total');
  expect(count.add('a', 1)).toBe('each');
  expect(count.add('b', 2)).toBeNull();
  count.remove('a', 8);
  expect(count.add('c', 8)).toBeNull();
});
