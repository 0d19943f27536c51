/** A real store for one test file: never a mock, and no test sees another file's rows. */
import { inject } from 'vitest';
import type { StoreOptions, Store } from '../../src/db/connect.ts';
import { openStore } from '../../src/db/connect.ts';
import { opened } from './opened.ts';
import { cloneStore } from './store-templates.ts';
import type { TestStore } from './store-templates.ts';

export type { TestStore } from './store-templates.ts';

/**
 * A fresh migrated store of the kind its project says (vitest.config.ts).
 * Who opens it closes it: about 2 s embedded, 0.2 s on PostgreSQL.
 */
export function openTestStore(options: Partial<StoreOptions> = {}): Promise<TestStore> {
  return cloneStore(inject('storeTemplate'), options);
}

/** The same store while nobody listens at its address. Who opens it closes it. */
export function openAway({ dataDir }: Pick<TestStore, 'dataDir'>): Promise<Store> {
  const databaseUrl = 'postgres://nobody@127.0.0.1:1/none';
  return openStore({ databaseUrl, dataDir, log: { error: () => undefined } });
}

export function sharedStore(options: Partial<StoreOptions> = {}): Promise<TestStore> {
  return opened(openTestStore(options));
}
