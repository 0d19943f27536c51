import type { BuiltSnapshot } from '../../../snapshot/build-task.ts';
import { buildFromRows, pullEach, pullRows } from '../../../snapshot/row-feed.ts';
import type { ParcelDistricts } from '../export.ts';
import { buildParcelIndex } from './build-parcels.ts';
import type { ExportedParcel } from './build-parcels.ts';
import type { BuildParcelsTask } from './build-task.ts';

export default async function run(task: BuildParcelsTask): Promise<BuiltSnapshot> {
  const { version, path } = task;
  return await buildFromRows(task, path, () => {
    const [given] = pullRows<ParcelDistricts>(task, 'districts');
    if (given === undefined) throw new Error('No districts came.');
    const { hasFaces, districts } = given;
    const parcels = pullEach<ExportedParcel>(task, 'parcels');
    return buildParcelIndex({ version, hasFaces }, { districts, parcels });
  });
}
