/** Whether an area may be measured in memory as it is. */
import { areSoundPolygons, isSoundArea } from '../../geo/jts.ts';
import { RingSink, readWkb, wkbType } from '../../geo/wkb.ts';
import { areSimple } from './index/simple.ts';
import type { ThreadTask } from '../../core/tasks/thread-task.ts';
import type { Workers } from '../../core/tasks/workers.ts';

const COLLECTION = 7;
/** Up to so many bytes are tested at once: some 300 vertices. */
const AT_ONCE_BYTES = 5_000;

export const TEST_AREA: ThreadTask<{ readonly wkb: Uint8Array }, boolean> = {
  file: new URL('./sound.thread.ts', import.meta.url),
};

export function soundnessOf(workers: Pick<Workers, 'run'>) {
  return async (wkb: Uint8Array): Promise<boolean> =>
    wkb.length <= AT_ONCE_BYTES ? areSound(wkb) : await workers.run(TEST_AREA, { wkb });
}

/** Of a collection each part by itself, since they may lie on one another. */
export function areSound(wkb: Uint8Array): boolean {
  const rings = new RingSink();
  readWkb(wkb, rings);
  const isCollection = wkbType(wkb) === COLLECTION;
  // Parts that are not taken together may not meet either.
  if ((isCollection || rings.kinds.length === 1) && areSimple(rings)) return true;
  return isCollection ? areSoundPolygons(wkb) : isSoundArea(wkb);
}
