import type SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import { EARLIEST_MS, danishDay, isNoTime } from '../layers/mappings/times.ts';
import { standingCode } from '../layers/standing-columns.ts';
import type { StandingColumn } from '../layers/standing-columns.ts';
import { encodeAnyWkb, encodeWkb } from '../wfs/wkb.ts';
import { readWkt } from './read-wkt.ts';

/** `end` is exclusive. Mutable and reused. */
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

/** Writes 16 bytes; false if invalid. Braces and dashes are optional. */
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

/** At most 15 digits; null for anything else. `7.0` and `7,0` count as 7. */
export function readWhole({ bytes, start, end }: Slice): number | null {
  let value = 0;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] as number;
    if ((byte === DOT || byte === COMMA) && i > start)
      return onlyZeros(bytes, i + 1, end) ? value : null;
    if (!isDigit(byte) || i - start >= 15) return null;
    value = value * 10 + byte - ZERO;
  }
  return end > start ? value : null;
}

const MAX_INTEGER = 2_147_483_647;

/** Signed, four bytes; null for anything else. */
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

/**
 * Of an ISO 8601 instant, default zone UTC: microseconds since 1970; NaN for anything else, and for
 * a day or time that does not exist.
 */
export function readInstant(slice: Slice): number {
  const { bytes, start, end } = slice;
  const year = twoDigits(slice, start, 99) * 100 + twoDigits(slice, start + 2, 99);
  const day = daysFrom(year, twoDigits(slice, start + 5, 12), twoDigits(slice, start + 8, 31));
  const split = bytes[start + 4];
  if ((split !== DASH && split !== SLASH) || split !== bytes[start + 7]) return NaN;
  return end - start <= 10 ? day * DAY_US : day * DAY_US + timeOfDay(slice, start + 10);
}

/** Microseconds after midnight UTC, of what follows the day; NaN: no time. */
function timeOfDay(slice: Slice, from: number): number {
  const { bytes, end } = slice;
  if (!SPLITS_TIME.has(bytes[from] ?? 0) || bytes[from + 3] !== COLON) return NaN;
  const minutes = twoDigits(slice, from + 1, 23) * 60 + twoDigits(slice, from + 4, 59);
  const hasSeconds = from + 6 < end && bytes[from + 6] === COLON;
  const seconds = hasSeconds ? twoDigits(slice, from + 7, 59) : 0;
  let at = from + (hasSeconds ? 9 : 6);
  let fraction = 0;
  if (hasSeconds && at < end && (bytes[at] === DOT || bytes[at] === COMMA)) {
    let unit = 100_000;
    for (at += 1; at < end && isDigit(bytes[at]); at += 1) {
      fraction += Math.floor(((bytes[at] as number) - ZERO) * unit);
      unit /= 10;
    }
  }
  return ((minutes - zoneMinutes(bytes, at, end)) * 60 + seconds) * 1e6 + fraction;
}

function twoDigits({ bytes, end }: Slice, from: number, most: number): number {
  if (from + 2 > end || !isDigit(bytes[from]) || !isDigit(bytes[from + 1])) return NaN;
  const value = ((bytes[from] as number) - ZERO) * 10 + (bytes[from + 1] as number) - ZERO;
  return value <= most ? value : NaN;
}

const DOT = 0x2e;
const COMMA = 0x2c;
const SLASH = 0x2f;
const COLON = 0x3a;
/** `T`, `t` and a blank. */
const SPLITS_TIME: ReadonlySet<number> = new Set([0x54, 0x74, 0x20]);

/** Microseconds UTC; Infinity: a word for no end; NaN: unreadable. */
export function readEnd(slice: Slice): number {
  const us = readInstant(slice);
  return isNoTime(us / 1000) ? Infinity : notBefore(EARLIEST_MS.end, us);
}

/** Microseconds UTC; NaN: unreadable. */
export function readBegin(slice: Slice): number {
  return notBefore(EARLIEST_MS.begin, readInstant(slice));
}

const notBefore = (ms: number, us: number): number => (us / 1000 < ms ? NaN : us);

const DAY_US = 24 * 3600 * 1e6;

/** The Danish calendar day of an instant or date, in days since 1970. NaN: none. */
export function readDay(slice: Slice): number {
  const us = readInstant(slice);
  if (Number.isNaN(us) || slice.end - slice.start <= 10) return us / DAY_US;
  return danishDay(us / 1000);
}

/** `Z`, none, `+01`, `+01:00` or `+0100`, after any blanks; NaN: something else. */
function zoneMinutes(bytes: Uint8Array, from: number, end: number): number {
  if (from >= end) return 0;
  const text = textOf({ bytes, start: from, end });
  if (/^ ?[zZ]$/.test(text)) return 0;
  const [, sign, hours, minutes = '0'] = ZONE.exec(text) ?? [];
  if (hours === undefined) return NaN;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const ZONE = /^ ?([+-])([01]\d|2[0-3]):?([0-5]\d)?$/;

/** Days since 1970. */
function daysFrom(year: number, month: number, day: number): number {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return NaN;
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const ofEraDays = ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear;
  return era * 146_097 + ofEraDays - 719_468;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

const decoder = new TextDecoder();

export function readStatus(slice: Slice, standing: StandingColumn): number | null {
  if (slice.end === slice.start) return null;
  return standingCode(standing, readWhole(slice) ?? textOf(slice));
}

export function isId(slice: Slice): boolean {
  return IS_ID.test(textOf(slice));
}

const IS_ID = /^(?=.*\d)[\da-z_-]+$/i;

function textOf({ bytes, start, end }: Slice): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** In place: no leading zeros; upper or lower case, Danish letters included. */
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

export function narrowToCode(slice: Slice): boolean {
  const { bytes, start, end } = slice;
  if (end - start < 4) return false;
  for (let i = start; i < start + 4; i += 1) if (!isDigit(bytes[i])) return false;
  slice.end = start + 4;
  return end === start + 4 || !isDigit(bytes[start + 4]);
}

/** Easting and northing of `POINT (x y)`, ignoring a third ordinate; null for anything else. */
export function readPoint({ bytes, start, end }: Slice): readonly [number, number] | null {
  const open = bytes.indexOf(0x28, start);
  const close = bytes.indexOf(0x29, open);
  // Without its end a number may be truncated.
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

/**
 * WKB of a multi-geometry without third ordinates; null for anything but points, lines or areas.
 */
export function readGeometry(slice: Slice): Uint8Array | null {
  const geometry = inMetres(slice);
  return geometry && encodeAnyWkb(geometry);
}

function inMetres(slice: Slice): SimpleGeometry | null {
  const { geometry, crs } = readWkt(textOf(slice));
  return crs === null || crs === 'EPSG:25832' ? geometry : null;
}

/** MultiPolygon WKB without third ordinates; null for anything but polygons. */
export function readSurface(slice: Slice): Uint8Array | null {
  const geometry = inMetres(slice);
  const wkb = geometry && encodeWkb(geometry, 'area');
  return wkb instanceof Uint8Array ? wkb : null;
}
