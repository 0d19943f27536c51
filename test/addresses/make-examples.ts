/**
 * Writes `examples.ndjson`: three spellings of every kind of the first round, each with the id it means: over the real
 * addresses, or the invented ones where no real one can be written so. `node test/addresses/make-examples.ts` after a kind was added; look at what it wrote.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nationalAddresses } from '../../bench/national/addresses.ts';
import { Land } from '../../bench/national/land.ts';
import { FIRST_KINDS } from './kinds.ts';
import { questions } from './score.ts';
import { realRows, Truth } from './truth.ts';

const EACH = 3;
const SEED = 7;

const made = nationalAddresses(new Land(0.01));
const INDEXES = { real: realRows(), invented: { ...made, accesses: [...made.accesses] } };

/** No two addresses fit an example. */
function* examples(of: keyof typeof INDEXES) {
  const counts = new Map<string, number>();
  for (const { kind, asks, written, right, meant } of questions(new Truth(INDEXES[of]), 20, SEED)) {
    if (!FIRST_KINDS.includes(kind)) continue;
    const count = counts.get(kind.name) ?? 0;
    if (count === EACH || (right.size !== 1 && kind.isAbsent !== true)) continue;
    counts.set(kind.name, count + 1);
    yield { of, kind: kind.name, asks, written, means: kind.isAbsent === true ? null : meant.id };
  }
}

const real = [...examples('real')];
const isMissing = (kind: string): boolean => real.filter((row) => row.kind === kind).length < EACH;
const rows = [
  ...real.filter(({ kind }) => !isMissing(kind)),
  ...[...examples('invented')].filter(({ kind }) => isMissing(kind)),
];
const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
writeFileSync(join(import.meta.dirname, 'examples.ndjson'), text);
