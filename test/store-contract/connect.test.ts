/** The store as it is opened: migrated, with PostGIS, and known by its id wherever it is promoted to (issue 53). */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { storeNameOf, storeNamesOf } from '../../src/db/store-name.ts';
import { ownFolder } from '../support/opened.ts';
import { sharedStore } from '../support/store.ts';

const store = await sharedStore();

test('is migrated, starts at generation 0, read as a number, and has PostGIS', async () => {
  const { rows } = await sql<{ m: number }>`
    select generation, st_distance('point(0 0)'::geometry, 'point(3 4)'::geometry) as m
    from store_state`.execute(store.db);
  expect(rows).toEqual([{ generation: 0, m: 5 }]);
});

test('keeps its first name at another address, also for a start without it', async () => {
  const dataDir = ownFolder('names');
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
