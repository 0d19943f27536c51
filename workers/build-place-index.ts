/** Worker task: the index of place names from rows that are asked for one batch at a time. */
import type { JoinedMunicipalities, PlaceList, PlaceRow } from '../src/layers/places.ts';
import { buildPlaceIndex } from '../src/places/build-places.ts';
import type { BuildPlacesTask } from '../src/places/build-task.ts';
import type { BuiltSnapshot } from '../src/snapshot/build-task.ts';
import { saveSnapshot } from '../src/snapshot/files.ts';
import { pullRows } from '../src/snapshot/row-feed.ts';

export default async function run(task: BuildPlacesTask): Promise<BuiltSnapshot> {
  const { port, version, path } = task;
  const pull = <T>(list: PlaceList) => pullRows<T>(task, list);
  port.postMessage('ready');
  let buffer: SharedArrayBuffer;
  try {
    const [municipalities = null] = pull<JoinedMunicipalities>('municipalities');
    buffer = buildPlaceIndex(version, { municipalities, places: eachOf(pull('places')) });
  } finally {
    port.close();
  }
  if (path !== null) await saveSnapshot(path, buffer);
  return { buffer };
}

function* eachOf(batches: Iterable<readonly PlaceRow[]>): Generator<PlaceRow, undefined> {
  for (const batch of batches) yield* batch;
}
