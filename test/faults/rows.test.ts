/** Rows of registers, and of files that tell of a date, that cannot be read: some in the gate, all cells at night. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatedBench } from '../support/dated-bench.ts';
import type { DatedBench } from '../support/dated-bench.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import { DATED_CELLS, describeDatedCase, drawDatedCase, runDatedCase } from './dated-case.ts';
import { ROW_CELLS, describeRowCase, drawRowCase, runRowCase } from './row-case.ts';
import { openRowWorld } from './row-world.ts';
import type { RowWorld } from './row-world.ts';

let bench: AddressBench;
let world: RowWorld;
let dated: DatedBench;
beforeAll(async () => {
  [bench, dated] = await Promise.all([openAddressBench(), openDatedBench()]);
  world = await openRowWorld(bench);
  await dated.syncThemes();
  await dated.keep();
});
afterAll(async () => {
  await world.close();
  await Promise.all([bench.close(), dated.close()]);
});

const drawn = <C>(most: number, draw: (seed: number, number: number) => C): readonly C[] =>
  Array.from({ length: amountOf({ gate: 2, night: most }) }, (_, n) => draw(TEST_SEED, n + 1));

test.each(
  drawn(ROW_CELLS.length, drawRowCase).map((given) => [describeRowCase(given), given] as const),
)('%s', async (_name, given) => {
  expect((await runRowCase(world, given)).findings).toEqual([]);
});

test.each(
  drawn(DATED_CELLS.length, drawDatedCase).map(
    (given) => [describeDatedCase(given), given] as const,
  ),
)('%s', async (_name, given) => {
  expect((await runDatedCase(dated, given)).findings).toEqual([]);
});
