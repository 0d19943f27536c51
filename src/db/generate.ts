import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from './connect.ts';
import { describeSchema } from './describe.ts';
import { migrate } from './migrate.ts';
import { renderSql, renderTypes } from './render-schema.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'geoopslag-gen-'));
try {
  const log = { error: (message: string) => console.error(message) };
  const store = await openStore({ databaseUrl: null, dataDir, purpose: 'sync', log });
  try {
    await migrate(store);
    const schema = await describeSchema(store);
    write('../../sql/schema.sql', renderSql(schema));
    write('tables.generated.ts', renderTypes(schema));
  } finally {
    await store.close();
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

function write(path: string, text: string): void {
  writeFileSync(join(import.meta.dirname, path), text);
  console.log(`wrote ${join('src/db', path)}`);
}
