/** Blocks until the next batch of lines, because the builder consumes rows as they arrive. */
import { indexRowsOf } from '../address-lines.ts';
import { buildAddressIndex } from './build-index.ts';
import type { BuildIndexTask } from './build-task.ts';
import type { BuiltSnapshot } from '../../../snapshot/build-task.ts';
import { buildFromRows, pullRows } from '../../../snapshot/row-feed.ts';

export default async function run(task: BuildIndexTask): Promise<BuiltSnapshot> {
  const { version, path } = task;
  return await buildFromRows(task, path, () =>
    buildAddressIndex(
      version,
      indexRowsOf((list) => pullRows<string>(task, list)),
    ),
  );
}
