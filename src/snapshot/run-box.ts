/**
 * A run's box in its cell as one word: west, south, east, north, a byte each, in 256ths of the
 * cell, rounded outwards.
 */
import { TOUCH_M } from './grid.ts';

const STEPS = 256;
/** Twice the touch distance, so that an edge's part in a cell is never empty. */
const CLIP_M = 2 * TOUCH_M;

/** `clip`: the cell's south-west corner, then the ends of an edge that touches it. */
export function boxWithin(clip: Float64Array, cellM: number): number {
  const [west, south] = [clip[0]!, clip[1]!];
  const dx = clip[4]! - clip[2]!;
  const dy = clip[5]! - clip[3]!;
  // Liang and Barsky: the part inside the cell, as shares of the edge's length.
  share[0] = 0;
  share[1] = 1;
  clipAgainst(dx, clip[2]! - west, cellM);
  clipAgainst(dy, clip[3]! - south, cellM);
  if (share[0] > share[1]) share.fill((share[0] + share[1]) / 2);
  const x0 = clip[2]! + share[0] * dx - west;
  const x1 = clip[2]! + share[1] * dx - west;
  const y0 = clip[3]! + share[0] * dy - south;
  const y1 = clip[3]! + share[1] * dy - south;
  const scale = STEPS / cellM;
  return (
    (step((Math.min(x0, x1) - TOUCH_M) * scale) |
      (step((Math.min(y0, y1) - TOUCH_M) * scale) << 8) |
      (step((Math.max(x0, x1) + TOUCH_M) * scale) << 16) |
      (step((Math.max(y0, y1) + TOUCH_M) * scale) << 24)) >>>
    0
  );
}

export function joinBoxes(a: number, b: number): number {
  return (
    (Math.min(a & 255, b & 255) |
      (Math.min((a >>> 8) & 255, (b >>> 8) & 255) << 8) |
      (Math.max((a >>> 16) & 255, (b >>> 16) & 255) << 16) |
      (Math.max(a >>> 24, b >>> 24) << 24)) >>>
    0
  );
}

const share = new Float64Array(2) as Float64Array & { 0: number; 1: number };

function clipAgainst(delta: number, start: number, cellM: number): void {
  if (delta === 0) return;
  const near = (-CLIP_M - start) / delta;
  const far = (cellM + CLIP_M - start) / delta;
  share[0] = Math.max(share[0], Math.min(near, far));
  share[1] = Math.min(share[1], Math.max(near, far));
}

function step(value: number): number {
  return Math.min(STEPS - 1, Math.max(0, Math.floor(value)));
}
