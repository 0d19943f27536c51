import type { ExportedPlace, JoinedMunicipalities, PlaceList } from '../places.ts';
import { buildPlaceIndex } from './build-places.ts';
import type { BuildPlacesTask } from './build-task.ts';
import type { BuiltSnapshot } from '../../../snapshot/build-task.ts';
import { AppendedFile } from '../../../snapshot/appended-file.ts';
import { replaceFile } from '../../../kernel/replace-file.ts';
import { saveSnapshot } from '../../../snapshot/files.ts';
import { pullEach, pullRows } from '../../../snapshot/row-feed.ts';

export default async function run(task: BuildPlacesTask): Promise<BuiltSnapshot> {
  const { port, version, paths } = task;
  port.postMessage('ready');
  const built: { buffer?: SharedArrayBuffer } = {};
  try {
    const [municipalities = null] = pullRows<JoinedMunicipalities>(
      task,
      'municipalities' satisfies PlaceList,
    );
    await replaceFile(paths.shapes, (temporary) => {
      const shapes = new AppendedFile(temporary);
      try {
        const places = pullEach<ExportedPlace>(task, 'places' satisfies PlaceList);
        built.buffer = buildPlaceIndex(version, { municipalities, places }, shapes);
        shapes.flush();
      } finally {
        shapes.close();
      }
      return Promise.resolve();
    });
  } finally {
    port.close();
  }
  const { buffer } = built;
  if (buffer === undefined) throw new Error('No index was built.');
  await saveSnapshot(paths.index, buffer);
  return { buffer };
}
