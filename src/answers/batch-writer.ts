/**
 * Results and errors partition the input, each in its order (D49). A long answer yields between
 * points.
 */
import { Failure } from '../kernel/failures.ts';
import { bodyBuffers } from '../kernel/buffer-pool.ts';
import { Slice } from '../kernel/turns.ts';
import { constant } from './json-writer.ts';
import type { JsonWriter } from './json-writer.ts';

/** `punkt` is in WGS84, whatever was sent. */
export interface PointItem {
  readonly lon: number;
  readonly lat: number;
  readonly id?: string;
}

export interface BatchAnswer<A> {
  readonly items: readonly PointItem[];
  readonly answers: readonly (A | Failure)[];
  /** Members of one result after `punkt`, with leading commas. */
  readonly write: (out: JsonWriter, answer: A) => void;
  readonly meta: unknown;
  /** JSON members between the counts and `meta`, with leading commas. */
  readonly more?: string;
}

const RESULTS = constant('{"results":[');

export async function writeBatch<A>(out: JsonWriter, answer: BatchAnswer<A>): Promise<Buffer> {
  const batch = new BatchText(answer);
  const chunks: Buffer[] = [];
  const slice = new Slice();
  out.begin().bytes(RESULTS);
  for (const index of answer.items.keys()) {
    if (slice.isOver) {
      // The writer is shared: take its content before yielding.
      chunks.push(out.take());
      await slice.next();
      out.begin();
    }
    batch.write(out, index);
  }
  batch.end(out);
  return chunks.length === 0 ? out.take() : joined([...chunks, out.take()]);
}

/** For threads: without yielding; the body stays in the writer. */
export function renderBatch<A>(out: JsonWriter, answer: BatchAnswer<A>): void {
  const batch = new BatchText(answer);
  out.begin().bytes(RESULTS);
  for (const index of answer.items.keys()) batch.write(out, index);
  batch.end(out);
}

function joined(chunks: readonly Buffer[]): Buffer {
  const whole = bodyBuffers.acquire(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
    bodyBuffers.release(chunk);
  }
  return whole;
}

class BatchText<A> {
  readonly #answer: BatchAnswer<A>;
  readonly #errors: string[] = [];
  #written = 0;

  constructor(answer: BatchAnswer<A>) {
    this.#answer = answer;
  }

  write(out: JsonWriter, index: number): void {
    const { items, answers, write } = this.#answer;
    const item = items[index];
    const answer = answers[index];
    if (item === undefined || answer === undefined) {
      throw new Error(`No answer for point ${index} of a batch.`);
    }
    if (answer instanceof Failure) {
      this.#errors.push(
        `{${echo(item)},"error":${JSON.stringify(answer.message)},"status":${answer.status}}`,
      );
      return;
    }
    if (this.#written > 0) out.ascii(',');
    writeEcho(out.ascii('{'), item);
    write(out, answer);
    out.ascii('}');
    this.#written += 1;
  }

  end(out: JsonWriter): void {
    const { items, more = '', meta } = this.#answer;
    out.text(
      `],"errors":[${this.#errors.join(',')}],"requested":${items.length},` +
        `"succeeded":${this.#written},"failed":${this.#errors.length}${more},` +
        `"meta":${JSON.stringify(meta)}}`,
    );
  }
}

const LON = constant('"punkt":{"lon":');
const LAT = constant(',"lat":');

function writeEcho(out: JsonWriter, { id, lon, lat }: PointItem): void {
  if (id !== undefined) out.text(`"id":${JSON.stringify(id)},`);
  out.bytes(LON).decimal(lon).bytes(LAT).decimal(lat).ascii('}');
}

function echo({ id, lon, lat }: PointItem): string {
  const place = `"punkt":{"lon":${lon},"lat":${lat}}`;
  return id === undefined ? place : `"id":${JSON.stringify(id)},${place}`;
}
