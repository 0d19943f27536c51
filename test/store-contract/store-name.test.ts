/** The store is known by its id, wherever it is promoted to (issue 53). */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeNameOf, storeNamesOf } from '../../src/db/store-name.ts';
import { sharedStore } from '../support/store.ts';

const store = await sharedStore();

test('keeps its first name at another address, also for a start without it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'geoopslag-names-'));
  const [one, promoted, third] = ['one', 'two', 'three'].map((host) => `postgres://u:p@${host}/d`);
  const names = (url: string | undefined, isAway = false) =>
    storeNamesOf(url!, { store, dataDir, isAway });
  const hashOf = (url: string | undefined) => storeNameOf(url!);
  expect(await names(one, true)).toEqual([hashOf(one)]);
  expect(await names(one)).toEqual([hashOf(one), hashOf(one)]);
  expect(await names(promoted)).toEqual([hashOf(one), hashOf(promoted)]);
  expect(await names(promoted, true)).toEqual([hashOf(one), hashOf(promoted)]);
  // Nothing is known of what is there.
  expect(await names(third, true)).toEqual([hashOf(third)]);
});
