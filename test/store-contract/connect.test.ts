import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';

describe('the store', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore();
  });
  afterAll(() => store.close());

  test('is migrated and starts at generation 0, read as a number', async () => {
    const { rows } = await sql`select generation from store_state`.execute(store.db);
    expect(rows).toEqual([{ generation: 0 }]);
  });

  test('has PostGIS', async () => {
    const { rows } = await sql<{
      m: number;
    }>`select st_distance('point(0 0)'::geometry, 'point(3 4)'::geometry) as m`.execute(store.db);
    expect(rows).toEqual([{ m: 5 }]);
  });
});
