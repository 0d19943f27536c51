/** One sync of a generated register as the service does it, in a process of its own to be measured. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createAddressLoader } from '../../src/registers/addresses/load.ts';
import { openStore } from '../../src/db/connect.ts';
import type { Store } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { DB_LIMITS } from '../../src/db/limits.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { overrideRegister } from '../../src/layers/register.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import type { RunCounts } from '../../sync/deps.ts';
import { openArchive, openDownloads } from '../../sync/open.ts';
import { syncLayer } from '../../sync/run.ts';
import { createWorkers } from '../../workers/pool.ts';
import type { Workers } from '../../src/core/tasks/workers.ts';

export interface SyncOptions {
  readonly mirror: 'natur' | RegisterId;
  /** Of the upstream. */
  readonly url: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly minRows: number;
}

export interface SyncReport {
  readonly state: string;
  readonly why: string;
  readonly counts: RunCounts;
  readonly elapsedMs: number;
  /** Of the process and its threads since they began. */
  readonly cpuMs: number;
  readonly peakRssBytes: number;
  /** Making the index of addresses of what was published, milliseconds; null: nothing was. */
  readonly indexMs: number | null;
  /** How long each phase took, in their order. */
  readonly phases: readonly { readonly phase: string; readonly ms: number }[];
}

const LOG = { info: () => undefined, warn: console.error, error: console.error };

export async function measureSync(options: SyncOptions): Promise<SyncReport> {
  await using cleanup = new AsyncDisposableStack();
  const { databaseUrl, dataDir } = options;
  const maxConnections = DB_LIMITS.storeConnections;
  const store = await openStore({
    ...{ databaseUrl, dataDir, purpose: 'sync', maxConnections, log: console },
  });
  cleanup.defer(() => store.close());
  await migrate(store);
  const workers = createWorkers({ threads: Math.max(1, availableParallelism() - 1) });
  cleanup.defer(() => workers.close());
  const wfs = createWfsClient({ clock: systemClock });
  cleanup.defer(() => wfs.close());
  const common = { store, workers, wfs, keys: {}, clock: systemClock, log: LOG };
  const { mirror } = options;
  const run =
    mirror === 'natur'
      ? lineRun(common, options)
      : registerRun(common, { ...options, mirror }, cleanup);

  const entered: { phase: string; atMs: number }[] = [];
  const started = performance.now();
  const outcome = await run({
    trigger: 'command',
    onProgress: ({ phase }) => {
      if (entered.at(-1)?.phase !== phase) entered.push({ phase, atMs: performance.now() });
    },
  });
  const elapsedMs = performance.now() - started;
  if (!('counts' in outcome)) throw new Error(`The mirror is ${outcome.state}.`);
  const ends = [...entered.slice(1).map(({ atMs }) => atMs), started + elapsedMs];
  const { user, system } = process.cpuUsage();
  const peakRssBytes = process.resourceUsage().maxRSS * 1024;
  const hasIndex = options.mirror === 'adresser' && outcome.state === 'published';
  return {
    state: outcome.state,
    why: JSON.stringify('refusals' in outcome ? outcome.refusals : outcome),
    counts: outcome.counts,
    elapsedMs,
    cpuMs: (user + system) / 1000,
    peakRssBytes,
    indexMs: hasIndex ? await buildIndex({ store, workers }, dataDir) : null,
    phases: entered.map(({ phase, atMs }, i) => ({ phase, ms: ends[i]! - atMs })),
  };
}

type Common = Omit<Parameters<typeof syncLayer>[0], 'catalogue' | 'archive'>;
type Run = (options: Parameters<typeof syncLayer>[2]) => ReturnType<typeof syncLayer>;

/** § 3 areas from the upstream. */
function lineRun(common: Common, { url, dataDir, minRows }: SyncOptions): Run {
  const catalogue = overrideCatalogue(REGISTERS_CATALOGUE, {
    natur: { source: { url }, guards: { minRows } },
  });
  const rawRuns = LIMITS.rawRuns.default;
  const archive = openArchive({ dataDir, rawRuns }, { keys: {}, log: LOG });
  return (options) => syncLayer({ ...common, catalogue, archive }, 'natur', options);
}

/** A register of tables from the upstream, as small as it may be; of addresses those of DAR alone. */
function registerRun(
  common: Common,
  { mirror, url, dataDir, minRows }: SyncOptions & { readonly mirror: RegisterId },
  cleanup: AsyncDisposableStack,
): Run {
  const register = overrideRegister(REGISTERS_CATALOGUE.registers[mirror], {
    files: {
      listUrl: `${url}/list`,
      fetchUrl: `${url}/get`,
      minBytes: 100,
      apiKeyParameter: null,
    },
    guards: { minRows },
    tables: { Ejendomsbeliggenhed: { source: null } },
  });
  const downloads = openDownloads({ dataDir }, systemClock);
  cleanup.defer(() => downloads.close());
  const registers = { ...REGISTERS_CATALOGUE.registers, [mirror]: register };
  const catalogue = { ...REGISTERS_CATALOGUE, registers };
  return (options) => syncLayer({ ...common, catalogue, downloads }, mirror, options);
}

/** As the service does it behind a publication: from the store, in a thread, onto the disk. */
async function buildIndex(
  { store, workers }: { readonly store: Store; readonly workers: Workers },
  dataDir: string,
): Promise<number> {
  const loader = createAddressLoader({
    store,
    workers,
    directory: join(dataDir, 'snapshots'),
    storeName: 'bench',
    log: console.error,
  });
  const started = performance.now();
  await loader.refresh();
  const index = loader.current?.finder.addressIndex;
  if (index === undefined) throw new Error('No index was built.');
  console.error(`  an index of ${index.accessCount} access and ${index.unitCount} unit addresses`);
  return performance.now() - started;
}
