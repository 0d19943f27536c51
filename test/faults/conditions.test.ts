/** Every condition under the faults of its source: no answer changes but to none. */
import { afterAll, expect, test } from 'vitest';
import { CONDITIONS } from '../../src/layers/conditions/index.ts';
import { TEST_SEED, amountOf, isHeavy } from '../support/run-settings.ts';
import {
  SURE_CASES,
  describeConditionCase,
  drawConditionCase,
  openConditionWorld,
  runConditionCase,
} from './condition-case.ts';

/** By night 10,000 more are played by `npm run faults`. */
const CASES = amountOf({ gate: SURE_CASES, night: SURE_CASES + 1_000 });

/** In the gate each row on a third of the conditions, the next row on the next third. */
const isPlayed = (number: number): boolean =>
  isHeavy || (number + Math.ceil(number / CONDITIONS.length)) % 3 === 0;

const world = await openConditionWorld();
afterAll(() => world.bench.close());

test('no fault makes a no, or any other answer than before', async () => {
  const wrong: string[] = [];
  const outcomes = new Map<string, Set<string>>();
  for (let number = 1; number <= CASES; number += 1) {
    if (!isPlayed(number)) continue;
    const given = drawConditionCase(TEST_SEED, number);
    const { outcome, findings } = await runConditionCase(world, given);
    outcomes.set(given.row, (outcomes.get(given.row) ?? new Set()).add(outcome));
    for (const { kind, detail } of findings) {
      wrong.push(`${kind}: ${describeConditionCase(given)}: ${detail}`);
    }
  }
  expect(wrong.slice(0, 20)).toEqual([]);
  for (const row of ['html-200', 'moved', 'http-404']) {
    expect([row, [...(outcomes.get(row) ?? [])]]).toEqual([row, ['failed']]);
  }
  for (const row of ['emptied', 'half-a-layer']) {
    expect([row, [...(outcomes.get(row) ?? [])]]).toEqual([row, ['refused']]);
  }
  // The places were told apart: something is there, and not everywhere.
  for (const { key } of CONDITIONS) {
    const told = world.truth.get(`forhold_${key}`)?.map(({ inden_for: within }) => within) ?? [];
    expect([key, told.includes(true), new Set(told).size > 1]).toEqual([key, true, true]);
  }
});
