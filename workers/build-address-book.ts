/**
 * Worker task: the book of addresses from lines that are asked for one batch at a time. The builder
 * takes rows as they are read off, so this thread stands still until the next batch is there.
 */
import { receiveMessageOnPort } from 'node:worker_threads';
import { LIMITS } from '../src/kernel/limits.ts';
import { bookRowsOf } from '../src/layers/address-lines.ts';
import type { BookList } from '../src/layers/address-lines.ts';
import { buildAddressBook } from '../src/addresses/build-book.ts';
import { saveSnapshot } from '../src/snapshot/files.ts';
import type { AskBookLines, BookLines, BuildBookTask } from '../src/addresses/build-task.ts';
import type { BuiltSnapshot } from '../src/snapshot/build-task.ts';

export default async function run(task: BuildBookTask): Promise<BuiltSnapshot> {
  const { port, version, path } = task;
  port.postMessage('ready');
  let buffer: SharedArrayBuffer;
  try {
    buffer = buildAddressBook(
      version,
      bookRowsOf((list) => linesOf(task, list)),
    );
  } finally {
    port.close();
  }
  if (path !== null) await saveSnapshot(path, buffer);
  return { buffer };
}

function* linesOf(task: BuildBookTask, list: BookList): Generator<string, undefined> {
  for (let first = true; ; first = false) {
    const text = ask(task, { list, first });
    if (text === null) return;
    yield text;
  }
}

function ask({ port, answered }: BuildBookTask, question: AskBookLines): string | null {
  const before = Atomics.load(answered, 0);
  port.postMessage(question);
  if (Atomics.wait(answered, 0, before, LIMITS.bookLinesMs) === 'timed-out') {
    throw new Error('The rows of the addresses did not come.');
  }
  const received = receiveMessageOnPort(port) as { readonly message: BookLines } | undefined;
  if (received?.message.kind !== 'lines') throw new Error('The rows of the addresses ended early.');
  return received.message.text;
}
