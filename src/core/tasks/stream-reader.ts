import { Readable } from 'node:stream';
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { STREAM_LIMITS } from './stream-task.ts';
import type { StoreAddress, StreamAsked, StreamMessage } from './stream-task.ts';
import type { Workers } from './workers.ts';

export interface LongAnswers {
  /** Resolves with its first piece, or rejects. A failure after that destroys the stream. */
  open<T, H>(asked: StreamAsked<T, H>): Promise<OpenedAnswer<H>>;
}

export interface OpenedAnswer<H> {
  readonly head: H;
  readonly pieces: Readable;
}

export function longAnswersOf(
  workers: Pick<Workers, 'stream'>,
  { databaseUrl, dataDir }: StoreAddress,
): LongAnswers {
  const store = { databaseUrl, dataDir };
  return {
    open: async <T, H>({
      maker,
      given,
      isPacked,
      ahead = STREAM_LIMITS.ahead,
    }: StreamAsked<T, H>) => {
      const { href } = maker.file;
      const { port1, port2: port } = new MessageChannel();
      const pieces = new Pieces(port1);
      workers
        .stream({ store, href, given, isPacked, ahead, port })
        .catch((cause: unknown) => pieces.fail(cause as Error));
      await pieces.begun;
      return { head: pieces.head as H, pieces };
    },
  };
}

class Pieces extends Readable {
  readonly #port: MessagePort;
  readonly #begun = Promise.withResolvers<undefined>();
  readonly #waiting: ArrayBuffer[] = [];
  #hasEnded = false;
  head: unknown = null;
  #isWanted = false;

  constructor(port: MessagePort) {
    super({ highWaterMark: STREAM_LIMITS.pieceBytes });
    this.#port = port;
    port.on('message', (message: StreamMessage) => this.#take(message));
    port.once('close', () => this.fail(new Error('The thread of a long answer has ended.')));
    this.on('error', () => undefined);
    this.#begun.promise.catch(() => undefined);
  }

  get begun(): Promise<undefined> {
    return this.#begun.promise;
  }

  fail(cause: Error): void {
    if (this.#hasEnded) return;
    this.#begun.reject(cause);
    this.destroy(cause);
  }

  override _read(): void {
    this.#isWanted = true;
    this.#pass();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port.close();
    done(error);
  }

  #take(message: StreamMessage): void {
    if (typeof message === 'string') {
      this.fail(new Error(message));
      return;
    }
    if (message !== null && 'head' in message) {
      this.head = message.head;
      return;
    }
    if (message === null) this.#hasEnded = true;
    else this.#waiting.push(message);
    this.#begun.resolve(undefined);
    this.#pass();
  }

  #pass(): void {
    while (this.#isWanted) {
      const piece = this.#waiting.shift();
      if (piece === undefined) break;
      this.#port.postMessage(null);
      this.#isWanted = this.push(new Uint8Array(piece));
    }
    if (this.#hasEnded && this.#waiting.length === 0) this.push(null);
  }
}
