/**
 * A file of deflated JSON, and an index in shared memory (src/snapshot/format.ts) with position and
 * CRC-32 of each record.
 */
import { readSync } from 'node:fs';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { diskReads } from '../kernel/disk-reads.ts';
import type { PublishedVersion } from '../layers/published-copy.ts';
import { replaceByAppending } from './appended-file.ts';
import { lowerBound } from '../kernel/compare.ts';
import { SnapshotRefused, pack, unpack } from './format.ts';
import type { Container } from './format.ts';
import { HeldFile } from './files.ts';

/** Increment when the joined data or the packing changes. */
const KIND = 'property-records-4';
/** From the first record, so that repeated parts cost little. Deflate's window is the limit. */
const DICTIONARY_BYTES = 32_768;
const PIECE_BYTES = 1024 * 1024;
/** Nearly all records fit. Discarded allocations make the collector stop the thread. */
const TEXT_BYTES = 8_192;

export interface RecordsMeta {
  readonly version: number;
  readonly publishedAtMs: number;
  /** Validity of the records, UTC; null: no end. */
  readonly atMs: number;
  readonly untilMs: number | null;
  readonly registers: readonly Pick<PublishedVersion, 'layer' | 'version' | 'publishedAtMs'>[];
  /** Other records were copied. */
  readonly written: number;
  /** Joined versions; null: not mirrored. */
  readonly cadastre: PublishedVersion | null;
  readonly locations: PublishedVersion | null;
  readonly assessments: PublishedVersion | null;
  readonly protection: PublishedVersion | null;
}

/** No row began or ended in between. */
export function isOfInstant({ atMs, untilMs }: RecordsMeta, instantMs: number): boolean {
  return instantMs >= atMs && (untilMs === null || instantMs < untilMs);
}

/** `text` null: known, but too large for the file. undefined: unknown. */
export interface TextOfNumber {
  readonly bfe: number;
  readonly text: string | null | undefined;
}

interface StoredRecord {
  readonly bfe: number;
  readonly bytes: Uint8Array;
  readonly sum: number;
}

/**
 * Ascending; returns the index. `earlier`: unnamed records are copied from there; null: the records
 * are all.
 */
export async function writeRecords(
  path: string,
  { earlier, ...meta }: Omit<RecordsMeta, 'written'> & { readonly earlier: PropertyRecords | null },
  records: Iterable<TextOfNumber>,
): Promise<SharedArrayBuffer> {
  const numbers: number[] = [];
  const ends: number[] = [];
  const sums: number[] = [];
  const packer = new Packer(earlier?.dictionary ?? null);
  let end = 0;
  await replaceByAppending(path, (out) => {
    for (const { bfe, bytes, sum } of merged(earlier?.stored() ?? [], packer.pack(records))) {
      out.append(bytes);
      end += bytes.length;
      numbers.push(bfe);
      ends.push(end);
      sums.push(sum);
    }
  });
  return pack(KIND, { ...meta, written: packer.packed } satisfies RecordsMeta, {
    numbers: Uint32Array.from(numbers),
    ends: Float64Array.from(ends),
    sums: Uint32Array.from(sums),
    dictionary: new Uint8Array(packer.dictionary),
  });
}

class Packer {
  packed = 0;
  dictionary: Buffer;
  #isOpen: boolean;

  constructor(dictionary: Buffer | null) {
    this.dictionary = dictionary ?? Buffer.alloc(0);
    this.#isOpen = dictionary === null;
  }

  *pack(records: Iterable<TextOfNumber>): Generator<StoredRecord | { readonly bfe: number }> {
    for (const { bfe, text } of records) {
      if (text !== undefined) this.packed += 1;
      yield text === undefined ? { bfe } : { bfe, ...this.#stored(text) };
    }
  }

  #stored(text: string | null): Pick<StoredRecord, 'bytes' | 'sum'> {
    if (text !== null && this.#isOpen) {
      this.dictionary = Buffer.from(text).subarray(0, DICTIONARY_BYTES);
      this.#isOpen = false;
    }
    const { dictionary } = this;
    const bytes = text === null ? Buffer.alloc(0) : deflateRawSync(text, { dictionary });
    return { bytes, sum: crc32(bytes) };
  }
}

/** `changed` replaces `earlier`; both ascend. */
function* merged(
  earlier: Iterable<StoredRecord>,
  changed: Iterable<StoredRecord | { readonly bfe: number }>,
): Generator<StoredRecord> {
  const rest = earlier[Symbol.iterator]();
  let next = rest.next();
  for (const change of changed) {
    for (; next.done !== true && next.value.bfe < change.bfe; next = rest.next()) yield next.value;
    if (next.done !== true && next.value.bfe === change.bfe) next = rest.next();
    if ('bytes' in change) yield change;
  }
  for (; next.done !== true; next = rest.next()) yield next.value;
}

export class PropertyRecords extends HeldFile {
  readonly meta: RecordsMeta;
  readonly count: number;
  readonly path: string;
  readonly #numbers: Uint32Array;
  readonly #ends: Float64Array;
  readonly #sums: Uint32Array;
  readonly #dictionary: Buffer;

  /** Throws SnapshotRefused for a damaged index or a file of another length. */
  constructor(buffer: SharedArrayBuffer, path: string, { verified }: { verified: boolean }) {
    const container: Container<RecordsMeta> = unpack(buffer, { kind: KIND, verified });
    const ends = container.floats('ends');
    super(path, ends.at(-1) ?? 0, 'records');
    this.meta = container.meta;
    this.#numbers = container.words('numbers');
    this.#ends = ends;
    this.#sums = container.words('sums');
    this.#dictionary = Buffer.from(container.bytes('dictionary'));
    this.count = this.#numbers.length;
    this.path = path;
  }

  numberAt(place: number): number | undefined {
    return this.#numbers[place];
  }

  /**
   * null: not in the file. Throws SnapshotRefused for a damaged record, DiskSilent when the disk
   * hangs.
   */
  async read(bfes: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
    const found = await this.hold(() =>
      Promise.all(bfes.map(async (bfe) => [bfe, await this.#textOf(bfe)] as const)),
    );
    return new Map(found.flatMap(([bfe, text]) => (text === undefined ? [] : [[bfe, text]])));
  }

  get dictionary(): Buffer {
    return this.#dictionary;
  }

  /** Blocks: for threads. */
  *stored(): Generator<StoredRecord> {
    let piece: Buffer = Buffer.alloc(0);
    let from = 0;
    for (const [place, end] of this.#ends.entries()) {
      const at = place === 0 ? 0 : this.#ends[place - 1]!;
      if (end > from + piece.length) {
        from = at;
        piece = this.#pieceAt(at, Math.max(PIECE_BYTES, end - at));
      }
      const bytes = piece.subarray(at - from, end - from);
      yield { bfe: this.#numbers[place]!, bytes, sum: this.#sums[place]! };
    }
  }

  #pieceAt(from: number, most: number): Buffer {
    const piece = Buffer.alloc(Math.min(most, (this.#ends.at(-1) ?? 0) - from));
    for (let at = 0; at < piece.length;) {
      const count = readSync(this.file, piece, at, piece.length - at, from + at);
      if (count === 0) throw new SnapshotRefused('its records end early');
      at += count;
    }
    return piece;
  }

  /** Blocking `read`; undefined: unknown. */
  readSync(bfe: number): string | null | undefined {
    const at = this.#find(bfe);
    if (at === undefined || at.length === 0) return at && null;
    const bytes = Buffer.allocUnsafe(at.length);
    return this.#unpack(at, bytes, readSync(this.file, bytes, 0, at.length, at.from));
  }

  async #textOf(bfe: number): Promise<string | null | undefined> {
    const at = this.#find(bfe);
    if (at === undefined || at.length === 0) return at && null;
    const bytes = Buffer.allocUnsafe(at.length);
    return this.#unpack(at, bytes, await diskReads.read(this.file, bytes, at.from));
  }

  #find(bfe: number): RecordPosition | undefined {
    const numbers = this.#numbers;
    const place = lowerBound({ from: 0, to: numbers.length }, (at) => numbers[at]! < bfe);
    if (numbers[place] !== bfe) return undefined;
    const from = place === 0 ? 0 : this.#ends[place - 1]!;
    return { bfe, from, length: this.#ends[place]! - from, sum: this.#sums[place]! };
  }

  #unpack({ bfe, length, sum }: RecordPosition, bytes: Buffer, bytesRead: number): string {
    if (bytesRead !== length || crc32(bytes) !== sum) {
      throw new SnapshotRefused(`the record of ${bfe} is damaged`);
    }
    return inflateRawSync(bytes, {
      dictionary: this.#dictionary,
      chunkSize: TEXT_BYTES,
    }).toString();
  }
}

interface RecordPosition {
  readonly bfe: number;
  readonly from: number;
  /** 0: not in the file. */
  readonly length: number;
  readonly sum: number;
}
