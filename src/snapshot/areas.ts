/** `ST_Covers` (D44) over several snapshots, so that a point is located once per theme. */
import type { PointUtm32 } from '../geo/point.ts';
import type { AreaAttributes } from '../layers/feature.ts';
import { CellReader } from './cells.ts';
import { EdgeKernel } from './edges.ts';
import { FEATURE_OF_UNIFORM, UNIFORM } from './grid.ts';
import { InsideFinder } from './inside.ts';
import type { LayerSnapshot } from './layer.ts';

/** A theme has at most some thousand areas. */
export type AreaRecord = AreaAttributes & { readonly key: string };

export class AreaEngine {
  readonly snapshot: LayerSnapshot;
  /** By feature number; all are in force, as registers deliver no others. */
  readonly areas: readonly AreaRecord[];
  readonly #cells: CellReader;
  readonly #kernel: EdgeKernel;
  readonly #inside: InsideFinder;
  #numbers: ReadonlyMap<string, number> | null = null;

  constructor(snapshot: LayerSnapshot) {
    if (snapshot.meta.geometry !== 'area') throw new Error('A layer of lines has no areas.');
    this.snapshot = snapshot;
    this.areas = Array.from({ length: snapshot.meta.featureCount }, (_, feature) => {
      const { key, attributes } = snapshot.feature(feature);
      return { ...(JSON.parse(attributes) as AreaAttributes), key };
    });
    this.#cells = new CellReader(snapshot);
    this.#kernel = new EdgeKernel(snapshot, 'covers');
    this.#inside = new InsideFinder(snapshot, this.#cells, this.#kernel);
  }

  /**
   * Writes the numbers of covering areas, unordered; returns their count. Does not allocate.
   */
  coversInto(point: PointUtm32, target: Uint32Array): number {
    this.#cells.moveTo(point);
    const word = this.#cells.ownWord();
    if (word === 0) return 0;
    if (word >= UNIFORM) {
      target[0] = word & FEATURE_OF_UNIFORM;
      return 1;
    }
    this.#kernel.moveTo(point.xUtm32, point.yUtm32);
    this.#inside.find();
    const { found } = this.#inside;
    for (let i = 0; i < found.length; i++) target[i] = found.items[i]!;
    return found.length;
  }

  /** By code (D44). */
  covering(point: PointUtm32): AreaRecord[] {
    const count = this.coversInto(point, this.#few);
    const found = Array.from(this.#few.subarray(0, count), (area) => this.areas[area]!);
    return found.length > 1 ? found.sort((a, b) => (a.code < b.code ? -1 : 1)) : found;
  }

  numberOf(code: string): number | undefined {
    this.#numbers ??= new Map(this.areas.map((area, n) => [area.code, n]));
    return this.#numbers.get(code);
  }

  /** Areas of a theme overlap by rounding only. */
  readonly #few = new Uint32Array(64);
}
