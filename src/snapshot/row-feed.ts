/** Blocks until a batch arrives. The other side: src/core/loading/row-feeder.ts. */
import { receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { LIMITS } from '../kernel/limits.ts';
import { beat } from '../kernel/pulse.ts';
import { saveSnapshot } from './files.ts';

export interface RowSource {
  /** Sends 'ready', then AskRows, and receives Rows. Transferred. */
  readonly port: MessagePort;
  /** Incremented by the sender after each answer. Shared. */
  readonly answered: Int32Array;
}

export interface AskRows {
  readonly list: string;
  readonly first: boolean;
}

/** null: the list has ended. */
export type Rows = { readonly kind: 'rows'; readonly rows: unknown } | { readonly kind: 'abort' };

/** `path` null: the result is not saved. */
export async function buildFromRows(
  { port }: RowSource,
  path: string | null,
  build: () => SharedArrayBuffer | Promise<SharedArrayBuffer>,
): Promise<{ readonly buffer: SharedArrayBuffer }> {
  port.postMessage('ready');
  let buffer: SharedArrayBuffer;
  try {
    buffer = await build();
  } finally {
    port.close();
  }
  if (path !== null) await saveSnapshot(path, buffer);
  return { buffer };
}

export function* pullRows<T>(source: RowSource, list: string): Generator<T, undefined> {
  for (let first = true; ; first = false) {
    const rows = ask(source, { list, first });
    if (rows === null) return;
    beat();
    yield rows as T;
  }
}

export function* pullEach<T>(source: RowSource, list: string): Generator<T, undefined> {
  for (const batch of pullRows<readonly T[]>(source, list)) yield* batch;
}

/** Throws when nothing comes within `LIMITS.feedRowsMs`, and when the sender gives up. */
function ask({ port, answered }: RowSource, question: AskRows): unknown {
  const before = Atomics.load(answered, 0);
  port.postMessage(question);
  let received = receivedAt(port);
  // A sender that gave up earlier has already sent its message.
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
