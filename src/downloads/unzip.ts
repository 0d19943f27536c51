/** A stream whose length and CRC-32 are verified at its end. Nothing is unpacked to disk. */
import { crc32 } from 'node:zlib';
import { openPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { LIMITS } from '../kernel/limits.ts';
import { UpstreamFailure } from '../wfs/failure.ts';

export interface ZipMember {
  readonly name: string;
  /** Unpacked size stated by the archive; `bytes` enforces it. */
  readonly size: number;
  /** Read once, to its end: only then is it verified. Throws UpstreamFailure. */
  bytes(): AsyncIterable<Uint8Array>;
  [Symbol.dispose](): void;
}

const STORED = 0;
const DEFLATED = 8;

/**
 * The only member with the extension (`.gpkg`); of several, the one named like the archive. Throws
 * UpstreamFailure `unreadable`, and `too_large` past `maxBytes`.
 */
export async function openMember(
  path: string,
  wanted: { readonly extension: string; readonly stem: string; readonly maxBytes: number },
): Promise<ZipMember> {
  let zip: ZipFile;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true });
  } catch (error) {
    throw broken('no zip file', error);
  }
  try {
    const entry = choose(await entriesOf(zip), wanted);
    if (entry.uncompressedSize > wanted.maxBytes) {
      throw new UpstreamFailure('too_large', `${entry.fileName} unpacks to too many bytes`);
    }
    return {
      name: entry.fileName,
      size: entry.uncompressedSize,
      bytes: () => provenBytes(zip, entry),
      [Symbol.dispose]: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > LIMITS.downloadZipEntries) {
    throw new UpstreamFailure('too_large', `a zip file of ${zip.entryCount} entries`);
  }
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    throw broken('a broken zip directory', error);
  }
  return entries;
}

function choose(
  entries: readonly Entry[],
  { extension, stem }: { readonly extension: string; readonly stem: string },
): Entry {
  const fitting = entries.filter(({ fileName }) => fileName.toLowerCase().endsWith(extension));
  const named = fitting.filter(({ fileName }) => baseName(fileName) === stem.toLowerCase());
  const [entry, another] = named.length > 0 ? named : fitting;
  if (entry === undefined) throw unreadable(`no ${extension} among ${entries.length} entries`);
  if (another !== undefined) throw unreadable(`${fitting.length} ${extension} files in one zip`);
  const { compressionMethod } = entry;
  if (entry.isEncrypted()) throw unreadable(`${entry.fileName} is encrypted`);
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) {
    throw unreadable(`${entry.fileName} is packed by method ${compressionMethod}`);
  }
  return entry;
}

function baseName(name: string): string {
  return (name.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '').toLowerCase();
}

async function* provenBytes(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array, void, void> {
  let sum = 0;
  let size = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      size += chunk.length;
      // The library also enforces the announced size; a bomb must not depend on one check.
      if (size > entry.uncompressedSize) break;
      yield chunk;
    }
  } catch (error) {
    throw broken(`${entry.fileName} cannot be unpacked`, error);
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32) {
    throw unreadable(
      `${entry.fileName}: ${size} bytes with CRC-32 ${hex(sum)}, the archive says ` +
        `${entry.uncompressedSize} with ${hex(entry.crc32)}`,
    );
  }
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}

function broken(what: string, error: unknown): Error {
  if (error instanceof UpstreamFailure) return error;
  return unreadable(`${what}: ${error instanceof Error ? error.message : String(error)}`);
}

function unreadable(message: string): UpstreamFailure {
  return new UpstreamFailure('unreadable', message);
}
