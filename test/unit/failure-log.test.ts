/** What a flood of failures writes: some with their cause, the rest as one line a second. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FailureLog } from '../../src/http/plugins/errors.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';

const MOST = HTTP_LIMITS.failuresLoggedPerSecond;
let lines: [level: string, detail: object, message: string][];
const logger = {
  error: (detail: object, message: string) => lines.push(['error', detail, message]),
  warn: (detail: object, message: string) => lines.push(['warn', detail, message]),
};
const request = { log: logger, server: { log: logger } } as unknown as Parameters<
  FailureLog['note']
>[0];

beforeEach(() => {
  lines = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test('failures are told with their cause so many times a second, and the rest are counted', () => {
  const log = new FailureLog();
  const cause = new Error('Broken.');
  for (let n = 0; n < MOST + 5; n++) log.note(request, new Failure('internal_error', { cause }));
  const line = ['error', { err: cause, type: 'internal_error' }, 'request failed'];
  expect(lines).toEqual(Array.from({ length: MOST }, () => line));
  vi.advanceTimersByTime(1_000);
  const counted = ['warn', { counts: { internal_error: 5 } }, 'requests refused'];
  expect(lines.slice(MOST)).toEqual([counted]);
  // The next second begins anew.
  log.note(request, new Failure('internal_error', { cause }));
  expect(lines.at(-1)?.[0]).toBe('error');
  vi.advanceTimersByTime(1_000);
  expect(lines).toHaveLength(MOST + 2);
});

test('a refusal has no line of its own; one with a cause is a failure', () => {
  const log = new FailureLog();
  const busy = { error: 'Busy.', retryAfterS: 1 };
  for (let n = 0; n < 1_000; n++) log.note(request, new Failure('overloaded', busy));
  log.note(request, new Failure('overloaded', { ...busy, cause: new Error('A mistake.') }));
  vi.advanceTimersByTime(1_000);
  expect(lines.map(([level]) => level)).toEqual(['error', 'warn']);
  expect(lines[1]?.[1]).toEqual({ counts: { overloaded: 1_000 } });
});
