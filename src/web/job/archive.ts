/** A zip archive (APPNOTE 6.3), unpacked by the browser; lengths, sums and size are verified. */
import { broken, partName, tooManyParts, unpacksTooLarge } from '../../jobs/workbook/for-pages.ts';
import type { WorkbookArchive } from '../../jobs/workbook/for-pages.ts';
import { JOB_LIMITS } from '../../jobs/for-pages.ts';
import { bytesOf } from '../shared/streams.ts';

interface Member {
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly sum: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly at: number;
}

const STORED = 0;
const DEFLATED = 8;
const END_SIGNATURE = 0x06054b50;
const DIRECTORY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const DIRECTORY_BYTES = 46;
const LOCAL_BYTES = 30;
/** Of the remark that ends the archive's last record. */
const MOST_REMARK_BYTES = 65_535;
/** Says "see the record of ZIP64": archives past 4 GiB are not read here. */
const ELSEWHERE = 0xffffffff;

export class BrowserArchive implements WorkbookArchive {
  readonly #file: Blob;
  readonly #members: ReadonlyMap<string, Member>;
  #unpacked = 0;

  private constructor(file: Blob, members: ReadonlyMap<string, Member>) {
    this.#file = file;
    this.#members = members;
  }

  /** Throws a Failure where the file is no such archive. */
  static async open(file: Blob): Promise<BrowserArchive> {
    const tailAt = Math.max(0, file.size - END_BYTES - MOST_REMARK_BYTES);
    const tail = await viewOf(file, tailAt, file.size);
    let at = tail.byteLength - END_BYTES;
    while (at >= 0 && tail.getUint32(at, true) !== END_SIGNATURE) at -= 1;
    if (at < 0) throw broken('no end of a directory');
    const count = tail.getUint16(at + 10, true);
    const [bytes, from] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
    if (count > JOB_LIMITS.workbook.members) throw tooManyParts();
    if (from === ELSEWHERE || from + bytes > tailAt + at) throw broken('a directory elsewhere');
    const directory = await viewOf(file, from, from + bytes);
    return new BrowserArchive(file, membersOf(directory, count));
  }

  has(path: string): boolean {
    return this.#members.has(path);
  }

  async *part(path: string): AsyncGenerator<string, void, undefined> {
    const member = this.#members.get(path);
    if (member === undefined) throw broken(`no ${path}`);
    const { method, isEncrypted, bytes } = member;
    if (isEncrypted || (method !== STORED && method !== DEFLATED)) throw broken(`${path}: packing`);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const sum = new Crc32();
    let size = 0;
    for await (const piece of unpacked(await this.#packed(member), method)) {
      size += piece.length;
      this.#unpacked += piece.length;
      const { file: most } = JOB_LIMITS.workbook.unpackedBytes;
      if (this.#unpacked > most) throw unpacksTooLarge(most);
      if (size > bytes) throw broken(`${path} is longer than it says`);
      sum.add(piece);
      yield textOf(decoder, piece);
    }
    textOf(decoder, null);
    if (size !== bytes || sum.value !== member.sum) throw broken(`${path} is damaged`);
  }

  async #packed({ at, packedBytes }: Member): Promise<Blob> {
    if (at + LOCAL_BYTES > this.#file.size) throw broken('a member outside the file');
    const head = await viewOf(this.#file, at, at + LOCAL_BYTES);
    if (head.getUint32(0, true) !== LOCAL_SIGNATURE) throw broken('no head of a member');
    const from = at + LOCAL_BYTES + head.getUint16(26, true) + head.getUint16(28, true);
    return this.#file.slice(from, from + packedBytes);
  }
}

async function viewOf(file: Blob, from: number, until: number): Promise<DataView> {
  return new DataView(await file.slice(from, until).arrayBuffer());
}

function membersOf(directory: DataView, count: number): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  let at = 0;
  for (let n = 0; n < count; n++) {
    if (at + DIRECTORY_BYTES > directory.byteLength) throw broken('a short directory');
    if (directory.getUint32(at, true) !== DIRECTORY_SIGNATURE) throw broken('no directory');
    const nameBytes = directory.getUint16(at + 28, true);
    const nameAt = at + DIRECTORY_BYTES;
    if (nameAt + nameBytes > directory.byteLength) throw broken('a short directory');
    const name = new TextDecoder().decode(
      new Uint8Array(directory.buffer, directory.byteOffset + nameAt, nameBytes),
    );
    const path = partName(name);
    if (path === null || members.has(path)) throw broken('a name outside, or twice');
    members.set(path, {
      isEncrypted: (directory.getUint16(at + 8, true) & 1) === 1,
      method: directory.getUint16(at + 10, true),
      sum: directory.getUint32(at + 16, true),
      packedBytes: directory.getUint32(at + 20, true),
      bytes: directory.getUint32(at + 24, true),
      at: directory.getUint32(at + 42, true),
    });
    at =
      nameAt + nameBytes + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
  }
  return members;
}

async function* unpacked(
  packed: Blob,
  method: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const stream = packed.stream();
  try {
    if (method === STORED) yield* bytesOf(stream);
    else yield* bytesOf(stream.pipeThrough(new DecompressionStream('deflate-raw')));
  } catch (error) {
    // What the browser says of damaged bytes is a TypeError.
    throw error instanceof TypeError ? broken(error) : error;
  }
}

function textOf(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array | null): string {
  try {
    return bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (error) {
    throw broken(error);
  }
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) {
    value = (value & 1) === 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  }
  return value;
});

class Crc32 {
  #value = 0xffffffff;

  add(bytes: Uint8Array): void {
    let value = this.#value;
    for (const byte of bytes) value = (TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
    this.#value = value;
  }

  get value(): number {
    return (this.#value ^ 0xffffffff) >>> 0;
  }
}
