/** The areas of some themes that cover many points, from shared memory (batch-shift.ts). */
import { areaEngine } from './engines.ts';
import { isGivenUp } from './given-up.ts';
import type { AreasBatchTask } from '../src/lookups/batch-threads.ts';
import type { AreasBatch } from '../src/memory/snapshot-set.ts';
import type { HandedOver } from './protocol.ts';

/** Areas of one theme at one point are never more. */
const MOST_AT_A_POINT = 64;

/** Of a batch that was given up, what comes back is of no use to anybody. */
export function answerAreas(task: AreasBatchTask): HandedOver<AreasBatch> {
  const { standing, points } = task;
  const engines = standing.snapshots.map(areaEngine);
  const found: number[] = [];
  const few = new Uint32Array(MOST_AT_A_POINT);
  const starts = new Uint32Array((points.length / 2) * engines.length + 1);
  let cell = 0;
  for (let i = 0; i + 1 < points.length; i += 2) {
    if (isGivenUp(task, i / 2)) break;
    const point = { xUtm32: points[i] ?? NaN, yUtm32: points[i + 1] ?? NaN };
    for (const engine of engines) {
      const count = engine.coversInto(point, few);
      for (let n = 0; n < count; n++) found.push(few[n] ?? 0);
      cell += 1;
      starts[cell] = found.length;
    }
  }
  const areas = Uint32Array.from(found);
  return { value: { starts, areas }, give: [starts.buffer, areas.buffer] };
}
