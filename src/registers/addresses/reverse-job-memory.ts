/** Rows of `reverse` in a thread: the nearest address from the shared index. */
import type { Point } from '../../geo/point.ts';
import type { KindInMemory, OpenMemory } from '../../core/rows/kind.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { openLands } from '../../core/tasks/lands.ts';
import type { Nearest } from './addresses.ts';
import { finderOf } from './index/kept-finder.ts';
import { nearestWithin } from './reverse.ts';
import { reverse } from './reverse-job.ts';

const open: OpenMemory<Point, Nearest> = (memory) => {
  const { addressIndex } = finderOf(memory);
  const { default: radiusM } = LIMITS.addressRadiusM;
  const [land = null] = openLands([memory.addressLand]);
  const judge = nearestWithin(land, radiusM);
  return ({ utm32 }) => judge(utm32, addressIndex.nearest(utm32, radiusM));
};
export default { kind: reverse, open } satisfies KindInMemory;
