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

const words = (...values: readonly number[]) => Buffer.from(Uint16Array.from(values).buffer);
const longs = (...values: readonly number[]) => Buffer.from(Uint32Array.from(values).buffer);

export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name: text, bytes } of entries) {
    const [name, packed] = [Buffer.from(text), deflateRawSync(bytes)];
    const facts = [
      words(VERSION, FLAGS, DEFLATED, 0, DOS_DATE),
      longs(crc32(bytes), packed.length, bytes.length),
      words(name.length, 0),
    ];
    const local = Buffer.concat([longs(LOCAL), ...facts, name, packed]);
    const place = [words(0, 0, 0), longs(0, offset), name];
    directory.push(longs(CENTRAL), words(VERSION), ...facts, ...place);
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = words(0, 0, entries.length, entries.length);
  const end = [longs(END), count, longs(central.length, offset), words(0)];
  return Buffer.concat([...locals, central, ...end]);
}
