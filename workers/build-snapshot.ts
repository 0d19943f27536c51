import { LayerSnapshotBuilder } from '../src/snapshot/build-layer.ts';
import type { SnapshotFeature } from '../src/snapshot/build-layer.ts';
import { saveSnapshot } from '../src/snapshot/files.ts';
import { writeFlatGeobuf } from '../src/snapshot/flatgeobuf-write.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import type { BuildSnapshotTask, BuiltSnapshot } from '../src/snapshot/build-task.ts';
import { pullRows } from '../src/snapshot/row-feed.ts';

export default async function run(task: BuildSnapshotTask): Promise<BuiltSnapshot> {
  const { port, layer, geometry, version, files } = task;
  const builder = new LayerSnapshotBuilder({ layer, geometry, version });
  if (geometry === 'area') builder.withZones();
  port.postMessage('ready');
  try {
    for (const rows of pullRows<readonly SnapshotFeature[]>(task, 'features')) {
      for (const row of rows) builder.add(row);
    }
    for (const edges of pullRows<readonly Uint8Array[]>(task, 'edges')) {
      for (const edge of edges) builder.addZoneEdge(edge);
    }
  } finally {
    port.close();
  }
  const buffer = builder.finish();
  if (files !== null) {
    await writeFlatGeobuf(files.flatGeobuf, openLayerSnapshot(buffer, { verified: true }));
    await saveSnapshot(files.engine, buffer);
  }
  return { buffer };
}
