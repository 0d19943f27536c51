/** Every code that can be sent is in the catalogue, and every code of the catalogue can be sent. */
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAILURES, Failure } from '../../src/kernel/failures.ts';
import type { FailureType } from '../../src/kernel/failures.ts';
import { ROOT, readText } from '../support/repository.ts';

const CATALOGUE = 'src/kernel/failures.ts';
const TYPES = Object.keys(FAILURES) as FailureType[];

/** The sources that can send a failure; the catalogue itself is not among them. */
const SOURCES = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((path) => path !== CATALOGUE)
  .map((path) => readText(path));

test('a code that the class does not list is refused by the compiler', () => {
  // @ts-expect-error: no cause of this name is in the catalogue.
  new Failure('conflict', { code: 'nobody_knows' });
  // @ts-expect-error: this is a cause of another class.
  new Failure('forbidden', { code: 'job_state' });
  expect(new Failure('conflict', { code: 'job_state' }).code).toBe('job_state');
  expect(new Failure('conflict').code).toBe('conflict');
});

test.each(TYPES)(
  '%s says when to ask again where it is 429, 502 or 503, and only there',
  (type) => {
    const { retryAfterS, status } = new Failure(type);
    expect((retryAfterS ?? 0) > 0).toBe([429, 502, 503].includes(status));
    // @ts-expect-error: a class that names no time takes none.
    new Failure('conflict', { retryAfterS: 1 });
  },
);

test.each(TYPES)('no cause listed for %s is one that nothing sends', (type) => {
  for (const code of FAILURES[type].codes) {
    expect(
      SOURCES.some((text) => text.includes(`'${code}'`)),
      code,
    ).toBe(true);
  }
});
