/** What a reader may keep without asking again: a closed list (D266). */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const HTTP = join(import.meta.dirname, '../../src/http');
const LASTING = /(?:public|private), max-age=\d+/g;

test('only these answers may be kept for a while', () => {
  const files = readdirSync(HTTP, { recursive: true, encoding: 'utf8' });
  const kept = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const said = readFileSync(join(HTTP, file), 'utf8').match(LASTING) ?? [];
      return said.map((each) => `${file}: ${each}`);
    });
  expect(kept.toSorted()).toEqual([
    'pages/guide-search.ts: public, max-age=300',
    'pages/pages.ts: public, max-age=31536000',
    'pages/pages.ts: public, max-age=86400',
    'v1/status/public-status.ts: public, max-age=30',
    'wire/send-body.ts: private, max-age=300',
  ]);
});
