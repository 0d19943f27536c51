import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from './connect.ts';
import { describeSchema } from './describe.ts';
import { migrate } from './migrate.ts';
import { renderSql } from './render-schema.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'geoopslag-gen-'));
try {
  const log = { error: (message: string) => console.error(message) };
  const store = await openStore({ databaseUrl: null, dataDir, purpose: 'sync', log });
  try {
    await migrate(store);
    const path = join(import.meta.dirname, '../../sql/schema.sql');
    writeFileSync(path, renderSql(await describeSchema(store)));
    console.log('wrote sql/schema.sql');
  } finally {
    await store.close();
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
