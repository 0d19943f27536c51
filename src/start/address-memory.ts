/** Puts the addresses' memory together: what is published, book files, and a thread that builds. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { Kysely } from 'kysely';
import type { Store } from '../db/connect.ts';
import type { Database } from '../db/tables.generated.ts';
import { BOOK_LISTS } from '../layers/address-lines.ts';
import type { AddressFinder } from '../layers/addresses.ts';
import { AddressKeeper } from '../memory/address-keeper.ts';
import type { PublishedAddresses } from '../memory/address-keeper.ts';
import { readAddressManifest, saveAddressManifest } from '../memory/address-manifest.ts';
import { readPublishedAddresses } from '../ops/published.ts';
import { exportLines, holdAddressTables } from '../registers/addresses/export.ts';
import { loadSnapshot } from '../snapshot/files.ts';
import type { AskBookLines, BookLines } from '../addresses/build-task.ts';
import type { Workers } from '../../workers/pool.ts';

export interface AddressMemoryOptions {
  readonly store: Pick<Store, 'db'>;
  readonly workers: Pick<Workers, 'buildAddressBook'>;
  /** Where book files live. */
  readonly directory: string;
  /** Which store this is, to tell its files from another's. Not secret. */
  readonly storeName: string;
  /** Indexes the texts of a book. Throws when the buffer is no sound book. */
  readonly open: (
    buffer: SharedArrayBuffer,
    options: { readonly verified: boolean },
  ) => AddressFinder;
  readonly log: (message: string) => void;
}

/** The keeper, not yet started. */
export function composeAddressMemory(options: AddressMemoryOptions): AddressKeeper {
  const { store, workers, directory, storeName, open, log } = options;
  const manifest = { path: join(directory, 'addresses.json'), store: storeName };
  const pathOf = (wanted: PublishedAddresses): string => join(directory, `${stem(wanted)}.book`);
  return new AddressKeeper({
    readPublished: () => readPublishedAddresses(store),
    load: async (wanted) => {
      try {
        return await loadSnapshot(pathOf(wanted));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log(`addresses: ${String(error)}`);
        return null;
      }
    },
    build: async (wanted, signal) => {
      await mkdir(directory, { recursive: true });
      const { port1, port2 } = new MessageChannel();
      const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const built = workers.buildAddressBook(
        { port: port2, answered, version: wanted.version, path: pathOf(wanted) },
        signal,
      );
      // A task that never began holds the other end: closing ours ends the sending.
      built.catch(() => port1.close());
      const sent = sendLines(store, wanted, { port: port1, answered });
      const [whole, result] = await Promise.allSettled([sent, built]);
      port1.close();
      if (whole.status === 'fulfilled' && !whole.value) return null;
      if (whole.status === 'rejected' && result.status === 'rejected') {
        throw new Error(`${String(result.reason)} (${String(whole.reason)})`);
      }
      if (result.status === 'rejected') throw result.reason;
      return result.value.buffer;
    },
    open,
    recall: () =>
      readAddressManifest(manifest, (why) => log(`${manifest.path} is not used: ${why}.`)),
    remember: async (published) => {
      await mkdir(directory, { recursive: true });
      await saveAddressManifest(manifest, published);
    },
    tidy: async (kept) => {
      for (const name of await readdir(directory)) {
        const [, of] = BOOK_NAME.exec(name) ?? [];
        if (of !== undefined && of !== stem(kept)) await rm(join(directory, name), { force: true });
      }
    },
    log,
  });
}

/** Books of a version, unfinished ones included. */
const BOOK_NAME = /^(addresses-v\d+-\d+)\.book(?:\.\w+\.part)?$/;

function stem({ version, publishedAtMs }: PublishedAddresses): string {
  return `addresses-v${version}-${publishedAtMs}`;
}

interface Line {
  readonly port: MessagePort;
  readonly answered: Int32Array;
}

/** Answers the thread until it has enough; false when the store holds another version. */
async function sendLines(
  store: Pick<Store, 'db'>,
  wanted: PublishedAddresses,
  line: Line,
): Promise<boolean> {
  const hear = listenTo(line.port);
  // A thread may be long in coming, and a transaction must not stand open for it.
  if ((await hear()) === 'closed') return true;
  try {
    return await store.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        await holdAddressTables(trx);
        const now = await readPublishedAddresses({ db: trx });
        const isSame =
          now?.version === wanted.version && now.publishedAtMs === wanted.publishedAtMs;
        if (isSame) await answerAll(trx, line, hear);
        else {
          await hear();
          answer(line, { kind: 'abort' });
        }
        return isSame;
      });
  } catch (error) {
    answer(line, { kind: 'abort' });
    throw error;
  }
}

/** Everything said at the other end, in order, whether or not anybody waits for it at the moment. */
function listenTo(port: MessagePort): () => Promise<unknown> {
  const heard: unknown[] = [];
  let wake = Promise.withResolvers<undefined>();
  const push = (message: unknown): void => {
    heard.push(message);
    wake.resolve(undefined);
  };
  port.on('message', push);
  port.once('close', () => push('closed'));
  return async () => {
    while (heard.length === 0) {
      wake = Promise.withResolvers();
      await wake.promise;
    }
    return heard.shift();
  };
}

async function answerAll(
  trx: Kysely<Database>,
  line: Line,
  hear: () => Promise<unknown>,
): Promise<void> {
  let lines: AsyncGenerator<string, void, void> | null = null;
  for (;;) {
    const asked = await hear();
    if (asked === 'closed') return;
    const { list, first } = asked as AskBookLines;
    if (first || lines === null) lines = exportLines(trx, list);
    const next = await lines.next();
    answer(line, { kind: 'lines', text: next.done === true ? null : next.value });
    // The last there is to ask for: what the thread still does must hold no transaction open.
    if (next.done === true && list === BOOK_LISTS.at(-1)) return;
  }
}

function answer({ port, answered }: Line, lines: BookLines): void {
  port.postMessage(lines);
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
}
