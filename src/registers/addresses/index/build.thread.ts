/** Blocks until the next batch of lines, because the builder consumes rows as they arrive. */
import { indexRowsOf } from '../address-lines.ts';
import { buildAddressIndex } from './build-index.ts';
import type { BuildIndexTask } from './build-task.ts';
import type { BuiltSnapshot } from '../../../snapshot/build-task.ts';
import { saveSnapshot } from '../../../snapshot/files.ts';
import { pullRows } from '../../../snapshot/row-feed.ts';

export default async function run(task: BuildIndexTask): Promise<BuiltSnapshot> {
  const { port, version, path } = task;
  port.postMessage('ready');
  let buffer: SharedArrayBuffer;
  try {
    const rows = indexRowsOf((list) => pullRows<string>(task, list));
    buffer = buildAddressIndex(version, rows);
  } finally {
    port.close();
  }
  if (path !== null) await saveSnapshot(path, buffer);
  return { buffer };
}
