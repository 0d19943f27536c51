/**
 * What is left of an unreadable feature: its readable positions as written, and the document's own boxes.
 * They give the place without answers (D143).
 */
import type { Bounds } from '../geo/bounds.ts';
import { boundsAround } from '../geo/unanswered.ts';
import { toUtm32Pair } from './crs.ts';

/** Ordinates as written, two per position, and their CRS; null: none named. */
interface Written {
  readonly crs: string | null;
  readonly flat: readonly number[];
}

/** A shape is incomplete, or its positions do not bound it. */
export type Gap =
  /** The remaining positions show roughly where. */
  | 'lost'
  /** They do not: a curve may lie anywhere near its positions. */
  | 'curved';

export class Remains {
  readonly #shape = new Map<string | null, number[]>();
  readonly #boxes = new Map<string | null, number[]>();
  #gap: Gap | null = null;
  raw = '';

  /** A position of the shape. A value that is no number is a gap. */
  position(crs: string | null, a: unknown, b: unknown): void {
    const [first, second] = [ordinate(a), ordinate(b)];
    if (first === null || second === null) this.leaveOut('lost');
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

  leaveOut(gap: Gap): void {
    if (this.#gap !== 'curved') this.#gap = gap;
  }

  get shape(): readonly Written[] {
    return [...this.#shape].map(([crs, flat]) => ({ crs, flat }));
  }

  get boxes(): readonly Written[] {
    return [...this.#boxes].map(([crs, flat]) => ({ crs, flat }));
  }

  get gap(): Gap | null {
    return this.#gap;
  }
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

/** Where an unreadable feature lies, EPSG:25832 metres. */
export interface ReadPlace {
  readonly box: Bounds;
  /** Whether the box contains all of it; otherwise its previous place counts too. */
  readonly isWhole: boolean;
}

/**
 * The place of the remains; null: none. `asked`: the requested CRS, where none is named. A shape with gaps
 * is extended by its own size on all sides, unless the document gives its box.
 */
export function placeOf(remains: Remains, asked: string): ReadPlace | null {
  const shape = inMetres(remains.shape, asked);
  const told = inMetres(remains.boxes, asked);
  const gap = remains.gap ?? (shape.isComplete ? null : 'lost');
  if (gap === null && shape.box !== null) return { box: shape.box, isWhole: true };
  const toldBox = told.isComplete && told.box !== null ? widened(told.box, BOX_SLACK_M) : null;
  if (toldBox !== null) {
    const both = shape.box === null ? toldBox : boundsAround([toldBox, shape.box]);
    return { box: both, isWhole: true };
  }
  if (shape.box === null || gap === 'curved') return null;
  const [west, south, east, north] = shape.box;
  const aroundM = Math.hypot(east - west, north - south);
  return aroundM === 0 ? null : { box: widened(shape.box, aroundM), isWhole: false };
}

/**
 * Sides of a box in degrees are curves in metres: with this margin its corners contain a feature.
 */
const BOX_SLACK_M = 50;

function widened([west, south, east, north]: Bounds, byM: number): Bounds {
  return [west - byM, south - byM, east + byM, north + byM];
}

interface InMetres {
  readonly box: Bounds | null;
  /** Whether every position could be converted to EPSG:25832, in or near Denmark. */
  readonly isComplete: boolean;
}

function inMetres(written: readonly Written[], asked: string): InMetres {
  const boxes: Bounds[] = [];
  let isComplete = true;
  for (const { crs, flat } of written) {
    for (let at = 0; at + 1 < flat.length; at += 2) {
      const place = toUtm32Pair(crs ?? asked, flat[at] ?? NaN, flat[at + 1] ?? NaN);
      if (place === null) isComplete = false;
      else boxes.push([place[0], place[1], place[0], place[1]]);
    }
  }
  return { box: boxes.length === 0 ? null : boundsAround(boxes), isComplete };
}
