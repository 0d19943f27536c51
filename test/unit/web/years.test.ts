/** Years of a register: what BBR writes for none is never told as one. */
import { expect, test } from 'vitest';
import { registeredYear } from '../../../src/web/shared/format.ts';

test.each([0, 1000, null])('%s is no year', (year) => {
  expect(registeredYear(year)).toBeNull();
});

test.each([1, 999, 1001, 1890, 2024])('%s is one', (year) => {
  expect(registeredYear(year)).toBe(year);
});
