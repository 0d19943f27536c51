/** Long work gives way to what arrives meanwhile. */
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { Slice, nextTurn } from '../../src/kernel/turns.ts';

it('lets one of many waiting pieces of work go on in each turn of the event loop', async () => {
  const order: string[] = [];
  let turn = 0;
  let counting = true;
  const count = (): void => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      for (let i = 0; i < 3; i++) {
        await nextTurn();
        order.push(`${name}${turn}`);
      }
    }),
  );
  counting = false;
  expect(order.map((text) => text[0]).join('')).toBe('abcabcabc');
  // Never two in the same turn.
  expect(new Set(order.map((text) => text.slice(1))).size).toBe(9);
});

it('is over after its time and not before', async () => {
  const slice = new Slice();
  expect(slice.isOver).toBe(false);
  const end = performance.now() + LIMITS.sliceMs + 0.05;
  while (performance.now() < end);
  expect(slice.isOver).toBe(true);
  await slice.next();
  expect(slice.isOver).toBe(false);
});
