import { foundCells } from './cells.ts';
import type { CellReader } from './cells.ts';
import type { EdgeKernel } from './edges.ts';
import { RUN, RUN_WORDS } from './grid.ts';
import type { LayerSnapshot } from './layer.ts';

/** Features with more vertices are searched by cells. */
const READ_THROUGH = 2_000;

export class OwnBoundary {
  readonly #snapshot: LayerSnapshot;
  readonly #cells: CellReader;
  readonly #kernel: EdgeKernel;
  readonly #best = new Float64Array(1);
  #edge = 0;

  constructor(snapshot: LayerSnapshot, cells: CellReader, kernel: EdgeKernel) {
    this.#snapshot = snapshot;
    this.#cells = cells;
    this.#kernel = kernel;
  }

  /** Unsigned, from the point of `cells` and `kernel`. */
  distanceTo(feature: number): number {
    const { featureRings, ringStarts } = this.#snapshot;
    const first = featureRings[feature]!;
    const end = featureRings[feature + 1]!;
    this.#best[0] = Infinity;
    if (ringStarts[end]! - ringStarts[first]! > READ_THROUGH) this.#searchCells(feature);
    else for (let r = first; r < end; r++) this.#offer(ringStarts[r]!, ringStarts[r + 1]!);
    return this.#kernel.distanceTo(this.#edge);
  }

  #offer(from: number, to: number): void {
    const best = this.#best[0]!;
    const square = this.#kernel.leastSquare(from, to - from - 1, best);
    if (square >= best) return;
    this.#best[0] = square;
    this.#edge = this.#kernel.nearestEdge;
  }

  #searchCells(feature: number): void {
    const cells = this.#cells;
    const last = cells.lastRing();
    for (let k = 0; k <= last && cells.ringDistance(k) < this.#best[0]!; k++) {
      const found = cells.readRing(k, this.#best[0]!);
      for (let i = 0; i < found; i++) this.#readCell(foundCells.lists[i]!, feature);
    }
  }

  #readCell(list: number, feature: number): void {
    const { lists } = this.#snapshot;
    const from = list + 2 + lists[list]!;
    const end = from + RUN_WORDS * lists[list + 1]!;
    for (let at = from; at < end; at += RUN_WORDS) {
      if ((lists[at]! & RUN.feature) !== feature || (lists[at]! & RUN.zoneOnly) !== 0) continue;
      this.#offer(lists[at + 1]!, lists[at + 1]! + lists[at + 2]! + 1);
    }
  }
}
