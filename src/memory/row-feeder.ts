/** The store's end of src/snapshot/row-feed.ts: one version, read in one transaction, and no other. */
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { Kysely } from 'kysely';
import type { Store } from '../db/connect.ts';
import type { Database } from '../db/tables.generated.ts';
import type { BuiltSnapshot } from '../snapshot/build-task.ts';
import type { AskRows, RowSource, Rows } from '../snapshot/row-feed.ts';

type Db = Kysely<Database>;

/** What a thread is fed from. */
export interface RowFeed<List extends string> {
  /** In the order they are asked for: behind the last one the transaction ends. */
  readonly lists: readonly List[];
  /** First in the transaction: whether what it sees is the version wanted. */
  readonly isWanted: (trx: Db) => Promise<boolean>;
  /** Batches of a list, each as one message. */
  readonly rows: (trx: Db, list: List) => AsyncGenerator;
}

/** What the thread made of the rows; null: the store holds another version by now. */
export async function buildFromStore<List extends string>(
  store: Pick<Store, 'db'>,
  feed: RowFeed<List>,
  build: (source: RowSource) => Promise<BuiltSnapshot>,
): Promise<SharedArrayBuffer | null> {
  const { port1, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const built = build({ port: port2, answered });
  // A task that never began holds the other end: closing ours ends the sending.
  built.catch(() => port1.close());
  const [whole, result] = await Promise.allSettled([
    sendRows(store, feed, { port: port1, answered }),
    built,
  ]);
  port1.close();
  if (whole.status === 'fulfilled' && !whole.value) return null;
  // Either end failing fails the other: the thread knows why it could not go on.
  if (result.status === 'rejected' && whole.status === 'rejected') {
    throw new Error(`${String(result.reason)} (${String(whole.reason)})`);
  }
  if (result.status === 'rejected') throw result.reason;
  if (whole.status === 'rejected') throw whole.reason;
  return result.value.buffer;
}

/** Answers the thread until it has enough; false when the store holds another version. */
async function sendRows<List extends string>(
  store: Pick<Store, 'db'>,
  feed: RowFeed<List>,
  source: RowSource,
): Promise<boolean> {
  const hear = listenTo(source.port);
  // A thread may be long in coming, and a transaction must not stand open for it.
  if ((await hear()) === CLOSED) return true;
  try {
    return await store.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const isWanted = await feed.isWanted(trx);
        if (isWanted) await answerAll(trx, feed, { source, hear });
        else await hear().then(() => answer(source, { kind: 'abort' }));
        return isWanted;
      });
  } catch (error) {
    answer(source, { kind: 'abort' });
    throw error;
  }
}

const CLOSED = 'closed';

/** Everything said at the other end, in order, whether or not anybody waits for it at the moment. */
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
  trx: Db,
  { lists, rows }: RowFeed<List>,
  { source, hear }: { readonly source: RowSource; readonly hear: () => Promise<unknown> },
): Promise<void> {
  let batches: AsyncGenerator | null = null;
  for (;;) {
    const asked = await hear();
    if (asked === CLOSED) return;
    const { list, first } = asked as AskRows & { readonly list: List };
    if (first || batches === null) batches = rows(trx, list);
    const next = await batches.next();
    answer(source, { kind: 'rows', rows: next.done === true ? null : next.value });
    // The last there is to ask for: what the thread still does must hold no transaction open.
    if (next.done === true && list === lists.at(-1)) return;
  }
}

function answer({ port, answered }: RowSource, rows: Rows): void {
  port.postMessage(rows);
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
}
