/** Worker task: many points against some building lines in shared memory. */
import type { PointUtm32 } from '../src/geo/point.ts';
import { LINE_FLAG } from '../src/snapshot/line-flags.ts';
import type { LineMeasure } from '../src/snapshot/lines.ts';
import { lineEngine } from './engines.ts';
import { isGivenUp } from './given-up.ts';
import { handOver } from './pool-move.ts';
import type { LinesBatch, LinesBatchTask } from './protocol.ts';

/** Of a batch that was given up, what comes back is of no use to anybody. */
export default function run(task: LinesBatchTask): LinesBatch {
  const { snapshots, points, radiusM } = task;
  const engines = snapshots.map(lineEngine);
  const cells = (points.length / 2) * engines.length;
  const flags = new Uint8Array(cells);
  const counts = new Uint32Array(cells);
  const distances = new Float64Array(cells);
  const hits = new Int32Array(cells);
  const repealed: LineMeasure['repealed'][number][] = [];
  const repealedStarts = new Uint32Array(cells + 1);
  let cell = 0;
  for (let i = 0; i + 1 < points.length; i += 2) {
    if (isGivenUp(task, i / 2)) break;
    const point: PointUtm32 = { xUtm32: points[i] ?? NaN, yUtm32: points[i + 1] ?? NaN };
    for (const engine of engines) {
      const measure = engine.measure(point, radiusM);
      flags[cell] =
        (measure.within ? LINE_FLAG.within : 0) | (measure.uncertain ? LINE_FLAG.uncertain : 0);
      counts[cell] = measure.count;
      distances[cell] = measure.distanceM ?? NaN;
      hits[cell] = measure.hit ?? -1;
      repealed.push(...measure.repealed);
      cell += 1;
      repealedStarts[cell] = repealed.length;
    }
  }
  const repealedFeatures = Uint32Array.from(repealed, ({ feature }) => feature);
  const repealedDistances = Float64Array.from(repealed, ({ distanceM }) => distanceM);
  const batch = {
    flags,
    counts,
    distances,
    hits,
    repealedStarts,
    repealedFeatures,
    repealedDistances,
  };
  return handOver(
    batch,
    Object.values(batch).map(({ buffer }) => buffer),
  );
}
