/** What a reader may keep without asking again: a closed list (D266). */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, readText } from '../support/repository.ts';

const LASTING = /(?:public|private), max-age=\d+/g;

test('only these answers may be kept for a while', () => {
  const kept = globSync('**/*.ts', { cwd: join(ROOT, 'src/http') }).flatMap((file) =>
    [...readText(`src/http/${file}`).matchAll(LASTING)].map(([said]) => `${file}: ${said}`),
  );
  expect(kept.toSorted()).toEqual([
    'pages/guide-search.ts: public, max-age=300',
    'pages/pages.ts: public, max-age=31536000',
    'pages/pages.ts: public, max-age=86400',
    'v1/status/public-status.ts: public, max-age=30',
    'wire/send-body.ts: private, max-age=300',
  ]);
});
