import type {
  ExportedPlace,
  JoinedMunicipalities,
  PlaceList,
} from '../src/registers/places/places.ts';
import { buildPlaceIndex } from '../src/registers/places/index/build-places.ts';
import type { BuildPlacesTask } from '../src/registers/places/index/build-task.ts';
import type { BuiltSnapshot } from '../src/snapshot/build-task.ts';
import { AppendedFile } from '../src/snapshot/appended-file.ts';
import { replaceFile, saveSnapshot } from '../src/snapshot/files.ts';
import { pullRows } from '../src/snapshot/row-feed.ts';

export default async function run(task: BuildPlacesTask): Promise<BuiltSnapshot> {
  const { port, version, paths } = task;
  const pull = <T>(list: PlaceList) => pullRows<T>(task, list);
  port.postMessage('ready');
  const built: { buffer?: SharedArrayBuffer } = {};
  try {
    const [municipalities = null] = pull<JoinedMunicipalities>('municipalities');
    await replaceFile(paths.shapes, (temporary) => {
      const shapes = new AppendedFile(temporary);
      try {
        const places = eachOf(pull<readonly ExportedPlace[]>('places'));
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

function* eachOf(batches: Iterable<readonly ExportedPlace[]>): Generator<ExportedPlace, undefined> {
  for (const batch of batches) yield* batch;
}
