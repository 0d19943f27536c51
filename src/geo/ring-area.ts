import { RING, ringsOfWkb } from './wkb.ts';

/** Positive counter-clockwise. `to` is exclusive. */
export function signedRingArea(xy: Float64Array, from: number, to: number): number {
  // Relative to the first vertex: absolute northings would cost a small ring its precision.
  const x0 = xy[2 * from] ?? 0;
  const y0 = xy[2 * from + 1] ?? 0;
  let doubled = 0;
  for (let n = from; n + 1 < to; n++) {
    const ax = (xy[2 * n] ?? 0) - x0;
    const ay = (xy[2 * n + 1] ?? 0) - y0;
    const bx = (xy[2 * n + 2] ?? 0) - x0;
    const by = (xy[2 * n + 3] ?? 0) - y0;
    doubled += ax * by - bx * ay;
  }
  return doubled / 2;
}

export function wkbArea(wkb: Uint8Array): number {
  const rings = ringsOfWkb(wkb);
  const xy = rings.xy.view();
  const starts = rings.starts.view();
  let area = 0;
  for (const [ring, kind] of rings.kinds.view().entries()) {
    if (kind !== RING.shell && kind !== RING.hole) continue;
    const size = Math.abs(signedRingArea(xy, starts[ring] ?? 0, starts[ring + 1] ?? xy.length / 2));
    area += kind === RING.shell ? size : -size;
  }
  return area;
}
