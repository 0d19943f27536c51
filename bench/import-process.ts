/** One sync of the generated addresses as the service does it, in a process of its own to be measured. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { composeAddressMemory } from '../src/start/address-memory.ts';
import { openStore } from '../src/db/connect.ts';
import type { Store } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { REGISTERS_CATALOGUE } from '../src/layers/catalogue.ts';
import { overrideAddresses } from '../src/layers/address-register.ts';
import type { AddressRegister } from '../src/layers/address-register.ts';
import { openAddressBook } from '../src/addresses/book.ts';
import { createAddressFinder } from '../src/addresses/finder.ts';
import { createWfsClient } from '../src/wfs/client.ts';
import { syncAddresses } from '../sync/addresses/run.ts';
import { openDownloads } from '../sync/open.ts';
import { createWorkers } from '../workers/pool.ts';
import type { Workers } from '../workers/pool.ts';
import type { MirrorOrder, MirrorReport } from './mirror-process.ts';

process.once('message', (order: MirrorOrder) => {
  mirror(order).then(
    (report) => process.send?.(report, () => process.disconnect()),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

/** The register at another address, as small as it may be; no cadastre. */
function registerAt(url: string): AddressRegister {
  return overrideAddresses(REGISTERS_CATALOGUE.addresses, {
    files: {
      listUrl: `${url}/list`,
      fetchUrl: `${url}/get`,
      minBytes: 100,
      apiKeyParameter: null,
    },
    guards: { minRows: 1 },
    tables: { Jordstykke: { source: null }, Ejendomsbeliggenhed: { source: null } },
  });
}

async function mirror({ url, databaseUrl, dataDir }: MirrorOrder): Promise<MirrorReport> {
  const log = { info: () => undefined, warn: console.error, error: console.error };
  const store = await openStore({
    databaseUrl,
    dataDir,
    purpose: 'sync',
    maxConnections: LIMITS.storeConnections,
    log: console,
  });
  await migrate(store);
  const workers = createWorkers({ threads: Math.max(1, availableParallelism() - 1) });
  const wfs = createWfsClient({ clock: systemClock });
  const downloads = openDownloads({ dataDir }, systemClock);
  const entered: { phase: string; atMs: number }[] = [];
  const catalogue = { ...REGISTERS_CATALOGUE, addresses: registerAt(url) };
  const started = performance.now();
  const deps = { store, workers, wfs, downloads, catalogue, keys: {}, clock: systemClock, log };
  const outcome = await syncAddresses(deps, {
    trigger: 'command',
    onProgress: ({ phase }) => {
      if (entered.at(-1)?.phase !== phase) entered.push({ phase, atMs: performance.now() });
    },
  });
  const elapsedMs = performance.now() - started;
  if (!('counts' in outcome)) throw new Error(`The addresses are ${outcome.state}.`);
  const ends = [...entered.slice(1).map(({ atMs }) => atMs), started + elapsedMs];
  const { user, system } = process.cpuUsage();
  const peakRssBytes = process.resourceUsage().maxRSS * 1024;
  const report = {
    bookMs: outcome.state === 'published' ? await buildBook({ store, workers }, dataDir) : null,
    state: outcome.state,
    why: JSON.stringify('refusals' in outcome ? outcome.refusals : outcome),
    counts: outcome.counts,
    elapsedMs,
    cpuMs: (user + system) / 1000,
    peakRssBytes,
    phases: entered.map(({ phase, atMs }, i) => ({ phase, ms: ends[i]! - atMs })),
  };
  await Promise.all([workers.close(), wfs.close(), downloads.close()]);
  await store.close();
  return report;
}

/** As the service does it behind a publication: from the store, in a thread, onto the disk. */
async function buildBook(
  { store, workers }: { readonly store: Store; readonly workers: Workers },
  dataDir: string,
): Promise<number> {
  const keeper = composeAddressMemory({
    store,
    workers,
    directory: join(dataDir, 'snapshots'),
    storeName: 'bench',
    open: (buffer, options) => createAddressFinder(openAddressBook(buffer, options)),
    log: console.error,
  });
  const started = performance.now();
  await keeper.refresh();
  const book = keeper.current?.finder.book;
  if (book === undefined) throw new Error('No book was built.');
  console.error(`  a book of ${book.accessCount} access and ${book.unitCount} unit addresses`);
  return performance.now() - started;
}
