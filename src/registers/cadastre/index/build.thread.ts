import { saveSnapshot } from '../../../snapshot/files.ts';
import type { BuiltSnapshot } from '../../../snapshot/build-task.ts';
import { pullEach, pullRows } from '../../../snapshot/row-feed.ts';
import type { ParcelDistricts } from '../export.ts';
import { buildParcelIndex } from './build-parcels.ts';
import type { ExportedParcel } from './build-parcels.ts';
import type { BuildParcelsTask } from './build-task.ts';

export default async function run(task: BuildParcelsTask): Promise<BuiltSnapshot> {
  const { port, version, path } = task;
  port.postMessage('ready');
  let buffer: SharedArrayBuffer;
  try {
    const [given] = pullRows<ParcelDistricts>(task, 'districts');
    if (given === undefined) throw new Error('No districts came.');
    const { hasFaces, districts } = given;
    const parcels = pullEach<ExportedParcel>(task, 'parcels');
    buffer = buildParcelIndex({ version, hasFaces }, { districts, parcels });
  } finally {
    port.close();
  }
  await saveSnapshot(path, buffer);
  return { buffer };
}
