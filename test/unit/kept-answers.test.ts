/** What a reader may keep without asking again: a closed list (D266). */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const HTTP = join(import.meta.dirname, '../../src/http');

const KEPT: Readonly<Record<string, readonly string[]>> = {
  // Not a caching of answers: how long a browser remembers a preflight.
  'plugins/cors.ts': ["'access-control-max-age': '86400'"],
  'pages/guide-search.ts': ["'public, max-age=300'"],
  'pages/pages.ts': ["'public, max-age=86400'", "'public, max-age=31536000, immutable'"],
  'v1/session/cookie.ts': ['Max-Age=${maxAgeS}'],
  // It says when it was measured.
  'v1/status/public-status.ts': ["'public, max-age=30'"],
  // Only an answer that is whole and of fresh copies.
  'wire/send-body.ts': ["'private, max-age=300'"],
};

test('only these answers may be kept for a while', () => {
  const found = readdirSync(HTTP, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /max-age|immutable/i.test(readFileSync(join(HTTP, file), 'utf8')));
  expect(found.toSorted()).toEqual(Object.keys(KEPT).toSorted());
  for (const [file, texts] of Object.entries(KEPT)) {
    const code = readFileSync(join(HTTP, file), 'utf8');
    const said = code.match(/max-age/gi) ?? [];
    expect(said, file).toHaveLength(texts.length);
    for (const text of texts) expect(code, file).toContain(text);
  }
});
