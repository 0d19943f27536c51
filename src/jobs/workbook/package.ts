/** Parts are unpacked while read, within a total limit. */
import { crc32 } from 'node:zlib';
import { fromBufferPromise, openPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { Failure } from '../../kernel/failures.ts';
import { JOB_LIMITS } from '../limits.ts';
import { partName } from './archive.ts';
import type { WorkbookArchive } from './archive.ts';
import { broken, tooManyParts, unpacksTooLarge } from './refusals.ts';

const STORED = 0;
const DEFLATED = 8;

export interface PackageOptions {
  /** Includes repeated reads. */
  readonly unpackedBytes: number;
}

export class WorkbookPackage implements WorkbookArchive, Disposable {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #mostBytes: number;
  #bytes = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, mostBytes: number) {
    this.#zip = zip;
    this.#entries = entries;
    this.#mostBytes = mostBytes;
  }

  /** From bytes or a file path. Throws for an invalid archive. Dispose it. */
  static async open(
    source: Buffer | string,
    { unpackedBytes }: PackageOptions,
  ): Promise<WorkbookPackage> {
    // Names are no file paths, and programs encode them differently.
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;
    const zip = await (
      typeof source === 'string' ? openPromise(source, options) : fromBufferPromise(source, options)
    ).catch((error: unknown) => {
      // A missing file is not a damaged one.
      const isOfSystem = error instanceof Error && 'syscall' in error;
      throw typeof source === 'string' && isOfSystem ? error : broken(error);
    });
    try {
      if (zip.entryCount > JOB_LIMITS.workbook.members) throw tooManyParts();
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) addPart(entries, entry);
      return new WorkbookPackage(zip, entries, unpackedBytes);
    } catch (error) {
      zip.close();
      throw error instanceof Failure ? error : broken(error);
    }
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  /** Verifies length and checksum at the end. */
  async *part(path: string): AsyncGenerator<string, void, undefined> {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw broken(`no ${path}`);
    const { compressionMethod, uncompressedSize } = entry;
    const isPlain = compressionMethod === STORED || compressionMethod === DEFLATED;
    if (entry.isEncrypted() || !isPlain) throw broken(`${path} cannot be unpacked`);
    if (this.#bytes + uncompressedSize > this.#mostBytes) throw unpacksTooLarge(this.#mostBytes);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let sum = 0;
    let size = 0;
    try {
      const stream = await this.#zip.openReadStreamPromise(entry);
      for await (const bytes of stream as AsyncIterable<Buffer>) {
        size += bytes.length;
        this.#bytes += bytes.length;
        // Does not trust the sizes stated by the archive.
        if (this.#bytes > this.#mostBytes) throw unpacksTooLarge(this.#mostBytes);
        sum = crc32(bytes, sum);
        yield decoder.decode(bytes, { stream: true });
      }
      decoder.decode();
    } catch (error) {
      throw error instanceof Failure ? error : broken(error);
    }
    if (size !== uncompressedSize || sum !== entry.crc32) throw broken(`${path} is damaged`);
  }

  [Symbol.dispose](): void {
    this.#zip.close();
  }
}

/** Refuses ambiguous names. */
function addPart(entries: Map<string, Entry>, entry: Entry): void {
  const name = partName(entry.fileNameRaw.toString('utf8'));
  if (name === null || entries.has(name)) throw broken('a name outside, or twice');
  entries.set(name, entry);
}
