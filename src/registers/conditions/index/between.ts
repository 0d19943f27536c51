/** Least squared distance between a run of edges and those of a window that do not cross it. */
import { EdgeKernel } from '../../../snapshot/edges.ts';

export interface Run {
  /** Of `xy`: the first edge and their number. */
  readonly xy: Float64Array;
  readonly start: number;
  readonly count: number;
}

const NO_ZONES = new Uint32Array(0);

/**
 * From each vertex of one to the other. Moves `kernel`, which is over the run's layer. `limit`
 * where none is nearer.
 */
export function leastSquareBetween(
  kernel: EdgeKernel,
  { xy, start, count }: Run,
  edges: Float64Array,
  limit: number,
): number {
  let best = limit;
  for (let at = 0; at < edges.length; at += 4) {
    kernel.moveTo(edges[at]!, edges[at + 1]!);
    best = kernel.leastSquare(start, count, best);
  }
  const own = new EdgeKernel({ xy: edges, zoneBits: NO_ZONES }, 'distance');
  for (let vertex = start; vertex <= start + count; vertex++) {
    own.moveTo(xy[2 * vertex]!, xy[2 * vertex + 1]!);
    // Edge by edge: what joins one edge to the next is no edge.
    for (let at = 0; at < edges.length / 2; at += 2) best = own.leastSquare(at, 1, best);
  }
  return best;
}
