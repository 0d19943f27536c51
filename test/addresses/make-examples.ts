/**
 * Writes `examples.ts`: three spellings of every kind over the real addresses, each with the id it
 * means. `node test/addresses/make-examples.ts` after a kind was added; look at what it wrote.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { questions } from './score.ts';
import { realRows, Truth } from './truth.ts';

const EACH = 3;
const SEED = 7;

const rows = [...questions(new Truth(realRows()), EACH, SEED)].map(
  ({ kind, asks, written, right, meant }) => ({
    ...{ kind: kind.name, asks, written },
    means: kind.isAbsent === true ? null : right.size === 1 ? meant.id : null,
  }),
);
const text = `/** Made by \`make-examples.ts\`: three spellings of every kind, over the real addresses. */
import type { Asks, Spelling } from './kinds.ts';

export interface Example {
  readonly kind: string;
  readonly asks: Asks;
  readonly written: Spelling['written'];
  /** The id; null where the road is not there: a guess at most. */
  readonly means: string | null;
}

export const EXAMPLES: readonly Example[] = ${JSON.stringify(rows, null, 2)};
`;
writeFileSync(join(import.meta.dirname, 'examples.ts'), text);
