import { loadConfig, misspelledSettings } from '../config.ts';
import { openStore } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  for (const sentence of misspelledSettings()) console.error(sentence);
  const { databaseUrl, dataDir } = loadConfig();
  const store = await openStore({
    databaseUrl,
    dataDir,
    purpose: 'sync',
    log: { error: (message) => console.error(message) },
  });
  try {
    const applied = await migrate(store);
    console.log(
      applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`,
    );
  } finally {
    await store.close();
  }
}
