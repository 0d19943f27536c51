import { join } from 'node:path';
import { createDownloads } from '../src/downloads/client.ts';
import type { Downloads } from '../src/downloads/client.ts';
import type { Clock } from '../src/kernel/clock.ts';
import { DB_LIMITS } from '../src/db/limits.ts';
import { troubleLog } from '../src/kernel/log.ts';
import type { Log } from '../src/kernel/log.ts';
import type { RegisterSettings } from '../src/core/live-settings.ts';
import { openStore } from '../src/db/connect.ts';
import { prepareDataDirectory } from '../src/db/data-directory.ts';
import { migrate } from '../src/db/migrate.ts';
import { overrideCatalogue } from '../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE, sourcesOf } from '../src/registers.ts';
import type { Catalogue } from '../src/layers/catalogue.ts';
import { createWfsClient } from '../src/wfs/client.ts';
import { createWorkers } from '../workers/pool.ts';
import { createArchive } from './archive.ts';
import { Reach } from './reach.ts';
import type { Archive } from './archive.ts';
import type { ApiKeys, SyncDeps } from './deps.ts';
import { SAMPLE_API_KEY, sampleCatalogue, sampleLive } from '../sample/catalogue.ts';
import { sampleTileFolder } from '../sample/registers/terrain/tile-file.ts';
import { startSampleUpstream } from '../sample/server.ts';
import type { SampleUpstream } from '../sample/server.ts';

export interface SyncSettings {
  readonly sources: 'sample' | 'live';
  /** Overrides by layer; null: none. */
  readonly sourcesFile: string | null;
  readonly dhmDir: string | null;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** null: none. A secret. */
  readonly datafordelerKey: string | null;
  readonly threads: number;
  /** Runs per layer with kept raw pages; 0: none. */
  readonly rawRuns: number;
}

export interface OpenSync {
  readonly deps: SyncDeps;
  readonly dataDir: string;
  readonly settings: RegisterSettings;
  readonly sampleUrl: string | null;
  close(): Promise<void>;
}

export interface Sources {
  readonly catalogue: Catalogue;
  readonly keys: ApiKeys;
  readonly settings: RegisterSettings;
  readonly sampleUrl: string | null;
  close(): Promise<void>;
}

/**
 * The registers, or the sample upstream on loopback: at `samplePort`; 0: at a free port; null: at
 * its usual port for a stable URL, else at a free one.
 */
export async function openSources(
  settings: SourceSettings & Pick<SyncSettings, 'sources'>,
  { samplePort = 0 }: { readonly samplePort?: number | null } = {},
): Promise<Sources> {
  if (settings.sources === 'live') {
    return { ...sourcesAt(settings, null), close: () => Promise.resolve() };
  }
  const upstream = await startSample(samplePort);
  try {
    return { ...sourcesAt(settings, upstream.url), close: () => upstream.close() };
  } catch (error) {
    await upstream.close();
    throw error;
  }
}

type SourceSettings = Pick<SyncSettings, 'sourcesFile' | 'datafordelerKey' | 'dhmDir' | 'dataDir'>;

/**
 * The registers; or the sample upstream that runs at a URL. Throws with a sentence about what is
 * wrong in SOURCES_FILE.
 */
export function sourcesAt(
  { sourcesFile, datafordelerKey, dhmDir, dataDir }: SourceSettings,
  sampleUrl: string | null,
): Omit<Sources, 'close'> {
  const { overrides, live } = sourcesOf(sourcesFile);
  if (sampleUrl === null) {
    const catalogue = overrideCatalogue(REGISTERS_CATALOGUE, overrides);
    return { catalogue, keys: keysOf(datafordelerKey), settings: { dhmDir, live }, sampleUrl };
  }
  const catalogue = sampleCatalogue(sampleUrl, { files: true });
  return {
    catalogue: overrideCatalogue(catalogue, overrides),
    keys: keysOf(SAMPLE_API_KEY),
    settings: {
      // The sample's tile is drawn only for those who read heights.
      get dhmDir() {
        return dhmDir ?? sampleTileFolder(dataDir);
      },
      live: sampleLive(sampleUrl, live),
    },
    sampleUrl,
  };
}

/** The Datafordeler uses one key for all its hosts. */
function keysOf(key: string | null): ApiKeys {
  return key === null ? {} : { cadastre: key, dagi: key, 'datafordeler-files': key, terrain: key };
}

/** Close it when done. */
export function openDownloads({ dataDir }: Pick<SyncSettings, 'dataDir'>, clock: Clock): Downloads {
  return createDownloads({ dir: join(dataDir, 'downloads'), clock });
}

const USUAL_SAMPLE_PORT = 8081;

async function startSample(port: number | null): Promise<SampleUpstream> {
  if (port !== null) return await startSampleAt(port);
  try {
    return await startSampleUpstream({ port: USUAL_SAMPLE_PORT });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return await startSampleUpstream();
  }
}

async function startSampleAt(port: number): Promise<SampleUpstream> {
  try {
    return await startSampleUpstream({ port });
  } catch (cause) {
    const why = (cause as Error).message;
    throw new Error(`SAMPLE_PORT: ${why}. Name another, or none: a free one is found.`, { cause });
  }
}

export function openArchive(
  { dataDir, rawRuns }: Pick<SyncSettings, 'dataDir' | 'rawRuns'>,
  { keys, log }: { readonly keys: ApiKeys; readonly log: Log },
): Archive | undefined {
  if (rawRuns === 0) return undefined;
  const secrets = Object.values(keys);
  return createArchive({ dir: rawDirOf(dataDir), keepRuns: rawRuns, secrets, log });
}

export function rawDirOf(dataDir: string): string {
  return join(dataDir, 'raw');
}

export async function openSync(
  settings: SyncSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<OpenSync> {
  const { databaseUrl, dataDir, threads } = settings;
  prepareDataDirectory(dataDir);
  // First: a wrong SOURCES_FILE leaves the store alone.
  const sources = await openSources(settings);
  const opened: { close(): Promise<void> }[] = [sources];
  const close = async () => {
    for (const part of opened.toReversed()) await part.close();
  };
  try {
    const store = await openStore({
      databaseUrl,
      dataDir,
      purpose: 'sync',
      maxConnections: DB_LIMITS.storeConnections,
      log: troubleLog(log, 'store'),
    });
    opened.push(store);
    await migrate(store);
    const workers = createWorkers({ threads, log: troubleLog(log, 'threads') });
    const wfs = createWfsClient({ clock });
    const downloads = openDownloads(settings, clock);
    opened.push(workers, wfs, downloads);
    const { catalogue, keys, settings: registers, sampleUrl } = sources;
    const archive = openArchive(settings, { keys, log });
    const reach = new Reach();
    const deps = { store, workers, wfs, downloads, catalogue, keys, clock, log, archive, reach };
    return { deps, dataDir, settings: registers, sampleUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}
