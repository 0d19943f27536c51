/**
 * The container of a snapshot: one buffer of named typed arrays after a checked header, with equal
 * bytes in memory and file. Loading is reading; sharing with a thread is passing it.
 *
 *   0  magic (8 bytes)      8  format version (u32)     12  CRC-32 of everything from byte 16 (u32)
 *   16 total bytes (f64)    24 directory bytes (u32)    32  directory (JSON), then the sections
 */
import { crc32 } from 'node:zlib';

export const FORMAT_VERSION = 1;
const MAGIC = 'LAYERSNP';
const HEADER_BYTES = 32;
const CHECKSUM_AT = 12;
/** The checksum covers what follows. */
export const CHECKED_FROM = 16;
/** Sections are aligned to a cache line. */
const ALIGNMENT = 64;

export type Section = Float64Array | Uint32Array | Uint16Array | Uint8Array;

/** Not a valid snapshot of this version; the store answers instead. */
export class SnapshotRefused extends Error {
  constructor(reason: string) {
    super(`Snapshot refused: ${reason}.`);
    this.name = 'SnapshotRefused';
  }
}

export function checksumOf(buffer: SharedArrayBuffer): number {
  return new DataView(buffer).getUint32(CHECKSUM_AT, true);
}

export interface Container<M> {
  readonly meta: M;
  floats(name: string): Float64Array;
  words(name: string): Uint32Array;
  halves(name: string): Uint16Array;
  bytes(name: string): Uint8Array;
  typeOf(name: string): keyof typeof TYPES | undefined;
}

interface Entry {
  readonly type: keyof typeof TYPES;
  readonly offset: number;
  readonly length: number;
}

interface Directory {
  readonly kind: string;
  readonly meta: unknown;
  readonly sections: Readonly<Record<string, Entry>>;
}

const TYPES = { f64: Float64Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array } as const;

export function pack(
  kind: string,
  meta: unknown,
  sections: Readonly<Record<string, Section>>,
): SharedArrayBuffer {
  const entries: Record<string, Entry> = {};
  let length = 0;
  for (const [name, section] of Object.entries(sections)) {
    entries[name] = { type: typeOf(section), offset: length, length: section.length };
    length = align(length + section.byteLength);
  }
  const directory: Directory = { kind, meta, sections: entries };
  const json = new TextEncoder().encode(JSON.stringify(directory));
  const start = align(HEADER_BYTES + json.length);
  const buffer = new SharedArrayBuffer(start + length);
  const bytes = new Uint8Array(buffer);
  for (const [name, section] of Object.entries(sections)) {
    const raw = new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
    bytes.set(raw, start + entries[name]!.offset);
  }
  bytes.set(json, HEADER_BYTES);
  bytes.set(new TextEncoder().encode(MAGIC), 0);
  const view = new DataView(buffer);
  view.setUint32(8, FORMAT_VERSION, true);
  view.setFloat64(16, buffer.byteLength, true);
  view.setUint32(24, json.length, true);
  view.setUint32(12, checksum(bytes), true);
  return buffer;
}

/**
 * The checksum is skipped where this buffer was already checked (passed to a thread). Throws
 * SnapshotRefused.
 */
export function unpack<M>(
  buffer: SharedArrayBuffer,
  { kind, verified = false }: { readonly kind: string; readonly verified?: boolean },
): Container<M> {
  const directory = readDirectory(buffer, verified);
  if (directory.kind !== kind) throw new SnapshotRefused(`it holds ${directory.kind}, not ${kind}`);
  const bytes = new Uint8Array(buffer);
  const start = align(HEADER_BYTES + new DataView(buffer).getUint32(24, true));
  const section = (name: string, type: keyof typeof TYPES): Section => {
    const entry = directory.sections[name];
    if (entry?.type !== type) throw new SnapshotRefused(`section ${name} is missing`);
    const end = start + entry.offset + entry.length * TYPES[type].BYTES_PER_ELEMENT;
    if (end > bytes.length) throw new SnapshotRefused(`section ${name} runs past the end`);
    const View = TYPES[type] as new (b: SharedArrayBuffer, at: number, n: number) => Section;
    return new View(buffer, start + entry.offset, entry.length);
  };
  return {
    meta: directory.meta as M,
    floats: (name) => section(name, 'f64') as Float64Array,
    words: (name) => section(name, 'u32') as Uint32Array,
    halves: (name) => section(name, 'u16') as Uint16Array,
    bytes: (name) => section(name, 'u8') as Uint8Array,
    typeOf: (name) => directory.sections[name]?.type,
  };
}

/** The checksum: with the version it identifies the bytes. */
export function sealOf(buffer: SharedArrayBuffer): number {
  return new DataView(buffer).getUint32(12, true);
}

/** Identifies the bytes: a transferred buffer is a new object each time. */
export function keyOf(buffer: SharedArrayBuffer): string {
  return `${sealOf(buffer)}:${buffer.byteLength}`;
}

function readDirectory(buffer: SharedArrayBuffer, verified: boolean): Directory {
  if (buffer.byteLength < HEADER_BYTES) throw new SnapshotRefused('it is shorter than its header');
  const bytes = new Uint8Array(buffer);
  const view = new DataView(buffer);
  if (new TextDecoder().decode(bytes.slice(0, 8)) !== MAGIC) {
    throw new SnapshotRefused('it is not a snapshot');
  }
  const version = view.getUint32(8, true);
  if (version !== FORMAT_VERSION) {
    throw new SnapshotRefused(`format ${version} is not ${FORMAT_VERSION}`);
  }
  if (view.getFloat64(16, true) !== buffer.byteLength) throw new SnapshotRefused('it is cut off');
  if (!verified && view.getUint32(12, true) !== checksum(bytes)) {
    throw new SnapshotRefused('its checksum does not match');
  }
  const length = view.getUint32(24, true);
  if (HEADER_BYTES + length > bytes.length) throw new SnapshotRefused('its directory is cut off');
  const json = new TextDecoder().decode(bytes.slice(HEADER_BYTES, HEADER_BYTES + length));
  return JSON.parse(json) as Directory;
}

function checksum(bytes: Uint8Array): number {
  return crc32(bytes.subarray(CHECKED_FROM));
}

function align(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function typeOf(section: Section): keyof typeof TYPES {
  if (section instanceof Float64Array) return 'f64';
  if (section instanceof Uint32Array) return 'u32';
  return section instanceof Uint16Array ? 'u16' : 'u8';
}
