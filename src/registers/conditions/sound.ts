/** Whether an area may be measured in memory as it is. */
import { isSoundArea } from '../../geo/jts.ts';
import { polygonFault } from '../../geo/polygon-fault.ts';
import { ringsOfWkb, wkbType } from '../../geo/wkb.ts';
import { polygonsOf } from './ground.ts';
import type { ThreadTask } from '../../core/tasks/thread-task.ts';
import type { Workers } from '../../core/tasks/workers.ts';

const COLLECTION = 7;
/** Smaller areas are tested without a thread: some 300 vertices. */
const AT_ONCE_BYTES = 5_000;

export const TEST_AREA: ThreadTask<{ readonly wkb: Uint8Array }, boolean> = {
  file: new URL('./sound.thread.ts', import.meta.url),
};

export function soundnessOf(workers: Pick<Workers, 'run'>) {
  return async (wkb: Uint8Array): Promise<boolean> =>
    wkb.length <= AT_ONCE_BYTES ? areSound(wkb) : await workers.run(TEST_AREA, { wkb });
}

/**
 * Parcels may overlap, and their rings touch themselves: the store's repair changes no place of it.
 */
export function areSound(wkb: Uint8Array): boolean {
  if (wkbType(wkb) !== COLLECTION) return isSoundArea(wkb);
  const rings = ringsOfWkb(wkb);
  return polygonsOf(rings).every((polygon) => polygonFault([polygon]) === null);
}
