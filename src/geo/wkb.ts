/**
 * Reads and writes 2D WKB, as by PostGIS' ST_AsBinary. Into flat arrays: a national layer has tens of
 * millions of vertices.
 */
import { growingBytes, growingFloats, growingWords, smallFloats } from './growing.ts';

/** Kind of a ring: shell or hole of a polygon, an open line, a single point. */
export const RING = { shell: 0, hole: 1, line: 2, point: 3 } as const;

/** Small enough for the heap, where it is made faster. */
const RINGS = 8;

/** Flat geometry: ring r has the vertices `starts[r]` up to `starts[r + 1]`. */
export class RingSink {
  readonly xy;
  readonly starts;
  readonly kinds;

  /** `vertices`: to have room for. */
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

/** Appends every ring of one geometry. Throws on anything but finite 2D WKB. */
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

/** x, y, x, y … */
export type FlatRing = ArrayLike<number>;

/** Each polygon is a shell followed by its holes; the caller closes rings. */
export function multiPolygonWkb(polygons: readonly (readonly FlatRing[])[]): Uint8Array {
  const parts = polygons.map((rings) => concat([head(POLYGON, rings.length), ...rings.map(ring)]));
  return concat([head(6, parts.length), ...parts]);
}

export function lineWkb(line: FlatRing): Uint8Array {
  return concat([head(LINE_STRING, line.length / 2), floats(line)]);
}

function ring(values: FlatRing): Uint8Array {
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, values.length / 2, true);
  return concat([count, floats(values)]);
}

function head(type: number, count: number): Uint8Array {
  const bytes = new Uint8Array(9);
  const view = new DataView(bytes.buffer);
  bytes[0] = 1;
  view.setUint32(1, type, true);
  view.setUint32(5, count, true);
  return bytes;
}

function floats(values: ArrayLike<number>): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 8));
  for (let i = 0; i < values.length; i++) view.setFloat64(8 * i, values[i]!, true);
  return new Uint8Array(view.buffer);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
