import type { ExportedPlace, JoinedMunicipalities, PlaceList } from '../places.ts';
import { buildPlaceIndex } from './build-places.ts';
import type { BuildPlacesTask } from './build-task.ts';
import type { BuiltSnapshot } from '../../../snapshot/build-task.ts';
import { replaceByAppending } from '../../../snapshot/appended-file.ts';
import { buildFromRows, pullEach, pullRows } from '../../../snapshot/row-feed.ts';

export default async function run(task: BuildPlacesTask): Promise<BuiltSnapshot> {
  const { version, paths } = task;
  return await buildFromRows(task, paths.index, () => {
    const [municipalities = null] = pullRows<JoinedMunicipalities>(
      task,
      'municipalities' satisfies PlaceList,
    );
    const places = pullEach<ExportedPlace>(task, 'places' satisfies PlaceList);
    return replaceByAppending(paths.shapes, (shapes) =>
      buildPlaceIndex(version, { municipalities, places }, shapes),
    );
  });
}
