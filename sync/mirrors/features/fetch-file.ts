import { LIMITS } from '../../../src/kernel/limits.ts';
import { cutRows } from '../../../src/downloads/json-rows.ts';
import type { FetchedFile } from '../../../src/downloads/client.ts';
import type { TableFile } from '../../../src/downloads/listing.ts';
import { openMember } from '../../../src/downloads/unzip.ts';
import type { ZipMember } from '../../../src/downloads/unzip.ts';
import type { FileSource } from '../../../src/layers/source.ts';
import { DAGI_BASE_SCALE } from '../../../src/wfs/page-task.ts';
import type { ParseDownloadTask } from '../../../src/downloads/parse.ts';
import type { ParsedPage } from '../../../src/wfs/page.ts';
import type { FileRead, Run, SyncDeps } from '../../deps.ts';
import { inOrder } from '../../in-order.ts';

type Task = Pick<ParseDownloadTask, 'bytes' | 'members'>;

/**
 * In file order; counts bytes, parts and rows, and calls `onFetched` before the first part. Throws
 * on anything incomplete: nothing is verified before the last part. The file goes into the archive,
 * if any; a replay reads it from there.
 */
export async function* readFileParts(
  deps: SyncDeps,
  run: Run,
  from: {
    readonly source: FileSource;
    readonly file: TableFile;
    readonly onFetched: (file: FileRead) => void;
  },
): AsyncGenerator<ParsedPage, void, void> {
  const { source, file, onFetched } = from;
  const { workers, clock } = deps;
  const { counts, signal } = run;
  await using fetched = await fetchFile(deps, run, from);
  counts.bytes += fetched.bytes;
  onFetched({ name: file.name, bytes: fetched.bytes, md5: fetched.md5 });
  using member = await openMember(fetched.path, memberOf(source, file));
  const nowMs = run.replay?.readAtMs ?? clock.nowMs();
  const parts = inOrder(tasksOf(source, member), {
    width: LIMITS.syncPagesInParser,
    work: (task) => workers.parseDownload({ ...settings(run, source, nowMs), ...task }, signal),
    giveUp: () => undefined,
  });
  for await (const part of parts) {
    counts.pages += 1;
    counts.received += part.members;
    yield part;
  }
}

async function fetchFile(
  { downloads, keys, archive }: SyncDeps,
  run: Run,
  { source, file }: { readonly source: FileSource; readonly file: TableFile },
): Promise<FetchedFile> {
  if (run.replay?.read.way === 'files') return await run.replay.read.fetch();
  if (downloads === undefined) throw new Error('There is nothing to download with.');
  const apiKey = keys[source.host] ?? null;
  const fetched = await downloads.fetch(source, file, { signal: run.signal, apiKey });
  await archive?.begin(run).keepFile({ file, source, fetched });
  return fetched;
}

function memberOf({ format }: FileSource, { name }: TableFile) {
  return {
    extension: `.${format}`,
    stem: name.replace(/\.zip$/i, ''),
    maxBytes: format === 'json' ? LIMITS.downloadUnpackedBytes : LIMITS.downloadWholeBytes,
  };
}

function settings({ layer }: Run, source: FileSource, nowMs: number) {
  const { format, geometryProperty, keyProperty, srsName, dagiScale = DAGI_BASE_SCALE } = source;
  return {
    mapping: layer.mapping,
    geometryKind: layer.geometry,
    format,
    geometryProperty,
    keyProperty,
    srsName,
    dagiScale,
    nowMs,
    readAtMs: nowMs,
  };
}

async function* tasksOf(source: FileSource, member: ZipMember): AsyncGenerator<Task, void, void> {
  if (source.format === 'json') {
    yield* cutRows(member.bytes());
    return;
  }
  const bytes = new Uint8Array(member.size);
  let at = 0;
  for await (const chunk of member.bytes()) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  yield { bytes, members: null };
}
