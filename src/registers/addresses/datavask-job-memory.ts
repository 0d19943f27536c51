/** Rows of `datavask` in a thread: what a text means, by the shared index. */
import type { KindInMemory, OpenMemory } from '../../core/rows/kind.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Cleansed, WrittenAddress } from './addresses.ts';
import { foundIn, datavask } from './datavask-job.ts';
import { finderOf } from './index/kept-finder.ts';

const open: OpenMemory<WrittenAddress, Cleansed> = (memory) => {
  const finder = finderOf(memory);
  return (written) =>
    foundIn(finder.cleanse(written, null, LIMITS.cleanseCandidates), memory.addressLand);
};
export default { kind: datavask, open } satisfies KindInMemory;
