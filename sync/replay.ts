/** Through every phase, without an upstream. Publishes only on request, as of the reading. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { joined } from '../src/bytes/join.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { allMirrored } from '../src/layers/catalogue.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import type { FetchedFile } from '../src/downloads/client.ts';
import { inspect } from '../src/wfs/inspect.ts';
import type { PageBytes, PageRun } from '../src/wfs/paging.ts';
import { filePath, hashOf, objectPath, readManifest, runsIn } from './archive.ts';
import type { ArchivedFile, ArchivedPage, Manifest } from './archive.ts';
import type { Progress, Replayed, ReplayedFile, RunOutcome, SyncDeps } from './deps.ts';
import { syncLayer } from './run.ts';

const decompress = promisify(zstdDecompress);

export interface ReplayOptions {
  readonly dir: string;
  readonly runId: string;
  /** Publishes and holds the layer, like a revert; otherwise nothing remains. */
  readonly publish: boolean;
  readonly by: string;
  readonly liftedGuards?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** `unknown`: no such archived run; `kept` lists the layers' runs, newest first. */
export type ReplayOutcome =
  | RunOutcome
  | { readonly state: 'unknown'; readonly kept: Readonly<Record<string, readonly string[]>> };

/** Rejects only for an unreadable archive. */
export async function replayRun(deps: SyncDeps, options: ReplayOptions): Promise<ReplayOutcome> {
  const { dir, runId, publish, by, liftedGuards = [], signal, onProgress } = options;
  const found = await findRun(deps, { dir, runId });
  if (typeof found !== 'string') return { state: 'unknown', kept: found };
  const layerDir = join(dir, found);
  const manifest = await readManifest(layerDir, runId);
  const as = {
    trigger: 'operator',
    liftedGuards,
    dryRun: !publish,
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  } as const;
  const readAtMs = manifest.startedAtMs;
  const replay = {
    read: readIn(layerDir, manifest),
    readAtMs,
    by: by.slice(0, LIMITS.askedByChars),
  };
  return await syncLayer(deps, found, { ...as, replay });
}

async function findRun(
  { catalogue }: Pick<SyncDeps, 'catalogue'>,
  { dir, runId }: Pick<ReplayOptions, 'dir' | 'runId'>,
): Promise<MirrorId | Readonly<Record<string, readonly string[]>>> {
  const kept: Record<string, readonly string[]> = {};
  for (const { id: layer } of allMirrored(catalogue)) {
    const runs = await runsIn(join(dir, layer));
    if (runs.includes(runId)) return layer;
    if (runs.length > 0) kept[layer] = runs;
  }
  return kept;
}

/** Throws where the run's tables are incomplete. */
function readIn(layerDir: string, manifest: Manifest): Replayed {
  const { file, tables, readings = [], incomplete, run } = manifest;
  const replayed = <F extends string>(archived: ArchivedFile<F>): ReplayedFile<F> => ({
    file: archived.listed,
    format: archived.format,
    fetch: () => archivedFile(layerDir, archived),
  });
  if (file !== undefined) return { way: 'files', ...replayed(file) };
  if (tables === undefined) return { way: 'wfs', pages: () => archivedPages(layerDir, manifest) };
  if (incomplete === true) {
    const count = tables.length + readings.length;
    throw new Error(`Run ${run} had read ${count} tables when its source failed.`);
  }
  return {
    way: 'tables',
    files: tables.map((each) => replayed(each)),
    readings: readings.map(({ entity, pages, report }) => ({
      entity,
      pages: () => archivedPages(layerDir, { run, pages, report }),
    })),
  };
}

/** The archived file is not deleted. Throws when its bytes differ. */
async function archivedFile(
  layerDir: string,
  file: Pick<ArchivedFile, 'sha256' | 'md5' | 'bytes'>,
): Promise<FetchedFile> {
  const { sha256, md5, bytes } = file;
  const path = filePath(layerDir, sha256);
  if ((await hashOf(path)) !== sha256) throw new Error(`The archived file ${sha256} is damaged.`);
  return { path, md5, bytes, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Throws where the reading failed. */
function archivedPages(
  layerDir: string,
  { pages, report, run }: Pick<Manifest, 'pages' | 'report' | 'run'>,
): PageRun {
  async function* read(): AsyncGenerator<PageBytes, void, void> {
    for (const page of pages) yield await readPage(layerDir, page);
    if (report === null) {
      throw new Error(`Run ${run} had read ${pages.length} pages when its source failed.`);
    }
  }
  return {
    [Symbol.asyncIterator]: read,
    report: () => {
      if (report === null) throw new Error(`Run ${run} never ended its reading.`);
      return report;
    },
  };
}

async function readPage(layerDir: string, page: ArchivedPage): Promise<PageBytes> {
  const { pageNo, startIndex, asked, members, numberMatched, numberReturned } = page;
  const body = page.body === null ? Buffer.alloc(0) : await readObject(layerDir, page.body);
  const bytes = joined([Buffer.from(page.head, 'base64'), body, Buffer.from(page.tail, 'base64')]);
  const envelope = inspect(bytes);
  if (envelope.kind !== 'features' || envelope.members !== members) {
    throw new Error(`Page ${pageNo} is not what was archived.`);
  }
  // The reading's counts: the overlapping feature was removed, but not from the page's own counts.
  const counted = { ...envelope, numberMatched, numberReturned };
  return { pageNo, startIndex, asked, bytes, envelope: counted };
}

async function readObject(layerDir: string, hash: string): Promise<Buffer> {
  const packed = await readFile(objectPath(layerDir, hash));
  const body = await decompress(packed, { maxOutputLength: LIMITS.upstreamPageBytes });
  if (createHash('sha256').update(body).digest('hex') !== hash) {
    throw new Error(`The archived payload ${hash} is damaged.`);
  }
  return body;
}
