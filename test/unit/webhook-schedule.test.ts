/** When deliveries are tried again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WEBHOOK_LIMITS } from '../../src/webhooks/limits.ts';
import { interruptedAt, latestDue, nextAttempt } from '../../src/webhooks/schedule.ts';

const SPEC = readFileSync(join(import.meta.dirname, '../contract/interface.md'), 'utf8');
const MINUTE = 60_000;
const WAITS = [1, 5, 30, 120].map((minutes) => minutes * MINUTE);

test('the waits are those of the document', () => {
  const [, list = ''] = /3\. Waits after a failed attempt: (.*)/.exec(SPEC) ?? [];
  const said = [...list.matchAll(/attempt (\d) then (\d+) (minute|hour)/g)].map(
    ([, attempt, amount, unit]) => [
      Number(attempt),
      Number(amount) * (unit === 'hour' ? 60 : 1) * MINUTE,
    ],
  );
  expect(said).toEqual(WAITS.map((waitMs, index) => [index + 1, waitMs]));
  expect(WEBHOOK_LIMITS.waitsMs).toEqual(WAITS);
  expect(WEBHOOK_LIMITS.attempts).toBe(WAITS.length + 1);
});

test('an attempt that nobody saw the end of ended at its deadline', () => {
  expect(nextAttempt(1, interruptedAt(0))).toBe(10_000 + MINUTE);
});

test('nothing is due later than its wait from now', () => {
  expect([0, 1, 2, 3, 4, 5].map((attempts) => latestDue(attempts, 0))).toEqual([0, ...WAITS, 0]);
});
