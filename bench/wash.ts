/**
 * Datavask judged on mutated texts whose meaning is known: `npm run bench -- wash --count=50000
 * --scale=0.1 --seed=1 --examples`. One row a mutation; a wrong A anywhere fails.
 */
import { openAddressBook } from '../src/addresses/book.ts';
import { buildAddressBook } from '../src/addresses/build-book.ts';
import { createAddressFinder } from '../src/addresses/finder.ts';
import { nationalAddresses } from './national/addresses.ts';
import { Land } from './national/land.ts';
import { judgeWash } from './national/wash-judge.ts';
import type { Tally } from './national/wash-judge.ts';
import { option } from './option.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';

export function benchWash(): Promise<readonly BenchRow[]> {
  const scale = Number(option('scale') ?? '0.1');
  const count = Number(option('count') ?? '50000');
  const seed = Number(option('seed') ?? '1');
  const book = openAddressBook(buildAddressBook(1, nationalAddresses(new Land(scale))));
  const tallies = judgeWash(book, createAddressFinder(book), { count, seed });
  if (process.argv.includes('--examples')) showExamples(tallies);
  const sum = (of: (tally: Tally) => number): number =>
    tallies.reduce((total, tally) => total + of(tally), 0);
  const wrongA = sum((tally) => tally.wrongA);
  return Promise.resolve([
    row({ what: 'scale of the generated country', value: scale, unit: 'of national size' }),
    row({ what: 'seed', value: seed, unit: '' }),
    ...tallies.map(toRow),
    row({
      what: 'all: right first',
      value: (100 * sum((tally) => tally.rightFirst)) / count,
      unit: '%',
    }),
    row({
      what: `wrong A, of ${count}`,
      value: wrongA,
      unit: 'texts',
      gate: { text: '0', pass: wrongA === 0 },
    }),
    row({ what: `wrong B, of ${count}`, value: sum((tally) => tally.wrongB), unit: 'texts' }),
    row({
      what: 'became the very text of another address, left out of wrong',
      value: sum((tally) => tally.anothers),
      unit: 'texts',
    }),
  ]);
}

function toRow(tally: Tally): BenchRow {
  const share = (n: number): string => ((100 * n) / tally.count).toFixed(1);
  const categories = `A ${share(tally.a)} B ${share(tally.b)} C ${share(tally.c)}`;
  const what = `${tally.mutation} (${categories}): right first`;
  const value = (100 * tally.rightFirst) / tally.count;
  const gate = { text: `${tally.wrongA} wrong A`, pass: tally.wrongA === 0 };
  return row({ what, value, unit: `% of ${tally.count}`, gate });
}

function showExamples(tallies: readonly Tally[]): void {
  for (const { mutation, examples } of tallies) {
    for (const example of examples) console.log(`  ${mutation}: ${example}`);
  }
}
