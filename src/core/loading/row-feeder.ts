/** The store's side of src/snapshot/row-feed.ts: one version only. */
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { Db, Store } from '../../db/connect.ts';
import { readOnly } from '../../db/read-only.ts';
import type { BuiltSnapshot } from '../../snapshot/build-task.ts';
import type { AskRows, RowSource, Rows } from '../../snapshot/row-feed.ts';

export interface RowFeed<List extends string, From = Db> {
  /** In the order of request; nothing is read after the last. */
  readonly lists: readonly List[];
  readonly isWanted: (trx: Db) => Promise<boolean>;
  readonly rows: (from: From, list: List) => AsyncGenerator;
}

export type ReadBatch = <T>(work: (trx: Db) => Promise<T>) => Promise<T>;

type Build = (source: RowSource) => Promise<BuiltSnapshot>;

/** Feeds a thread from one transaction; null: the store has another version by now. */
export async function buildFromStore<List extends string>(
  store: Pick<Store, 'db'>,
  { lists, isWanted, rows }: RowFeed<List>,
  build: Build,
): Promise<SharedArrayBuffer | null> {
  return await feedThread(build, (link) =>
    readOnly(store, async (trx) => {
      if (!(await isWanted(trx))) {
        await link.hear();
        return false;
      }
      await answerAll(link, lists, (list) => rows(trx, list));
      return true;
    }),
  );
}

/** A transaction per batch, each checking the version: publications do not wait for long builds. */
export async function buildInBatches<List extends string>(
  store: Pick<Store, 'db'>,
  { lists, isWanted, rows }: RowFeed<List, ReadBatch>,
  build: Build,
): Promise<SharedArrayBuffer | null> {
  const read: ReadBatch = (work) =>
    readOnly(store, async (trx) => {
      if (!(await isWanted(trx))) throw new MovedOn();
      return await work(trx);
    });
  return await feedThread(build, async (link) => {
    try {
      await answerAll(link, lists, (list) => rows(read, list));
      return true;
    } catch (error) {
      if (error instanceof MovedOn) return false;
      throw error;
    }
  });
}

class MovedOn extends Error {}

interface Link {
  readonly source: RowSource;
  readonly hear: () => Promise<unknown>;
}

/** `send` answers the thread until it has enough; false: there is nothing to build. */
async function feedThread(
  build: Build,
  send: (link: Link) => Promise<boolean>,
): Promise<SharedArrayBuffer | null> {
  const { port1, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const built = build({ port: port2, answered });
  // A task that never started holds the other port: closing ours ends the sending.
  built.catch(() => port1.close());
  const [whole, result] = await Promise.allSettled([
    sendRows({ port: port1, answered }, send),
    built,
  ]);
  port1.close();
  if (whole.status === 'fulfilled' && !whole.value) return null;
  // When one side fails so does the other; the thread knows the reason.
  if (result.status === 'rejected' && whole.status === 'rejected') {
    throw new Error(`${String(result.reason)} (${String(whole.reason)})`);
  }
  if (result.status === 'rejected') throw result.reason;
  if (whole.status === 'rejected') throw whole.reason;
  return result.value.buffer;
}

async function sendRows(
  source: RowSource,
  send: (link: Link) => Promise<boolean>,
): Promise<boolean> {
  const hear = listenTo(source.port);
  // A thread may start late: no transaction is open meanwhile.
  if ((await hear()) === CLOSED) return true;
  try {
    const isSent = await send({ source, hear });
    if (!isSent) answer(source, { kind: 'abort' });
    return isSent;
  } catch (error) {
    answer(source, { kind: 'abort' });
    throw error;
  }
}

const CLOSED = 'closed';

function listenTo(port: MessagePort): () => Promise<unknown> {
  const heard: unknown[] = [];
  let wake = Promise.withResolvers<undefined>();
  const push = (message: unknown): void => {
    heard.push(message);
    wake.resolve(undefined);
  };
  port.on('message', push);
  port.once('close', () => push(CLOSED));
  return async () => {
    while (heard.length === 0) {
      wake = Promise.withResolvers();
      await wake.promise;
    }
    return heard.shift();
  };
}

async function answerAll<List extends string>(
  { source, hear }: Link,
  lists: readonly List[],
  rows: (list: List) => AsyncGenerator,
): Promise<void> {
  let batches: AsyncGenerator | null = null;
  let ahead: Promise<IteratorResult<unknown>> | null = null;
  for (;;) {
    const asked = await hear();
    if (asked === CLOSED) break;
    const { list, first } = asked as AskRows & { readonly list: List };
    if (first || batches === null) {
      batches = rows(list);
      ahead = null;
    }
    const next = await (ahead ?? batches.next());
    answer(source, { kind: 'rows', rows: next.done === true ? null : next.value });
    // The thread's remaining work must hold no transaction open.
    if (next.done === true && list === lists.at(-1)) return;
    // Reads the next batch while the thread works; a failure is reported when it is requested.
    ahead = batches.next();
    ahead.catch(() => undefined);
  }
  await ahead?.catch(() => undefined);
}

function answer({ port, answered }: RowSource, rows: Rows): void {
  port.postMessage(rows);
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
}
