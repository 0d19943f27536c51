/**
 * A workbook as the zip archive it is: its parts as text, unpacked while they are read, and never more of
 * it than is allowed in all.
 */
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
  /** Bytes that may be unpacked of it in all, however often a part is read. */
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

  /** Of its bytes, or of the file at a path. Throws a Failure where it is none. Dispose it. */
  static async open(
    source: Buffer | string,
    { unpackedBytes }: PackageOptions,
  ): Promise<WorkbookPackage> {
    // Names are read here: they lead to no file, and programs write them in several ways.
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;
    const zip = await (
      typeof source === 'string' ? openPromise(source, options) : fromBufferPromise(source, options)
    ).catch((error: unknown) => {
      // A file that is not there is no damaged one.
      throw typeof source === 'string' && isOfSystem(error) ? error : broken(error);
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

  /** The text of a part, piece by piece. Its length and sum are proved where it is read to its end. */
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
        // What the archive says of itself is not believed.
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

/** Two parts of one name are none that a reader could choose between. */
function addPart(entries: Map<string, Entry>, entry: Entry): void {
  const name = partName(entry.fileNameRaw.toString('utf8'));
  if (name === null || entries.has(name)) throw broken('a name outside, or twice');
  entries.set(name, entry);
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
