/** Several answers at a time: each mostly waits for the store or its reader. */
import type { MessagePort } from 'node:worker_threads';
import { openStore } from '../../db/connect.ts';
import type { Store } from '../../db/connect.ts';
import { GzipWriter } from '../../kernel/gzip.ts';
import { takePulse } from '../../kernel/pulse.ts';
import type { Pulse } from '../../kernel/pulse.ts';
import { lowerThreadPriority } from './lower-priority.ts';
import { STREAM_LIMITS } from './stream-task.ts';
import type { MakeAnswer, StoreAddress, StreamMessage, StreamTask } from './stream-task.ts';

lowerThreadPriority();

interface Module {
  readonly default: MakeAnswer<unknown, unknown>;
}

let opened: Promise<Store> | null = null;

/** Resolves also where the stream failed or its reader has gone: the port says so. */
export default async function run({
  task: { store, href, given, isPacked, ahead, port },
  pulse,
}: {
  readonly task: StreamTask;
  readonly pulse: Pulse;
}): Promise<void> {
  takePulse(pulse);
  const alive = setInterval(() => Atomics.add(pulse, 0, 1), STREAM_LIMITS.beatMs);
  const credits = new Credits(port, ahead);
  try {
    const { default: make } = (await import(href)) as Module;
    const { head, text } = await make(await storeAt(store), given);
    say(port, { head });
    for await (const piece of isPacked ? packed(text) : plain(text)) {
      if (!(await credits.take())) return;
      port.postMessage(piece, [piece]);
    }
    say(port, null);
  } catch (error) {
    say(port, String(error));
  } finally {
    clearInterval(alive);
    port.close();
  }
}

function say(port: MessagePort, message: StreamMessage): void {
  port.postMessage(message);
}

async function storeAt(address: StoreAddress): Promise<Store> {
  const { connections: maxConnections } = STREAM_LIMITS;
  // The watchers of the store log outages.
  const log = { error: () => undefined };
  opened ??= openStore({ ...address, maxConnections, log });
  try {
    return await opened;
  } catch (error) {
    opened = null;
    throw error;
  }
}

class Credits {
  #left: number;
  #isClosed = false;
  #wake = (): void => undefined;

  constructor(port: MessagePort, ahead: number) {
    this.#left = ahead;
    port.on('message', () => {
      this.#left += 1;
      this.#wake();
    });
    port.once('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  /** Waits for one; false: the reader has gone. */
  async take(): Promise<boolean> {
    while (this.#left === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#left -= 1;
    return !this.#isClosed;
  }
}

async function* plain(text: AsyncIterable<string>): AsyncGenerator<ArrayBuffer> {
  for await (const some of text) {
    for (const part of partsOf(some, STREAM_LIMITS.pieceBytes)) yield bufferOf(part);
  }
}

async function* packed(text: AsyncIterable<string>): AsyncGenerator<ArrayBuffer> {
  const zip = new GzipWriter();
  for await (const some of text) {
    for (const part of partsOf(some, STREAM_LIMITS.packedBytes)) yield bufferOf(zip.add(part));
  }
  yield bufferOf(zip.end());
}

function* partsOf(text: string, size: number): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A copy: it goes to another thread. */
const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
