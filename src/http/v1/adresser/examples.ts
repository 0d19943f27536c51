/** One request and its answer for each operation on addresses, as the sample register gives it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Example } from '../../plugins/examples.ts';

/** By operation. A test asks the sample for each. */
export function addressExamples(): Readonly<Record<string, Example>> {
  const file = join(import.meta.dirname, 'examples.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Example>>;
}
