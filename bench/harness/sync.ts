/** One sync of a generated register as the service does it, in a process of its own to be measured. */
import { availableParallelism } from 'node:os';
import { openStore } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { DB_LIMITS } from '../../src/db/limits.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { overrideRegister } from '../../src/layers/register.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import type { RunCounts } from '../../sync/deps.ts';
import { openDownloads } from '../../sync/open.ts';
import { syncLayer } from '../../sync/run.ts';
import { createWorkers } from '../../workers/pool.ts';

export interface SyncOptions {
  readonly mirror: RegisterId;
  /** Of the upstream. */
  readonly url: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
}

export interface SyncReport {
  readonly state: string;
  readonly why: string;
  readonly counts: RunCounts;
  readonly elapsedMs: number;
  /** Of the process and its threads since they began. */
  readonly cpuMs: number;
  readonly peakRssBytes: number;
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
  const run = registerRun(common, options, cleanup);

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
  return {
    state: outcome.state,
    why: JSON.stringify('refusals' in outcome ? outcome.refusals : outcome),
    counts: outcome.counts,
    elapsedMs,
    cpuMs: (user + system) / 1000,
    peakRssBytes,
    phases: entered.map(({ phase, atMs }, i) => ({ phase, ms: ends[i]! - atMs })),
  };
}

type Common = Omit<Parameters<typeof syncLayer>[0], 'catalogue' | 'archive'>;
type Run = (options: Parameters<typeof syncLayer>[2]) => ReturnType<typeof syncLayer>;

/** A register of tables from the upstream, as small as it may be. */
function registerRun(
  common: Common,
  { mirror, url, dataDir }: SyncOptions,
  cleanup: AsyncDisposableStack,
): Run {
  const register = overrideRegister(REGISTERS_CATALOGUE.registers[mirror], {
    files: {
      listUrl: `${url}/list`,
      fetchUrl: `${url}/get`,
      minBytes: 100,
      apiKeyParameter: null,
    },
    guards: { minRows: 1 },
  });
  const downloads = openDownloads({ dataDir }, systemClock);
  cleanup.defer(() => downloads.close());
  const registers = { ...REGISTERS_CATALOGUE.registers, [mirror]: register };
  const catalogue = { ...REGISTERS_CATALOGUE, registers };
  return (options) => syncLayer({ ...common, catalogue, downloads }, mirror, options);
}
