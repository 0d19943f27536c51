/** Three spellings of every kind, one a line, made by `make-examples.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asks, Spelling } from './writing.ts';

export interface Example {
  /** Whose addresses: `invented` ones at a hundredth of national size. */
  readonly of: 'real' | 'invented';
  readonly kind: string;
  readonly asks: Asks;
  readonly written: Spelling['written'];
  /** The id; null where the road is not there: a guess at most. */
  readonly means: string | null;
}

export const EXAMPLES: readonly Example[] = readFileSync(
  join(import.meta.dirname, 'examples.ndjson'),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Example);
