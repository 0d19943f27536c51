/** Rows of `dagi` in a thread: the areas of a point from shared snapshots. */
import type { ReverseAreasAnswer } from '../../answers/answer.ts';
import type { Point } from '../../geo/point.ts';
import type { JobMemory } from '../../core/rows/chunk-types.ts';
import type { KindInMemory, OpenMemory } from '../../core/rows/kind.ts';
import type { LayerId } from '../../layers/keys.ts';
import { EngineCache, SnapshotSet } from '../../core/held/snapshot-set.ts';
import type { AreaReader, SetLayer } from '../../core/held/snapshot-set.ts';
import { openLayerSnapshot } from '../../snapshot/layer.ts';
import { Kept, keyOf } from '../../core/tasks/job-memory.ts';
import { openLands } from '../../core/tasks/lands.ts';
import { placeUnanswered, uncovered } from './reverse.ts';
import { dagi } from './job.ts';

const COPY = { version: 0, syncedAtMs: 0, held: false };

const readers = new Kept<AreaReader>();

const open: OpenMemory<Point, ReverseAreasAnswer> = (memory) => {
  const reader = areaReader(memory);
  const lands = memory.lands && openLands(memory.lands);
  return (point) => {
    const outside = lands && uncovered(lands, point);
    if (outside !== null) return outside;
    const missing = reader.unansweredAt(point.utm32);
    if (missing !== null) return placeUnanswered(missing);
    return { point, areas: reader.at(point.utm32), provenance: [] };
  };
};
export default { kind: dagi, open } satisfies KindInMemory;

function areaReader({ snapshots }: JobMemory): AreaReader {
  const key = snapshots.map(({ layer, buffer }) => `${layer} ${keyOf(buffer)}`).join();
  return readers.of(key, () => {
    const layers = new Map<LayerId, SetLayer>();
    for (const { layer, buffer, unanswered = null } of snapshots) {
      const snapshot = openLayerSnapshot(buffer, { verified: true });
      layers.set(layer, { copy: { ...COPY, unanswered }, snapshot });
    }
    const reader = new SnapshotSet(0, layers, new EngineCache()).areaReader();
    if (reader === null) throw new Error('A theme is missing among the snapshots of a task.');
    return reader;
  });
}
