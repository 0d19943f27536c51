/**
 * A key has 16 bytes: an address's UUID; a BFE number; a parcel's district and number. A list keeps
 * them sorted and packed.
 */
import { LIMITS } from '../kernel/limits.ts';
import { lowerBound } from '../kernel/compare.ts';
import { uuidDigitsOf } from '../kernel/uuids.ts';
import { parcelNumberOf } from '../layers/parcel-text.ts';
import type { KeyKind } from './kinds.ts';

export const KEY_BYTES = 16;

const PARCEL = /^(\d{1,8})\s*[-/,; ]\s*(.{1,20})$/;
/** Bytes of a parcel's number. */
const NUMBER_BYTES = KEY_BYTES - 4;

/** Hexadecimal; null: no such object. */
export function keyOf(kind: KeyKind, text: string): string | null {
  const written = text.trim();
  if (kind === 'adresse') return uuidDigitsOf(written);
  if (kind === 'bfe') {
    const bfe = /^\d{1,10}$/.test(written) ? Number(written) : 0;
    return bfe >= LIMITS.bfe.min && bfe <= LIMITS.bfe.max ? hexOfNumber(bfe) : null;
  }
  const [, district = '', number = ''] = PARCEL.exec(written) ?? [];
  return parcelKey(Number(district), number);
}

/** null: no parcel number. */
export function parcelKey(district: number, text: string): string | null {
  const number = parcelNumberOf(text);
  if (number === null || district === 0) return null;
  const bytes = Buffer.from(number, 'utf8');
  if (bytes.length > NUMBER_BYTES) return null;
  return hexOfNumber(district, 4) + bytes.toString('hex').padEnd(2 * NUMBER_BYTES, '0');
}

/** Default length: the key of a BFE number. */
function hexOfNumber(value: number, bytes = KEY_BYTES): string {
  return value.toString(16).padStart(2 * bytes, '0');
}

/** As in answers. */
export function objectOf(kind: KeyKind, hex: string): string | number {
  if (kind === 'bfe') return Number.parseInt(hex, 16);
  if (kind === 'adresse') return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const number = Buffer.from(hex.slice(8), 'hex').toString('utf8').replace(/\0+$/, '');
  return `${Number.parseInt(hex.slice(0, 8), 16)}-${number}`;
}

/** Ascending and distinct. */
export function packKeys(hexes: Iterable<string>): Uint8Array {
  return Uint8Array.from(Buffer.from([...new Set(hexes)].sort().join(''), 'hex'));
}

export function hexesOf(packed: Uint8Array): string[] {
  const hex = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength).toString('hex');
  return Array.from({ length: packed.length / KEY_BYTES }, (_, n) =>
    hex.slice(2 * KEY_BYTES * n, 2 * KEY_BYTES * (n + 1)),
  );
}

/** Both are packed. */
export function placesIn(changed: Uint8Array, list: Uint8Array): Uint32Array {
  const [a, b] = [wordsOf(changed), wordsOf(list)];
  const [ends, most] = [changed.length / KEY_BYTES, list.length / KEY_BYTES];
  const found = new Uint32Array(Math.min(ends, most));
  let count = 0;
  let at = 0;
  for (let n = 0; n < ends && at < most; n++) {
    at = firstNotBefore(b, { from: at, to: most }, { words: a, at: n });
    if (at < most && compare(b, at, a, n) === 0) found[count++] = n;
  }
  return found.slice(0, count);
}

/** Galloping search: few changed keys skip over a long list. */
function firstNotBefore(
  words: Uint32Array,
  { from, to }: { readonly from: number; readonly to: number },
  key: { readonly words: Uint32Array; readonly at: number },
): number {
  let step = 1;
  while (from + step < to && compare(words, from + step, key.words, key.at) < 0) step *= 2;
  const near = { from, to: Math.min(to, from + step + 1) };
  return lowerBound(near, (at) => compare(words, at, key.words, key.at) < 0);
}

function compare(a: Uint32Array, i: number, b: Uint32Array, j: number): number {
  for (let word = 0; word < 4; word++) {
    const difference = (a[4 * i + word] ?? 0) - (b[4 * j + word] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Numbers that compare like the bytes. */
function wordsOf(packed: Uint8Array): Uint32Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  return Uint32Array.from({ length: packed.length / 4 }, (_, n) => view.getUint32(4 * n));
}
