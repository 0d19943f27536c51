/**
 * Readable positions of an unreadable feature as written, and the document's own boxes. They give
 * the place without answers (D143).
 */
import type { Bounds } from '../geo/bounds.ts';
import { boundsAround, grown } from '../geo/bounds.ts';
import { toUtm32Pair } from './crs.ts';

/** Two ordinates per position, and their CRS; null: none named. */
interface Written {
  readonly crs: string | null;
  readonly flat: readonly number[];
}

type Position = readonly [a: unknown, b: unknown];

export class Remains {
  readonly #shape = new Map<string | null, number[]>();
  readonly #boxes = new Map<string | null, number[]>();
  readonly curves: Written[] = [];
  hasGap = false;
  raw = '';

  /** A value that is no number is a gap. */
  position(crs: string | null, a: unknown, b: unknown): void {
    const [first, second] = [ordinate(a), ordinate(b)];
    if (first === null || second === null) this.leaveOut();
    else put(this.#shape, crs, first, second);
  }

  /** Two opposite corners of a box in the document; unreadable ones are ignored. */
  box(crs: string | null, corners: readonly unknown[]): void {
    const ordinates = corners.map(ordinate);
    const [a, b, c, d] = ordinates;
    if (!isNumber(a) || !isNumber(b) || !isNumber(c) || !isNumber(d)) return;
    put(this.#boxes, crs, a, b);
    put(this.#boxes, crs, c, d);
  }

  /** An open ring has lost its end. */
  checkClosed(positions: readonly Position[]): void {
    const [first, last] = [positions[0], positions.at(-1)];
    const isClosed =
      first !== undefined &&
      last !== undefined &&
      isNear(first[0], last[0]) &&
      isNear(first[1], last[1]);
    if (!isClosed || positions.length < 4) this.leaveOut();
  }

  /** Each circular arc leads from one position by way of the next to the one after. */
  arcs(crs: string | null, positions: readonly Position[]): void {
    if (positions.length < 3 || positions.length % 2 === 0) this.leaveOut();
    for (let at = 0; at + 2 < positions.length; at += 2) {
      const flat = positions.slice(at, at + 3).flatMap((each) => each.slice(0, 2).map(ordinate));
      if (flat.every(isNumber)) this.curves.push({ crs, flat });
    }
  }

  /** A part is missing, or its positions do not bound it. */
  leaveOut(): void {
    this.hasGap = true;
  }

  get shape(): readonly Written[] {
    return [...this.#shape].map(([crs, flat]) => ({ crs, flat }));
  }

  get boxes(): readonly Written[] {
    return [...this.#boxes].map(([crs, flat]) => ({ crs, flat }));
  }
}

/** Within a metre, in metres or degrees: a ring so little open has lost no corner. */
function isNear(a: unknown, b: unknown): boolean {
  const [one, other] = [ordinate(a), ordinate(b)];
  if (one === null || other === null) return false;
  return Math.abs(one - other) <= (Math.abs(one) > 360 ? 1 : 1e-5);
}

function put(all: Map<string | null, number[]>, crs: string | null, a: number, b: number): void {
  const there = all.get(crs);
  if (there === undefined) all.set(crs, [a, b]);
  else there.push(a, b);
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number';
}

/** A number or numeric text, even with a decimal comma; null: none. */
function ordinate(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (!/^[-+]?\d+(?:[.,]\d+)?(?:e[-+]?\d+)?$/i.test(text)) return null;
  return Number(text.replace(',', '.'));
}

/** EPSG:25832, metres. */
export interface ReadPlace {
  readonly box: Bounds;
  /**
   * The box contains all of the feature. A lost part may lie anywhere, so then the box alone is no
   * place.
   */
  readonly isWhole: boolean;
}

/** null: the remains say nothing. `asked`: the requested CRS, where none is named. */
export function placeOf(remains: Remains, asked: string): ReadPlace | null {
  const shape = inMetres(remains.shape, asked);
  const curves = remains.curves.map((each) => arcBounds(inMetres([each], asked)));
  const known = [...boundsOf(shape), ...curves.filter((each) => each !== null)];
  const isWhole = !remains.hasGap && shape.isComplete && shape.positions.length > 0;
  const box = inMetres(remains.boxes, asked);
  const isBoxed = box.isComplete && box.positions.length > 0;
  if (!isWhole && isBoxed) known.push(grown(boundsAround(boundsOf(box)), BOX_SLACK_M));
  return known.length === 0 ? null : { box: boundsAround(known), isWhole: isWhole || isBoxed };
}

/**
 * Sides of a box in degrees are curves in metres: with this margin its corners contain a feature.
 */
const BOX_SLACK_M = 50;

interface InMetres {
  readonly positions: readonly (readonly [number, number])[];
  /** Every position could be converted to EPSG:25832, in or near Denmark. */
  readonly isComplete: boolean;
}

function inMetres(written: readonly Written[], asked: string): InMetres {
  const positions: (readonly [number, number])[] = [];
  let isComplete = true;
  for (const { crs, flat } of written) {
    for (let at = 0; at + 1 < flat.length; at += 2) {
      const place = toUtm32Pair(crs ?? asked, flat[at] ?? NaN, flat[at + 1] ?? NaN);
      if (place === null) isComplete = false;
      else positions.push(place);
    }
  }
  return { positions, isComplete };
}

function boundsOf({ positions }: InMetres): Bounds[] {
  return positions.map(([x, y]) => [x, y, x, y]);
}

/** Bounds of the circle through three positions; null: they lie on a line, or are not all known. */
function arcBounds({ positions: [a, b, c] }: InMetres): Bounds | null {
  if (a === undefined || b === undefined || c === undefined) return null;
  // A circle is written as an arc that ends where it begins, by way of the opposite side.
  if (a[0] === c[0] && a[1] === c[1]) return around([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], a);
  const [bx, by, cx, cy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]];
  const twice = 2 * (bx * cy - by * cx);
  if (Math.abs(twice) < 1e-6) return null;
  const [b2, c2] = [bx * bx + by * by, cx * cx + cy * cy];
  return around([a[0] + (cy * b2 - by * c2) / twice, a[1] + (bx * c2 - cx * b2) / twice], a);
}

function around([x, y]: readonly [number, number], on: readonly [number, number]): Bounds {
  const radius = Math.hypot(on[0] - x, on[1] - y);
  return [x - radius, y - radius, x + radius, y + radius];
}
