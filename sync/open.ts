/** Opens all that a sync needs from plain settings. Starts no run and no schedule. */
import type { Clock } from '../src/kernel/clock.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { openStore } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { REGISTERS_CATALOGUE, overrideCatalogue } from '../src/layers/catalogue.ts';
import type { Catalogue, LayerOverride } from '../src/layers/catalogue.ts';
import type { LayerId } from '../src/layers/keys.ts';
import { createWfsClient } from '../src/wfs/client.ts';
import { createWorkers } from '../workers/pool.ts';
import type { ApiKeys, Log, SyncDeps } from './deps.ts';
import { SAMPLE_API_KEY, sampleCatalogue } from './sample/catalogue.ts';
import { startSampleUpstream } from './sample/server.ts';
import type { SampleUpstream } from './sample/server.ts';

/** The settings a sync depends on; the service's configuration has them all. */
export interface SyncSettings {
  readonly sources: 'sample' | 'live';
  readonly overrides: Readonly<Partial<Record<LayerId, LayerOverride>>>;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** API key of the Datafordeler; null where there is none. A secret. */
  readonly datafordelerKey: string | null;
  readonly threads: number;
}

export interface OpenSync {
  readonly deps: SyncDeps;
  close(): Promise<void>;
}

/** The catalogue in force and the keys its hosts ask for. */
export interface Sources {
  readonly catalogue: Catalogue;
  readonly keys: ApiKeys;
  /** Where the sample upstream listens; null: the registers are asked. */
  readonly sampleUrl: string | null;
  close(): Promise<void>;
}

/**
 * The registers, or the sample upstream started on loopback: at `samplePort`, at a free one for 0, and
 * for null at its usual port, so that answers show the same address each time, or else at a free one.
 */
export async function openSources(
  settings: Pick<SyncSettings, 'sources' | 'overrides' | 'datafordelerKey'>,
  { samplePort = 0 }: { readonly samplePort?: number | null } = {},
): Promise<Sources> {
  const { sources, overrides, datafordelerKey: key } = settings;
  if (sources === 'live') {
    return {
      catalogue: overrideCatalogue(REGISTERS_CATALOGUE, overrides),
      keys: key === null ? {} : { cadastre: key, dagi: key },
      sampleUrl: null,
      close: () => Promise.resolve(),
    };
  }
  const upstream = await startSample(samplePort);
  return {
    catalogue: overrideCatalogue(sampleCatalogue(upstream.url), overrides),
    keys: { cadastre: SAMPLE_API_KEY, dagi: SAMPLE_API_KEY },
    sampleUrl: upstream.url,
    close: () => upstream.close(),
  };
}

const USUAL_SAMPLE_PORT = 8081;

async function startSample(port: number | null): Promise<SampleUpstream> {
  if (port !== null) return await startSampleUpstream({ port });
  try {
    return await startSampleUpstream({ port: USUAL_SAMPLE_PORT });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return await startSampleUpstream();
  }
}

/** Store (migrated), threads, client and sources for a program that only syncs. */
export async function openSync(
  settings: SyncSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<OpenSync> {
  const { databaseUrl, dataDir, threads } = settings;
  const store = await openStore({
    databaseUrl,
    dataDir,
    purpose: 'sync',
    maxConnections: LIMITS.storeConnections,
    log: { error: (message) => log.error({}, message) },
  });
  const opened: { close(): Promise<void> }[] = [store];
  const close = async () => {
    for (const part of opened.toReversed()) await part.close();
  };
  try {
    await migrate(store);
    const sources = await openSources(settings);
    const workers = createWorkers({ threads });
    const wfs = createWfsClient({ clock });
    opened.push(sources, workers, wfs);
    const { catalogue, keys } = sources;
    return { deps: { store, workers, wfs, catalogue, keys, clock, log }, close };
  } catch (error) {
    await close();
    throw error;
  }
}
