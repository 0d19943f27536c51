/** A batch of numbers (D2, D49): results and errors partition them, each in their order. */
import { Failure } from '../../../kernel/failures.ts';
import { Slice } from '../../../kernel/turns.ts';
import type { PropertyRows } from '../property.ts';
import type { Provenance } from '../../../answers/answer.ts';
import { propertyRecord } from './record.ts';
import type { RecordSurroundings } from './record.ts';

export interface AnsweredProperty {
  readonly rows: PropertyRows;
  readonly around: RecordSurroundings;
  /** One per register that the record used. */
  readonly provenance: readonly Provenance[];
}

export function recordText({ rows, around }: AnsweredProperty): string {
  return JSON.stringify(propertyRecord(rows, around));
}

/** D96: a register that the record used is past its limit. */
export function isStale({ provenance }: AnsweredProperty): boolean {
  return provenance.some(({ rung }) => rung === 'stale');
}

/** Returns how many were found. */
export function* propertyBatchPieces(
  bfes: readonly number[],
  answers: readonly (AnsweredProperty | Failure)[],
): Generator<string, number> {
  yield '{"results":[';
  let found = 0;
  const errors: string[] = [];
  for (const [i, bfe] of bfes.entries()) {
    const answer = answers[i];
    if (answer === undefined) throw new Error(`No answer for the number ${bfe} of a batch.`);
    if (answer instanceof Failure) {
      const error = JSON.stringify(answer.message);
      errors.push(`{"bfe":${bfe},"error":${error},"status":${answer.status}}`);
      continue;
    }
    const comma = found > 0 ? ',' : '';
    found += 1;
    yield `${comma}{"bfe":${bfe},"ejendom":${recordText(answer)},"stale":${isStale(answer)}}`;
  }
  const counts = `"requested":${bfes.length},"succeeded":${found},"failed":${errors.length}`;
  yield `],"errors":[${errors.join(',')}],${counts}}`;
  return found;
}

export async function propertyBatchBody(
  bfes: readonly number[],
  answers: readonly (AnsweredProperty | Failure)[],
): Promise<Buffer> {
  // Encoding the whole text would block the thread for a millisecond.
  const body: Buffer[] = [];
  const slice = new Slice();
  for (const piece of propertyBatchPieces(bfes, answers)) {
    body.push(Buffer.from(piece));
    if (slice.isOver) await slice.next();
  }
  return Buffer.concat(body);
}
