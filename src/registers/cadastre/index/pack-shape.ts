/** Lossless: rings as differences in millimetres, other coordinates as doubles. */
import type { growingBytes } from '../../../geo/growing.ts';
import { RING } from '../../../geo/wkb.ts';
import type { RingSink } from '../../../geo/wkb.ts';

const MILLI = 1000;

export function packShape(rings: RingSink, out: ReturnType<typeof growingBytes>): void {
  const xy = rings.xy.view();
  const starts = rings.starts.view();
  const isWhole = xy.every(isMillimetres);
  pushWhole(out, 2 * starts.length + Number(isWhole));
  const before = [0, 0];
  for (const [ring, kind] of rings.kinds.view().entries()) {
    const [from, to] = [2 * starts[ring]!, 2 * (starts[ring + 1] ?? xy.length / 2)];
    pushWhole(out, to - from + Number(kind === RING.hole));
    if (!isWhole) {
      out.append(new Uint8Array(xy.slice(from, to).buffer));
      continue;
    }
    for (let i = from; i < to; i++) {
      const scaled = Math.round(xy[i]! * MILLI);
      const step = scaled - before[i & 1]!;
      before[i & 1] = scaled;
      pushWhole(out, step < 0 ? -2 * step - 1 : 2 * step);
    }
  }
}

function isMillimetres(value: number): boolean {
  return Math.round(value * MILLI) / MILLI === value;
}

/** Seven bits a byte, the lowest first. */
function pushWhole(out: ReturnType<typeof growingBytes>, value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push(128 + (rest % 128));
  out.push(rest);
}

export function unpackShape(bytes: Uint8Array, at: number, sink: RingSink): void {
  const from = { bytes, at };
  const head = readWhole(from);
  const isWhole = head % 2 === 1;
  const before: [number, number] = [0, 0];
  for (let ring = Math.floor(head / 2); ring > 0; ring--) {
    const size = readWhole(from);
    sink.addRing(size % 2 === 1 ? RING.hole : RING.shell);
    const count = Math.floor(size / 2);
    if (isWhole) readSteps(from, count, { before, sink });
    else readDoubles(from, count, sink);
  }
}

interface Reading {
  readonly bytes: Uint8Array;
  at: number;
}

function readSteps(
  from: Reading,
  count: number,
  { before, sink: { xy } }: { readonly before: [number, number]; readonly sink: RingSink },
): void {
  xy.reserve(2 * count);
  const { items } = xy;
  let [x, y] = before;
  for (const end = xy.length + 2 * count; xy.length < end; xy.length += 2) {
    x += readStep(from);
    y += readStep(from);
    items[xy.length] = x / MILLI;
    items[xy.length + 1] = y / MILLI;
  }
  before[0] = x;
  before[1] = y;
}

function readDoubles(from: Reading, count: number, sink: RingSink): void {
  const end = from.at + 16 * count;
  sink.xy.append(new Float64Array(from.bytes.slice(from.at, end).buffer));
  from.at = end;
}

function readStep(from: Reading): number {
  const value = readWhole(from);
  if (value < SMALL) return (value & 1) === 1 ? ~(value >>> 1) : value >>> 1;
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

/** Up to four bytes are read as integers, several times as fast. */
const SMALL_BITS = 28;
const SMALL = 2 ** SMALL_BITS;

function readWhole(from: Reading): number {
  const { bytes } = from;
  let byte = bytes[from.at++]!;
  let value = byte & 127;
  for (let shift = 7; byte >= 128 && shift < SMALL_BITS; shift += 7) {
    byte = bytes[from.at++]!;
    value |= (byte & 127) << shift;
  }
  for (let scale = SMALL; byte >= 128; scale *= 128) {
    byte = bytes[from.at++]!;
    value += (byte & 127) * scale;
  }
  return value;
}
