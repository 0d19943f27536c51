/** Worker task: the file of properties from batches of rows that are asked for one at a time. */
import { packRows } from '../src/registers/property/packed.ts';
import { recordsOf } from '../src/registers/property/store.ts';
import type { ExportedBatch } from '../src/registers/property/export.ts';
import type { BuildRecordsTask, BuiltSnapshot } from '../src/snapshot/build-task.ts';
import { saveSnapshot } from '../src/snapshot/files.ts';
import { writeRecords } from '../src/snapshot/property-records.ts';
import type { RecordsMeta, TextOfNumber } from '../src/snapshot/property-records.ts';
import { pullRows } from '../src/snapshot/row-feed.ts';

export default async function run(task: BuildRecordsTask): Promise<BuiltSnapshot> {
  const { port, paths } = task;
  port.postMessage('ready');
  let buffer: SharedArrayBuffer;
  try {
    const [meta] = pullRows<RecordsMeta>(task, 'meta');
    if (meta === undefined) throw new Error('Nothing was said of the records.');
    buffer = await writeRecords(paths.records, meta, textsOf(task));
  } finally {
    port.close();
  }
  await saveSnapshot(paths.index, buffer);
  return { buffer };
}

function* textsOf(task: BuildRecordsTask): Generator<TextOfNumber> {
  for (const { bfes, found } of pullRows<ExportedBatch>(task, 'records')) {
    const rows = recordsOf(found);
    for (const bfe of bfes) {
      if (rows === null) yield { bfe, text: null };
      const known = rows?.get(bfe);
      if (known !== undefined) yield { bfe, text: packRows(known) };
    }
  }
}
