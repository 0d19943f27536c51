/** Exact (Shewchuk). Hot loops inline the first filter (`ORIENT_ERROR`) and call this in doubt. */
import { orient2d } from 'robust-predicates';

/** (3 + 16 u) u, u = 2^-53: relative rounding error of the filter. */
export const ORIENT_ERROR = 3.3306690738754716e-16;

/** The line from (0, 1) to (2, 3), and the point (4, 5). */
export type LineAndPoint = Float64Array;

export function orient(q: LineAndPoint): number {
  // The package counts y downwards.
  return -orient2d(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!);
}
