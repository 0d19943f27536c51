import { LayerSnapshotBuilder } from '../src/snapshot/build-layer.ts';
import type { SnapshotFeature } from '../src/snapshot/build-layer.ts';
import { writeFlatGeobuf } from '../src/snapshot/flatgeobuf-write.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import type { BuildSnapshotTask, BuiltSnapshot } from '../src/snapshot/build-task.ts';
import { buildFromRows, pullEach } from '../src/snapshot/row-feed.ts';

export default async function run(task: BuildSnapshotTask): Promise<BuiltSnapshot> {
  const { layer, geometry, version, files } = task;
  return await buildFromRows(task, files?.engine ?? null, async () => {
    const builder = new LayerSnapshotBuilder({ layer, geometry, version });
    if (geometry === 'area') builder.withZones();
    for (const row of pullEach<SnapshotFeature>(task, 'features')) builder.add(row);
    for (const edge of pullEach<Uint8Array>(task, 'edges')) builder.addZoneEdge(edge);
    const buffer = builder.finish();
    if (files !== null) {
      await writeFlatGeobuf(files.flatGeobuf, openLayerSnapshot(buffer, { verified: true }));
    }
    return buffer;
  });
}
