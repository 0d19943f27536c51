/** 2D, as ST_AsBinary, in flat arrays: a national layer has tens of millions of vertices. */
import { growingBytes, growingFloats, growingWords, smallFloats } from './growing.ts';

export const RING = { shell: 0, hole: 1, line: 2, point: 3 } as const;

/** Small enough for the heap, where allocation is faster. */
const RINGS = 8;

/** Ring r has the vertices `starts[r]` up to `starts[r + 1]`. */
export class RingSink {
  readonly xy;
  readonly starts;
  readonly kinds;

  constructor(vertices?: number) {
    this.xy = vertices === undefined ? growingFloats() : smallFloats(2 * vertices);
    this.starts = growingWords(vertices && RINGS);
    this.kinds = growingBytes(vertices && RINGS);
  }

  addRing(kind: number): void {
    this.starts.push(this.xy.length / 2);
    this.kinds.push(kind);
  }
}

export function joined(all: readonly RingSink[]): RingSink {
  const sink = new RingSink();
  for (const { xy, starts, kinds } of all) {
    const from = sink.xy.length / 2;
    for (const start of starts.view()) sink.starts.push(from + start);
    for (const kind of kinds.view()) sink.kinds.push(kind);
    sink.xy.append(xy.view());
  }
  return sink;
}

/** Throws on anything but finite 2D WKB. */
export function ringsOfWkb(wkb: Uint8Array): RingSink {
  const rings = new RingSink();
  readWkb(wkb, rings);
  return rings;
}

/** Appends the rings of one geometry. Throws on anything but finite 2D WKB. */
export function readWkb(bytes: Uint8Array, sink: RingSink): void {
  new WkbReader(bytes, sink).geometry();
}

export function wkbType(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.getUint32(1, view.getUint8(0) === 1) & ~SRID_FLAG;
}

const POINT = 1;
const LINE_STRING = 2;
const POLYGON = 3;
const COLLECTIONS = new Set([4, 5, 6, 7]);
const SRID_FLAG = 0x20000000;

class WkbReader {
  readonly #view: DataView;
  readonly #sink: RingSink;
  #at = 0;
  #little = true;

  constructor(bytes: Uint8Array, sink: RingSink) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#sink = sink;
  }

  geometry(): void {
    this.#little = this.#view.getUint8(this.#at) === 1;
    this.#at += 1;
    const word = this.#word();
    if ((word & SRID_FLAG) !== 0) this.#at += 4;
    const type = word & ~SRID_FLAG;
    if (type === POINT) this.#points(RING.point, 1);
    else if (type === LINE_STRING) this.#points(RING.line, this.#word());
    else if (type === POLYGON) this.#polygon();
    else if (COLLECTIONS.has(type)) for (let n = this.#word(); n > 0; n--) this.geometry();
    else throw new Error(`WKB geometry type ${type} is not 2D simple features.`);
  }

  #polygon(): void {
    const rings = this.#word();
    for (let r = 0; r < rings; r++) this.#points(r === 0 ? RING.shell : RING.hole, this.#word());
  }

  #points(kind: number, count: number): void {
    if (count === 0) return;
    this.#sink.addRing(kind);
    const { xy } = this.#sink;
    xy.reserve(2 * count);
    for (let i = 0; i < 2 * count; i++) {
      const value = this.#view.getFloat64(this.#at, this.#little);
      if (!Number.isFinite(value)) throw new Error('WKB holds a coordinate that is not finite.');
      xy.push(value);
      this.#at += 8;
    }
  }

  #word(): number {
    const word = this.#view.getUint32(this.#at, this.#little);
    this.#at += 4;
    return word;
  }
}

export type FlatRing = ArrayLike<number>;

/** Vertices `start` until `end` of `stride` numbers each: x, y first. */
export interface Stretch {
  readonly flat: ArrayLike<number>;
  readonly start: number;
  readonly end: number;
  readonly stride: number;
}

const PARTS = { point: POINT, line: LINE_STRING, polygon: POLYGON } as const;

/**
 * Little-endian. A polygon is a shell, then its holes; any other part is one stretch. The caller
 * closes rings.
 */
export function multiWkb(
  kind: keyof typeof PARTS,
  parts: readonly (readonly Stretch[])[],
): Uint8Array<ArrayBuffer> {
  const type = PARTS[kind];
  const counted = type === POINT ? 0 : 4;
  let size = 9;
  for (const part of parts) {
    size += type === POLYGON ? 9 : 5;
    for (const { start, end, stride } of part) size += counted + ((end - start) / stride) * 16;
  }
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const head = (...words: readonly number[]): void => {
    bytes[at] = 1;
    for (const [i, word] of words.entries()) view.setUint32(at + 1 + 4 * i, word, true);
    at += 1 + 4 * words.length;
  };
  head(type + 3, parts.length);
  for (const part of parts) {
    if (type === POLYGON) head(type, part.length);
    else head(type);
    for (const { flat, start, end, stride } of part) {
      if (counted > 0) view.setUint32(at, (end - start) / stride, true);
      at += counted;
      for (let i = start; i < end; i += stride) {
        view.setFloat64(at, flat[i]!, true);
        view.setFloat64(at + 8, flat[i + 1]!, true);
        at += 16;
      }
    }
  }
  return bytes;
}

export function multiPolygonWkb(polygons: readonly (readonly FlatRing[])[]): Uint8Array {
  return multiWkb(
    'polygon',
    polygons.map((rings) => rings.map(whole)),
  );
}

export function lineWkb(line: FlatRing): Uint8Array {
  return multiWkb('line', [[whole(line)]]).slice(9);
}

function whole(flat: FlatRing): Stretch {
  return { flat, start: 0, end: flat.length, stride: 2 };
}
