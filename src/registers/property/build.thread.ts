import { packRows } from './packed.ts';
import { recordsOf } from './store.ts';
import type { ExportedBatch } from './export.ts';
import type { BuildRecordsTask, BuiltSnapshot, RecordsToWrite } from '../../snapshot/build-task.ts';
import { PropertyRecords, writeRecords } from '../../snapshot/property-records.ts';
import type { TextOfNumber } from '../../snapshot/property-records.ts';
import { buildFromRows, pullRows } from '../../snapshot/row-feed.ts';

export default async function run(task: BuildRecordsTask): Promise<BuiltSnapshot> {
  const { paths } = task;
  return await buildFromRows(task, paths.index, async () => {
    const [said] = pullRows<RecordsToWrite>(task, 'meta');
    if (said === undefined) throw new Error('Nothing was said of the records.');
    const { isChange, ...meta } = said;
    const earlier = isChange ? openEarlier(task) : null;
    try {
      return await writeRecords(paths.records, { ...meta, earlier }, textsOf(task));
    } finally {
      earlier?.retire();
    }
  });
}

function openEarlier({ earlier }: BuildRecordsTask): PropertyRecords {
  if (earlier === null) throw new Error('There is no file that could change.');
  return new PropertyRecords(earlier.index, earlier.records, { verified: true });
}

function* textsOf(task: BuildRecordsTask): Generator<TextOfNumber> {
  for (const { bfes, found } of pullRows<ExportedBatch>(task, 'records')) {
    const rows = recordsOf(found);
    for (const bfe of bfes) {
      const known = rows?.get(bfe);
      yield { bfe, text: rows === null ? null : known && packRows(known) };
    }
  }
}
