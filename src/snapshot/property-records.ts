/**
 * Records of properties by number: one file of deflated JSON, one record behind the other, and an index in
 * shared memory (src/snapshot/format.ts) with where each lies and its CRC-32. Records are read by position.
 */
import { closeSync, fstatSync, fsyncSync, openSync, read, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PublishedVersion } from '../layers/published-copy.ts';
import { replaceFile } from './files.ts';
import { SnapshotRefused, pack, unpack } from './format.ts';
import type { Container } from './format.ts';

/** Told apart from records without what was joined since. */
const KIND = 'property-records-2';
const readAt = promisify(read);
/** Of the first record: what every record repeats costs a few bytes then. At most what deflate looks back. */
const DICTIONARY_BYTES = 32_768;

export interface RecordsMeta {
  /** Of which published versions: as the loader knows them. */
  readonly version: number;
  readonly publishedAtMs: number;
  /** From when to when the records say what is in force, milliseconds UTC; null: without an end. */
  readonly atMs: number;
  readonly untilMs: number | null;
  /** What was joined; null: it was not mirrored. */
  readonly cadastre: PublishedVersion | null;
  readonly assessments: PublishedVersion | null;
  readonly protection: PublishedVersion | null;
}

/** `text` null: the record is too large to be kept; it is known, and has to be asked for elsewhere. */
export interface TextOfNumber {
  readonly bfe: number;
  readonly text: string | null;
}

/** Writes the records, ascending by number, to `path`; returns the index. */
export async function writeRecords(
  path: string,
  meta: RecordsMeta,
  records: Iterable<TextOfNumber>,
): Promise<SharedArrayBuffer> {
  const numbers: number[] = [];
  const ends: number[] = [];
  const sums: number[] = [];
  let dictionary = Buffer.alloc(0);
  let end = 0;
  await replaceFile(path, (temporary) => {
    const file = openSync(temporary, 'w');
    try {
      for (const { bfe, text } of records) {
        if (text !== null && dictionary.length === 0) {
          dictionary = Buffer.from(text).subarray(0, DICTIONARY_BYTES);
        }
        const bytes = text === null ? Buffer.alloc(0) : deflateRawSync(text, { dictionary });
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
        end += bytes.length;
        numbers.push(bfe);
        ends.push(end);
        sums.push(crc32(bytes));
      }
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return Promise.resolve();
  });
  return pack(KIND, meta, {
    numbers: Uint32Array.from(numbers),
    ends: Float64Array.from(ends),
    sums: Uint32Array.from(sums),
    dictionary: new Uint8Array(dictionary),
  });
}

export class PropertyRecords {
  readonly meta: RecordsMeta;
  readonly count: number;
  readonly #numbers: Uint32Array;
  readonly #ends: Float64Array;
  readonly #sums: Uint32Array;
  readonly #dictionary: Buffer;
  readonly #file: number;
  #reading = 0;
  #isRetired = false;

  /** Throws SnapshotRefused when the index is not sound or the file is not as long as it says. */
  constructor(buffer: SharedArrayBuffer, path: string, { verified }: { verified: boolean }) {
    const container: Container<RecordsMeta> = unpack(buffer, { kind: KIND, verified });
    this.meta = container.meta;
    this.#numbers = container.words('numbers');
    this.#ends = container.floats('ends');
    this.#sums = container.words('sums');
    this.#dictionary = Buffer.from(container.bytes('dictionary'));
    this.count = this.#numbers.length;
    this.#file = openSync(path, 'r');
    const { size } = fstatSync(this.#file);
    if (size === (this.#ends.at(-1) ?? 0)) return;
    closeSync(this.#file);
    throw new SnapshotRefused(`its records are ${size} bytes long`);
  }

  /** The number at a place, for whoever compares some of them. */
  numberAt(place: number): number | undefined {
    return this.#numbers[place];
  }

  /**
   * The texts of those that are known; null: it is known, and not kept here. Throws SnapshotRefused when a
   * record is damaged, an Error when the file is closed.
   */
  async read(bfes: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
    if (this.#isRetired) throw new Error('The file of properties was replaced.');
    this.#reading += 1;
    try {
      const found = await Promise.all(
        bfes.map(async (bfe) => [bfe, await this.#textOf(bfe)] as const),
      );
      return new Map(found.flatMap(([bfe, text]) => (text === undefined ? [] : [[bfe, text]])));
    } finally {
      this.#reading -= 1;
      this.#closeIfDone();
    }
  }

  /** Closes the file behind the last who reads. */
  retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#isRetired && this.#reading === 0) closeSync(this.#file);
  }

  async #textOf(bfe: number): Promise<string | null | undefined> {
    const place = placeOf(this.#numbers, bfe);
    if (place === null) return undefined;
    const from = place === 0 ? 0 : this.#ends[place - 1]!;
    const length = this.#ends[place]! - from;
    if (length === 0) return null;
    const { bytesRead, buffer } = await readAt(this.#file, Buffer.alloc(length), 0, length, from);
    if (bytesRead !== length || crc32(buffer) !== this.#sums[place]) {
      throw new SnapshotRefused(`the record of ${bfe} is damaged`);
    }
    return inflateRawSync(buffer, { dictionary: this.#dictionary }).toString();
  }
}

function placeOf(numbers: Uint32Array, bfe: number): number | null {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < bfe) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === bfe ? low : null;
}
