/**
 * Rows of registers that cannot be read: in the gate each way a row may be broken a few times, at night in every
 * table and each way it may come.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import { ROW_CELLS, describeRowCase, drawRowCase, runRowCase } from './row-case.ts';
import { openRowWorld } from './row-world.ts';
import type { RowWorld } from './row-world.ts';

let bench: AddressBench;
let world: RowWorld;
beforeAll(async () => {
  bench = await openAddressBench();
  world = await openRowWorld(bench);
});
afterAll(async () => {
  await world.close();
  await bench.close();
});

const amount = amountOf({ gate: 24, night: ROW_CELLS.length });
const cases = Array.from({ length: amount }, (_, n) => drawRowCase(TEST_SEED, n + 1));

test.each(cases.map((given) => [describeRowCase(given), given] as const))(
  '%s',
  async (_name, given) => {
    expect((await runRowCase(world, given)).findings).toEqual([]);
  },
);
