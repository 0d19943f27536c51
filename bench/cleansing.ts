/**
 * Datavask judged on mutated texts whose meaning is known: `npm run bench -- wash --count=50000
 * --scale=0.1 --seed=1 --examples`. One row a mutation; a wrong A anywhere fails.
 */
import { openAddressIndex } from '../src/registers/addresses/index/address-index.ts';
import { buildAddressIndex } from '../src/registers/addresses/index/build-index.ts';
import { createAddressFinder } from '../src/registers/addresses/index/finder.ts';
import { nationalAddresses } from './national/addresses.ts';
import { Land } from './national/land.ts';
import { judgeCleansing } from './national/cleansing-judge.ts';
import type { Tally } from './national/cleansing-judge.ts';
import { flag, numberOption, scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';

export function benchCleansing(): Promise<readonly BenchRow[]> {
  const scale = scaleOption(0.1);
  const count = numberOption('count', 50_000);
  const seed = numberOption('seed', 1);
  const addressIndex = openAddressIndex(buildAddressIndex(1, nationalAddresses(new Land(scale))));
  const tallies = judgeCleansing(addressIndex, createAddressFinder(addressIndex), { count, seed });
  if (flag('examples')) showExamples(tallies);
  const sum = (of: 'rightFirst' | 'wrongA' | 'wrongB' | 'anothers'): number =>
    tallies.reduce((total, tally) => total + tally[of], 0);
  const anothers = 'became the very text of another address, left out of wrong';
  return Promise.resolve([
    row('scale of the generated country', scale, 'of national size'),
    row('seed', seed, ''),
    ...tallies.map(toRow),
    row('all: right first', (100 * sum('rightFirst')) / count, '%'),
    row(`wrong A, of ${count}`, sum('wrongA'), 'texts', { gate: '0' }),
    row(`wrong B, of ${count}`, sum('wrongB'), 'texts'),
    row(anothers, sum('anothers'), 'texts'),
  ]);
}

function toRow(tally: Tally): BenchRow {
  const { mutation, count, rightFirst, wrongA } = tally;
  const percent = (n: number): string => ((100 * n) / count).toFixed(1);
  const categories = `A ${percent(tally.a)} B ${percent(tally.b)} C ${percent(tally.c)}`;
  const what = `${mutation} (${categories}): right first`;
  return row(what, (100 * rightFirst) / count, `% of ${count}`, {
    gate: [`${wrongA} wrong A`, wrongA === 0],
  });
}

function showExamples(tallies: readonly Tally[]): void {
  for (const { mutation, examples } of tallies) {
    for (const example of examples) console.log(`  ${mutation}: ${example}`);
  }
}
