/** Rows of `datavask` in a thread: what a text means, by the shared index. */
import type { KindInMemory, OpenMemory } from '../../core/rows/kind.ts';
import { cleansedIn } from './cleansed-row.ts';
import type { CleansedRow, WrittenRow } from './cleansed-row.ts';
import { foundIn, datavask } from './datavask-job.ts';
import { finderOf } from './index/kept-finder.ts';

const open: OpenMemory<WrittenRow, CleansedRow> = (memory) => {
  const finder = finderOf(memory);
  return (row) => foundIn(cleansedIn(finder, row), memory.addressLand);
};
export default { kind: datavask, open } satisfies KindInMemory;
