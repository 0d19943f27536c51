/** Values of the registers' tables, from bytes to bytes: texts are made of few of them on the way. */
import { danishDay } from '../layers/mappings/times.ts';
import { encodeAnyWkb, encodeWkb } from '../wfs/wkb.ts';
import { readWkt } from './read-wkt.ts';

/** A place in bytes: `start` to before `end`. Changed in place, made once. */
export interface Slice {
  bytes: Uint8Array;
  start: number;
  end: number;
}

const HEX = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit += 1) {
  const text = digit.toString(16);
  HEX[text.charCodeAt(0)] = digit;
  HEX[text.toUpperCase().charCodeAt(0)] = digit;
}
const DASH = 0x2d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Writes the 16 bytes of a UUID; false where the slice holds none. Braces and dashes are no matter. */
export function readUuid({ bytes, start, end }: Slice, into: Uint8Array): boolean {
  let digits = 0;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] as number;
    if (byte === DASH || byte === OPENING_BRACE || byte === CLOSING_BRACE) continue;
    const digit = HEX[byte] as number;
    if (digit < 0 || digits === 32) return false;
    const at = digits >> 1;
    into[at] = digits % 2 === 0 ? digit << 4 : (into[at] as number) | digit;
    digits += 1;
  }
  return digits === 32;
}

const ZERO = 0x30;
const NINE = 0x39;

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

/** A whole number of at most 15 digits; null for anything else. `7.0` counts as 7. */
export function readWhole({ bytes, start, end }: Slice): number | null {
  let value = 0;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] as number;
    if (byte === 0x2e && i > start) return onlyZeros(bytes, i + 1, end) ? value : null;
    if (!isDigit(byte) || i - start >= 15) return null;
    value = value * 10 + byte - ZERO;
  }
  return end > start ? value : null;
}

const MAX_INTEGER = 2_147_483_647;

/** A whole number of four bytes, with or without a sign; null for anything else. */
export function readInteger(slice: Slice): number | null {
  const { bytes, start, end } = slice;
  const isNegative = bytes[start] === DASH;
  const whole = readWhole(isNegative ? { bytes, start: start + 1, end } : slice);
  if (whole === null || whole > MAX_INTEGER) return null;
  return isNegative ? -whole : whole;
}

const NUMBER = /^[+-]?\d+(\.\d*)?(e[+-]?\d+)?$/i;

export function readDecimal(slice: Slice): number | null {
  const text = textOf(slice);
  return NUMBER.test(text) ? Number(text) : null;
}

function onlyZeros(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) if (bytes[i] !== ZERO) return false;
  return true;
}

/** Microseconds UTC since 1970 of an ISO 8601 instant; NaN for anything else. Without a zone: UTC. */
export function readInstant({ bytes, start, end }: Slice): number {
  const number = (from: number, length: number): number => {
    let value = 0;
    for (let i = from; i < from + length; i += 1) {
      if (!isDigit(bytes[i]) || i >= end) return NaN;
      value = value * 10 + (bytes[i] as number) - ZERO;
    }
    return value;
  };
  const day = daysFrom(number(start, 4), number(start + 5, 2), number(start + 8, 2));
  if (end - start <= 10) return day * DAY_US;
  const hours = number(start + 11, 2);
  const minutes = number(start + 14, 2);
  const seconds = end - start > 16 && bytes[start + 16] === 0x3a ? number(start + 17, 2) : 0;
  let at = start + (end - start > 16 && bytes[start + 16] === 0x3a ? 19 : 16);
  let fraction = 0;
  if (bytes[at] === 0x2e || bytes[at] === 0x2c) {
    let unit = 100_000;
    for (at += 1; at < end && isDigit(bytes[at]); at += 1) {
      fraction += Math.floor(((bytes[at] as number) - ZERO) * unit);
      unit /= 10;
    }
  }
  const zone = zoneMinutes(bytes, at, end);
  return day * DAY_US + ((hours * 60 + minutes - zone) * 60 + seconds) * 1e6 + fraction;
}

const DAY_US = 24 * 3600 * 1e6;

/** The day of the Danish calendar that an instant falls on, in days since 1970; a day is itself. NaN: none. */
export function readDay(slice: Slice): number {
  const us = readInstant(slice);
  if (Number.isNaN(us) || slice.end - slice.start <= 10) return us / DAY_US;
  return danishDay(us / 1000);
}

function zoneMinutes(bytes: Uint8Array, at: number, end: number): number {
  const sign = bytes[at];
  if (at >= end || (sign !== 0x2b && sign !== DASH)) return 0;
  const digits: number[] = [];
  for (let i = at + 1; i < end; i += 1)
    if (isDigit(bytes[i])) digits.push((bytes[i] ?? ZERO) - ZERO);
  const [h1 = 0, h2 = 0, m1 = 0, m2 = 0] = digits;
  return (sign === DASH ? -1 : 1) * ((h1 * 10 + h2) * 60 + m1 * 10 + m2);
}

/** Days since 1970 of a date of the Gregorian calendar. */
function daysFrom(year: number, month: number, day: number): number {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return NaN;
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const ofEraDays = ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear;
  return era * 146_097 + ofEraDays - 719_468;
}

/** The words of DAR's and the cadastre's statuses, as their digits. */
const STATUSES: readonly (readonly [RegExp, number])[] = [
  [/^gældende/i, 3],
  [/^forel/i, 2],
  [/^(nedlagt|historisk)/i, 4],
  [/^(henlagt|ikke gennemf)/i, 5],
  [/^intern/i, 1],
  [/^slettet/i, 6],
];
const decoder = new TextDecoder();

export function readStatus(slice: Slice): number | null {
  if (slice.end === slice.start) return null;
  const digits = readWhole(slice);
  if (digits !== null) return digits <= 99 ? digits : null;
  const word = textOf(slice);
  return STATUSES.find(([pattern]) => pattern.test(word))?.[1] ?? null;
}

/** Whether it is a name that rows refer to one another by. */
export function isId(slice: Slice): boolean {
  return IS_ID.test(textOf(slice));
}

const IS_ID = /^(?=.*\d)[\da-z_-]+$/i;

function textOf({ bytes, start, end }: Slice): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** Narrows to the written form: no zeros before a digit; letters upper or lower, Danish ones too. */
export function normaliseNumber(slice: Slice, scratch: Uint8Array, upper: boolean): void {
  const { bytes, end } = slice;
  let { start } = slice;
  while (start < end - 1 && bytes[start] === ZERO && isDigit(bytes[start + 1])) start += 1;
  const length = Math.min(end - start, scratch.length);
  for (let i = 0; i < length; i += 1) {
    const byte = bytes[start + i] as number;
    const after = i > 0 && bytes[start + i - 1] === 0xc3;
    scratch[i] = upper ? raised(byte, after) : lowered(byte, after);
  }
  slice.bytes = scratch;
  slice.start = 0;
  slice.end = length;
}

function raised(byte: number, afterC3: boolean): number {
  if (byte >= 0x61 && byte <= 0x7a) return byte - 0x20;
  return afterC3 && byte >= 0xa0 && byte <= 0xbe ? byte - 0x20 : byte;
}

function lowered(byte: number, afterC3: boolean): number {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return afterC3 && byte >= 0x80 && byte <= 0x9e ? byte + 0x20 : byte;
}

/** Narrows to the four digits a code begins with; false where there are none. */
export function narrowToCode(slice: Slice): boolean {
  const { bytes, start, end } = slice;
  if (end - start < 4) return false;
  for (let i = start; i < start + 4; i += 1) if (!isDigit(bytes[i])) return false;
  slice.end = start + 4;
  return end === start + 4 || !isDigit(bytes[start + 4]);
}

/** Easting and northing of `POINT (x y)`, a third ordinate aside; null for anything else. */
export function readPoint({ bytes, start, end }: Slice): readonly [number, number] | null {
  const open = bytes.indexOf(0x28, start);
  const close = bytes.indexOf(0x29, open);
  // Without its end a number may be cut: another place.
  if (open === -1 || close === -1 || close >= end) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + open + 1, close - open - 1).toString(
    'latin1',
  );
  const [x = NaN, y = NaN] = text
    .trim()
    .split(/[ ,)]+/, 2)
    .map(Number);
  return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : null;
}

/** Points, lines or areas as WKB of several, without a third ordinate; null for anything else. */
export function readGeometry(slice: Slice): Uint8Array | null {
  const { geometry, crs } = readWkt(textOf(slice));
  if (geometry === null || (crs !== null && crs !== 'EPSG:25832')) return null;
  return encodeAnyWkb(geometry);
}

/** A MultiPolygon as WKB of a polygon or of several, without a third ordinate; null for anything else. */
export function readSurface(slice: Slice): Uint8Array | null {
  const { geometry, crs } = readWkt(textOf(slice));
  if (geometry === null || (crs !== null && crs !== 'EPSG:25832')) return null;
  const wkb = encodeWkb(geometry, 'area');
  return wkb instanceof Uint8Array ? wkb : null;
}
