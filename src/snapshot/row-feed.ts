/**
 * Rows from the store to the thread that builds from them: the thread asks for the next batch of a list
 * and stands still until it is there. This is the thread's end; the other is src/memory/row-feeder.ts.
 */
import { receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { LIMITS } from '../kernel/limits.ts';

export interface RowSource {
  /** Says 'ready', then asks with AskRows and is answered with Rows. Handed over. */
  readonly port: MessagePort;
  /** The sender counts up behind each answer and wakes whoever waits. Shared. */
  readonly answered: Int32Array;
}

/** The next batch of a list; `first`: from its beginning. */
export interface AskRows {
  readonly list: string;
  readonly first: boolean;
}

/** null: the list has ended. */
export type Rows = { readonly kind: 'rows'; readonly rows: unknown } | { readonly kind: 'abort' };

/** The batches of a list, in order; they are of the type that the feed gives for it. */
export function* pullRows<T>(source: RowSource, list: string): Generator<T, undefined> {
  for (let first = true; ; first = false) {
    const rows = ask(source, { list, first });
    if (rows === null) return;
    yield rows as T;
  }
}

/** Throws when nothing comes within `LIMITS.feedRowsMs`, and when the sender gives up. */
function ask({ port, answered }: RowSource, question: AskRows): unknown {
  const before = Atomics.load(answered, 0);
  port.postMessage(question);
  let received = receivedAt(port);
  // A sender that gave up before it was asked has said so already.
  if (received === undefined) {
    if (Atomics.wait(answered, 0, before, LIMITS.feedRowsMs) === 'timed-out') {
      throw new Error('The rows did not come.');
    }
    received = receivedAt(port);
  }
  if (received?.kind !== 'rows') throw new Error('The rows ended early.');
  return received.rows;
}

function receivedAt(port: MessagePort): Rows | undefined {
  const received: { readonly message: Rows } | undefined = receiveMessageOnPort(port);
  return received?.message;
}
