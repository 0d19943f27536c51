import { expect, it } from 'vitest';
import { Last } from '../../src/kernel/last.ts';

it('is the value of the same keys, also after a failure', () => {
  const last = new Last<number>();
  const [reader, lands] = [{}, {}];
  let made = 0;
  const make = () => (made += 1);
  const fail = () => {
    throw new Error('unreadable');
  };
  expect([last.of([reader, lands], make), last.of([reader, lands], make)]).toEqual([1, 1]);
  expect(last.of([reader, {}], make)).toBe(2);
  expect(() => last.of([{}, lands], fail)).toThrow('unreadable');
  expect(last.of([reader, lands], make)).toBe(3);
});
