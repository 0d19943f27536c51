/**
 * Worker task: rows that arrive through a port to one layer snapshot, written as FlatGeobuf and as
 * the engine's own bytes. The caller reads the database; this thread only packs, indexes and writes.
 */
import { once } from 'node:events';
import { LayerSnapshotBuilder } from '../src/snapshot/build-layer.ts';
import { saveSnapshot } from '../src/snapshot/files.ts';
import { writeFlatGeobuf } from '../src/snapshot/flatgeobuf-write.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import type {
  BuildSnapshotMessage,
  BuildSnapshotTask,
  BuiltSnapshot,
} from '../src/snapshot/build-task.ts';

export default async function run(task: BuildSnapshotTask): Promise<BuiltSnapshot> {
  const { port, layer, geometry, version, files } = task;
  const builder = new LayerSnapshotBuilder({ layer, geometry, version });
  if (geometry === 'area') builder.withZones();
  port.postMessage('ready');
  try {
    for (;;) {
      const [message] = (await once(port, 'message')) as [BuildSnapshotMessage];
      if (message.kind === 'end') break;
      if (message.kind === 'abort') throw new Error('The rows ended early.');
      if (message.kind === 'features') message.rows.forEach((row) => builder.add(row));
      else message.edges.forEach((edge) => builder.addZoneEdge(edge));
      // One batch at a time: the sender waits for this.
      port.postMessage('taken');
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
