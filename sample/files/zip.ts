/** A zip file of a few members, written as the Datafordeler writes them: deflated, sizes up front. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const DEFLATED = 8;
const VERSION = 20;
/** 1 November 2026, so that the same content gives the same bytes. */
const DOS_DATE = ((2026 - 1980) << 9) | (11 << 5) | 1;
/** Names are UTF-8. */
const FLAGS = 0x0800;

export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const packed = deflateRawSync(bytes);
    const facts = { name: Buffer.from(name), packed, size: bytes.length, crc: crc32(bytes) };
    const header = headerOf(facts, null);
    directory.push(headerOf(facts, offset));
    locals.push(header, packed);
    offset += header.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

interface Facts {
  readonly name: Buffer;
  readonly packed: Buffer;
  readonly size: number;
  readonly crc: number;
}

/** The header before the data, or with an offset the entry of the directory. */
function headerOf({ name, packed, size, crc }: Facts, offset: number | null): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(FLAGS, 2);
  fields.writeUInt16LE(DEFLATED, 4);
  fields.writeUInt16LE(DOS_DATE, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  const start = Buffer.alloc(offset === null ? 4 : 6);
  start.writeUInt32LE(offset === null ? LOCAL : CENTRAL, 0);
  if (offset === null) return Buffer.concat([start, fields, name]);
  start.writeUInt16LE(VERSION, 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([start, fields, rest, name]);
}
