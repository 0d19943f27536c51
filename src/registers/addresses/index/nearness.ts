/** Distances from a point to what an index holds, EPSG:25832 metres. */
import type { PointUtm32 } from '../../../geo/point.ts';
import type { OpenAddressIndex } from './address-index.ts';
import type { RoadNames } from './road-names.ts';

export class Nearness {
  readonly #addressIndex: OpenAddressIndex;
  readonly #point: PointUtm32;
  readonly #names = new Map<number, number>();

  constructor(addressIndex: OpenAddressIndex, point: PointUtm32) {
    this.#addressIndex = addressIndex;
    this.#point = point;
  }

  /** To the nearest box of a road of that name. */
  ofName(name: number, names: RoadNames): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const { from, to } = names.roadsOf(name);
    let least = Infinity;
    for (let at = from; at < to; at++) least = Math.min(least, this.ofRoad(names.roads[at]!));
    this.#names.set(name, least);
    return least;
  }

  /** To the box of its addresses; infinite for a road without any. */
  ofRoad(road: number): number {
    const { minX, minY, maxX, maxY } = this.#addressIndex.columns.boxOfRoad(road);
    const { xUtm32: x, yUtm32: y } = this.#point;
    return Math.hypot(Math.max(minX - x, 0, x - maxX), Math.max(minY - y, 0, y - maxY));
  }

  /** Infinite for an address without a point. */
  ofAccess(access: number): number {
    const point = this.#addressIndex.columns.pointOf(access);
    if (point === null) return Infinity;
    return Math.hypot(point.xUtm32 - this.#point.xUtm32, point.yUtm32 - this.#point.yUtm32);
  }
}
