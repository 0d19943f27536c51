/** Downloads of the Datafordeler. Never shows a URL with its key. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent } from 'undici';
import type { Clock } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { DownloadSource } from '../layers/source.ts';
import { UpstreamFailure, named } from '../wfs/failure.ts';
import type { Wait } from '../wfs/retry.ts';
import { retry } from '../wfs/retry.ts';
import type { Backoff } from '../wfs/backoff.ts';
import { SYNC_BACKOFF } from '../wfs/backoff.ts';
import type { StreamOptions, Written } from '../wfs/stream.ts';
import { getInto, getText } from '../wfs/stream.ts';
import type { CallOptions } from '../wfs/window.ts';
import type { ListedFile, TableFile } from './listing.ts';
import { readListingPage } from './listing.ts';

/** Verified against the listing; disposing of it removes it. */
export interface FetchedFile extends Written {
  readonly path: string;
  [Symbol.asyncDispose](): Promise<void>;
}

export type Downloads = ReturnType<typeof createDownloads>;

export interface DownloadsOptions {
  readonly dir: string;
  readonly clock: Clock;
  /** For tests. */
  readonly wait?: Wait;
  readonly random?: () => number;
  readonly backoff?: Backoff;
}

/** Close it when done. */
export function createDownloads(options: DownloadsOptions) {
  const { dir, clock } = options;
  const agent = new Agent({ connections: 2, pipelining: 1, maxHeaderSize: LIMITS.headerBytes });
  const exchange = { dispatcher: agent, clock };

  /** Throws UpstreamFailure. */
  const list = async (source: DownloadSource, call: CallOptions = {}) => {
    const ask = async (page: number) => {
      const url = listUrl(source, page, call.apiKey ?? null);
      const timeoutMs = source.listTimeoutMs;
      const bounds = { ...exchange, timeoutMs, maxBytes: LIMITS.downloadListBytes };
      return readListingPage(
        await again(source, call, () => getText(url, { ...bounds, signal: call.signal })),
        url,
      );
    };
    return await wholeListing(ask).catch((error: unknown) => {
      throw named(`the listing of ${source.entity}`, error);
    });
  };

  /** Throws UpstreamFailure, and disk errors. */
  const fetch = async (
    source: DownloadSource,
    file: TableFile,
    call: CallOptions = {},
  ): Promise<FetchedFile> => {
    await makeRoom(dir, clock.nowMs());
    const url = fetchUrl(source, file.name, call.apiKey ?? null);
    const path = join(dir, `${randomUUID()}.zip`);
    const remove = () => rm(path, { force: true });
    const bounds = {
      ...exchange,
      timeoutMs: source.fetchTimeoutMs,
      maxBytes: Math.min(file.bytes ?? Infinity, source.maxBytes ?? LIMITS.downloadBytes),
      signal: call.signal,
    };
    try {
      const written = await again(source, call, async () => {
        const got = await getFile(url, path, bounds);
        prove(file, got);
        return got;
      });
      return { ...written, path, [Symbol.asyncDispose]: remove };
    } catch (error) {
      await remove();
      throw named(file.name, error);
    }
  };

  const again = <T>(source: DownloadSource, { signal }: CallOptions, work: () => Promise<T>) => {
    const { host, tries } = source;
    const { wait, random, backoff = SYNC_BACKOFF } = options;
    return retry({ host, tries, backoff, signal, wait, random }, work);
  };

  return { list, fetch, close: () => agent.close() };
}

type Ask = (page: number) => Promise<ReturnType<typeof readListingPage>>;

/** The server chooses page sizes: every page is read and the files are counted. */
async function wholeListing(ask: Ask): Promise<readonly ListedFile[]> {
  const first = await ask(1);
  const pages = first.totalPages ?? 1;
  if (pages > LIMITS.downloadListPages) {
    throw new UpstreamFailure('too_large', `a listing of ${pages} pages`);
  }
  const files = [...first.files];
  for (let page = 2; page <= pages; page += 1) files.push(...(await ask(page)).files);
  const distinct = new Set(files.map(({ name }) => name)).size;
  const announced = first.totalCount ?? files.length;
  if (files.length !== announced || distinct !== files.length) {
    const got = `${files.length} files (${distinct} distinct)`;
    throw new UpstreamFailure('incomplete', `${got} received of ${announced} announced`);
  }
  return files;
}

function listUrl(source: DownloadSource, page: number, apiKey: string | null): URL {
  const url = new URL(source.listUrl);
  url.searchParams.set('Register', source.register);
  url.searchParams.set('Entity', source.entity);
  url.searchParams.set('format', source.format);
  url.searchParams.set('PageNumber', String(page));
  return withKey(url, source, apiKey);
}

function fetchUrl(source: DownloadSource, name: string, apiKey: string | null): URL {
  const url = new URL(source.fetchUrl);
  url.searchParams.set('Filename', name);
  return withKey(url, source, apiKey);
}

function withKey(url: URL, { apiKeyParameter }: DownloadSource, apiKey: string | null): URL {
  if (apiKeyParameter !== null && apiKey !== null) url.searchParams.set(apiKeyParameter, apiKey);
  return url;
}

/** Reads from the beginning each time: the server ignores Range. */
async function getFile(url: URL, path: string, options: StreamOptions): Promise<Written> {
  await using file = await open(path, 'w', 0o600);
  return await getInto(url, file, options);
}

/** Wrong bytes are a broken download: a retry may succeed. */
function prove(listed: TableFile, got: Written): void {
  if (listed.bytes !== null && listed.bytes !== got.bytes) {
    throw new UpstreamFailure('truncated', `${got.bytes} bytes received of ${listed.bytes} listed`);
  }
  if (listed.md5 !== null && listed.md5 !== got.md5) {
    throw new UpstreamFailure('truncated', `MD5 ${got.md5} received, ${listed.md5} listed`);
  }
}

/** Removes files of a killed process: older than any run can last. */
async function makeRoom(dir: string, nowMs: number): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < nowMs - LIMITS.syncRunMs) await rm(path, { force: true });
  }
}
