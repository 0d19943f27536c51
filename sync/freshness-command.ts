import { existsSync } from 'node:fs';
import { loadConfig, misspelledSettings } from '../src/config.ts';
import { openStore } from '../src/db/connect.ts';
import { embeddedFiles } from '../src/db/embedded-files.ts';
import { clockFrom } from '../src/kernel/clock.ts';
import { overrideCatalogue } from '../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE, sourcesOf } from '../src/registers.ts';
import type { Catalogue } from '../src/layers/catalogue.ts';
import { readStatus } from '../src/ops/freshness.ts';
import type { ServiceStatus } from '../src/ops/freshness.ts';
import { exitCodeOf, freshnessTable, neverMirrored } from './freshness.ts';
import type { FreshnessCommand } from './freshness.ts';

export async function runFreshness({ layers, json }: FreshnessCommand): Promise<number> {
  const all = await read();
  const status = { ...all, layers: all.layers.filter(({ layer }) => layers.includes(layer)) };
  const exitCode = exitCodeOf(status);
  console.log(json ? JSON.stringify({ ...status, exitCode }) : freshnessTable(status));
  return exitCode;
}

async function read(): Promise<ServiceStatus> {
  for (const sentence of misspelledSettings()) console.error(sentence);
  const { sourcesFile, databaseUrl, dataDir, trialClockMs } = loadConfig();
  const catalogue = overrideCatalogue(REGISTERS_CATALOGUE, sourcesOf(sourcesFile).overrides);
  // Looking must not create a store.
  if (databaseUrl === null && !existsSync(embeddedFiles(dataDir).pg)) {
    return neverMirrored(catalogue);
  }
  const log = { error: (message: string) => console.error(message) };
  const store = await openStore({ databaseUrl, dataDir, purpose: 'lookups', log });
  try {
    return await readStatus(store, catalogue, clockFrom(trialClockMs).nowMs()).catch(
      (error: unknown) => unmigrated(error, catalogue),
    );
  } finally {
    await store.close();
  }
}

/** No such table: a database without a mirror. No such column: an older program's. */
function unmigrated(error: unknown, catalogue: Catalogue): ServiceStatus {
  const { code } = error as { readonly code?: unknown };
  if (code === '42P01') return neverMirrored(catalogue);
  if (code === '42703') {
    throw new Error('The database is of an older program: run npm run migrate.', { cause: error });
  }
  throw error;
}
