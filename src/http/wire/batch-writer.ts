/**
 * Writes the answer to a batch of points: results and errors that partition the input, each in its
 * order (D49). A long answer gives way to others between its points.
 */
import { Failure } from '../../kernel/failures.ts';
import { Slice } from '../../kernel/turns.ts';
import { constant } from './json-writer.ts';
import type { JsonWriter } from './json-writer.ts';
import type { PointItem } from './batch.ts';

export interface BatchAnswer<A> {
  readonly items: readonly PointItem[];
  /** In the order of the items. */
  readonly answers: readonly (A | Failure)[];
  /** Writes the members of one result after `punkt`, with a comma before each. */
  readonly write: (out: JsonWriter, answer: A) => void;
  readonly meta: unknown;
  /** Members between the counts and `meta`, as JSON with a comma before each. */
  readonly more?: string;
}

const RESULTS = constant('{"results":[');

/** The whole body. */
export async function writeBatch<A>(
  out: JsonWriter,
  { items, answers, write, meta, more = '' }: BatchAnswer<A>,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const errors: string[] = [];
  let written = 0;
  const slice = new Slice();
  out.begin().bytes(RESULTS);
  for (const [index, item] of items.entries()) {
    const answer = answers[index];
    if (answer === undefined) throw new Error(`No answer for point ${index} of a batch.`);
    if (answer instanceof Failure) {
      errors.push(
        `{${echo(item)},"error":${JSON.stringify(answer.message)},"status":${answer.status}}`,
      );
      continue;
    }
    if (slice.isOver) {
      // The writer is everybody's: what it holds is taken before anybody else gets a turn.
      chunks.push(out.take());
      await slice.next();
      out.begin();
    }
    out.text(`${written > 0 ? ',' : ''}{${echo(item)}`);
    write(out, answer);
    out.ascii('}');
    written += 1;
  }
  out.text(
    `],"errors":[${errors.join(',')}],"requested":${items.length},"succeeded":${written},` +
      `"failed":${errors.length}${more},"meta":${JSON.stringify(meta)}}`,
  );
  chunks.push(out.take());
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

/** The caller's id and point, echoed as sent. */
function echo({ id, lon, lat }: PointItem): string {
  const place = `"punkt":{"lon":${lon},"lat":${lat}}`;
  return id === undefined ? place : `"id":${JSON.stringify(id)},${place}`;
}
