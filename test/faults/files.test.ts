/**
 * The files of BBR and the cadastre, spoiled in every way of the matrix: at night the total and the delta
 * of each, in the gate each way once.
 */
import { beforeAll, expect, test } from 'vitest';
import { TEST_SEED, isHeavy } from '../support/run-settings.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import {
  describeFileCase,
  fewFileCases,
  fileCases,
  openFileWorld,
  runFileCase,
} from './file-case.ts';
import type { FileWorld } from './file-case.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openAddressBench());
let world: FileWorld;
beforeAll(async () => {
  world = await openFileWorld(bench);
});

const cases = isHeavy ? fileCases(TEST_SEED) : fewFileCases(TEST_SEED);

test.each(cases.map((given) => [describeFileCase(given), given] as const))(
  '%s',
  async (_name, given) => {
    expect((await runFileCase(world, given)).findings).toEqual([]);
  },
);
