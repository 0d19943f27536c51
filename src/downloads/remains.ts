import type { Bounds } from '../geo/bounds.ts';
import { LIMITS } from '../kernel/limits.ts';
import { Remains, placeOf } from '../wfs/remains.ts';

/** Two numbers, optionally one or two more, between commas and brackets. */
export function remainsOfWkt(value: unknown): Remains {
  const remains = new Remains();
  if (typeof value !== 'string') {
    remains.leaveOut();
    return remains;
  }
  remains.raw = value.slice(0, LIMITS.unreadRawChars);
  const [, srid] = /^\s*SRID\s*=\s*(\d+)\s*;/i.exec(value) ?? [];
  const crs = srid === undefined ? null : `EPSG:${srid}`;
  const shape = value.replace(/^[^;]*;/, '');
  for (const [, positions = ''] of shape.matchAll(/CIRCULARSTRING[^(]*\(([^()]*)\)/gi)) {
    remains.arcs(crs, pairsOf(positions));
  }
  if (/EMPTY|\(\s*\)|POINT/i.test(shape)) remains.leaveOut();
  if (/^\W*(MULTI)?POLYGON/i.test(shape)) {
    for (const [, ring = ''] of shape.matchAll(/\(([^()]*)\)/g)) remains.checkClosed(pairsOf(ring));
  }
  for (const piece of shape.split(/[(),]/)) {
    const words = piece.trim().split(/\s+/);
    // A type name, or nothing between brackets.
    if (words[0] === '' || words.every((word) => /^[A-Z]+$/i.test(word) && word !== 'NaN'))
      continue;
    if (words.length > 4) remains.leaveOut();
    else remains.position(crs, words[0], words[1]);
  }
  return remains;
}

function pairsOf(positions: string): (readonly [unknown, unknown])[] {
  return positions.split(',').map((each) => {
    const [x, y] = each.trim().split(/\s+/);
    return [x, y];
  });
}

const POINT = 1;
const CIRCULAR = 8;
const OF_GEOMETRIES = [4, 5, 6, 7, 9, 10, 11, 12, 15, 16];
const OF_RINGS = [3, 17];
const MOST_DEPTH = 20;

/** `box`: west, east, south, north of the blob's header; null: none. */
export function remainsOfWkb(
  wkb: Uint8Array,
  crs: string | null,
  box: readonly number[] | null,
): Remains {
  const remains = new Remains();
  const hex = Buffer.from(
    wkb.buffer,
    wkb.byteOffset,
    Math.min(wkb.length, LIMITS.unreadRawChars / 2),
  );
  remains.raw = hex.toString('hex');
  const [west, east, south, north] = box ?? [];
  if (box !== null) remains.box(crs, [west, south, east, north]);
  try {
    new WkbWalk(wkb, crs, remains).geometry(0);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    remains.leaveOut();
  }
  return remains;
}

class WkbWalk {
  readonly #view: DataView;
  readonly #crs: string | null;
  readonly #remains: Remains;
  #at = 0;
  #little = true;

  constructor(wkb: Uint8Array, crs: string | null, remains: Remains) {
    this.#view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
    this.#crs = crs;
    this.#remains = remains;
  }

  /** Throws RangeError where the bytes end. */
  geometry(depth: number): void {
    if (depth > MOST_DEPTH) throw new RangeError('nested too deep');
    this.#little = this.#view.getUint8(this.#at) === 1;
    this.#at += 1;
    const code = this.#word();
    const type = (code & 0xffff) % 1000;
    const ordinates = 2 + extraOrdinates(code);
    // The SRID of extended WKB.
    if ((code & 0x20000000) !== 0) this.#word();
    if (type === POINT) {
      this.#remains.leaveOut();
      this.#positions(1, ordinates);
    } else if (OF_GEOMETRIES.includes(type)) {
      for (let left = this.#count(); left > 0; left--) this.geometry(depth + 1);
    } else if (OF_RINGS.includes(type)) {
      for (let left = this.#count(); left > 0; left--) {
        this.#remains.checkClosed(this.#positions(this.#count(), ordinates));
      }
    } else if (type === CIRCULAR)
      this.#remains.arcs(this.#crs, this.#positions(this.#count(), ordinates));
    else if (type === 2) this.#positions(this.#count(), ordinates);
    else throw new RangeError('no geometry');
  }

  #positions(count: number, ordinates: number): (readonly [number, number])[] {
    const pairs: (readonly [number, number])[] = [];
    for (let left = count; left > 0; left--) {
      const pair = this.#pair(ordinates);
      this.#remains.position(this.#crs, ...pair);
      pairs.push(pair);
    }
    return pairs;
  }

  #pair(ordinates: number): readonly [number, number] {
    const first = this.#view.getFloat64(this.#at, this.#little);
    const second = this.#view.getFloat64(this.#at + 8, this.#little);
    this.#at += 8 * ordinates;
    return [first, second];
  }

  /** 0 means that a part is missing. */
  #count(): number {
    const count = this.#word();
    if (count === 0) this.#remains.leaveOut();
    return count;
  }

  #word(): number {
    const word = this.#view.getUint32(this.#at, this.#little);
    this.#at += 4;
    return word;
  }
}

/** Z and M, in ISO form (thousands) or as flags. */
function extraOrdinates(code: number): number {
  const thousands = Math.floor((code & 0xffff) / 1000);
  const iso = thousands === 3 ? 2 : thousands === 0 ? 0 : 1;
  const flags = Number((code & 0x80000000) !== 0) + Number((code & 0x40000000) !== 0);
  return Math.max(iso, flags);
}

const CRS = 'EPSG:25832';
/** Complete: in a truncated one the last number is wrong. */
const IS_POINT = /^\s*(SRID\s*=\s*\d+\s*;)?\s*POINT\s*Z?\s*\([^()]*\)\s*$/i;

/** The box of an unreadable table row (D143); null: nothing reveals its position. */
export function boxOfText(text: string): Bounds | null {
  const remains = remainsOfWkt(text);
  const place = placeOf(remains, CRS);
  if (place?.isWhole === true) return place.box;
  return IS_POINT.test(text) ? pointIn(remains.shape) : null;
}

function pointIn([written, ...others]: Remains['shape']): Bounds | null {
  if (written === undefined || others.length > 0 || (written.crs ?? CRS) !== CRS) return null;
  const [x, y, ...more] = written.flat;
  return x === undefined || y === undefined || more.length > 0 ? null : [x, y, x, y];
}
