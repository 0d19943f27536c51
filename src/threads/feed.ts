/**
 * The first thread's state, in force in all threads at one instant: it waits in their ports until a
 * shared counter reaches its number.
 */
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';

interface News {
  readonly name: string;
  /** In force from this count on. */
  readonly number: number;
  readonly state: unknown;
}

export interface FeedEnd {
  readonly port: MessagePort;
  readonly count: SharedArrayBuffer;
}

export interface Announcer {
  announce(name: string, state: unknown): void;
}

export class Leader implements Announcer {
  readonly #buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  readonly #count = new Int32Array(this.#buffer);
  readonly #latest = new Map<string, News>();
  readonly #ports = new Set<MessagePort>();

  /** `state` is cloned; its shared buffers are shared. */
  announce(name: string, state: unknown): void {
    const news: News = { name, state, number: Atomics.load(this.#count, 0) + 1 };
    this.#latest.set(name, news);
    for (const port of this.#ports) port.postMessage(news);
    // After the news: a thread that sees the count finds them.
    Atomics.add(this.#count, 0, 1);
  }

  /** Begins with the last state of every name. */
  join(): FeedEnd {
    const { port1, port2 } = new MessageChannel();
    for (const news of this.#latest.values()) port1.postMessage(news);
    this.#ports.add(port1);
    port1.once('close', () => this.#ports.delete(port1));
    port1.unref();
    return { port: port2, count: this.#buffer };
  }
}

export class Follower {
  readonly #port: MessagePort;
  readonly #count: Int32Array;
  readonly #readers = new Map<string, (state: never) => void>();
  readonly #early = new Map<string, unknown>();
  #waiting: News[] = [];
  #seen = -1;

  constructor({ port, count }: FeedEnd) {
    this.#port = port;
    this.#count = new Int32Array(count);
    port.on('message', (news: News) => {
      this.#waiting.push(news);
      this.#read();
    });
    port.unref();
  }

  /** At once if there is a state, and with each later one. */
  follow(name: string, reader: (state: never) => void): void {
    this.#readers.set(name, reader);
    const early = this.#early.get(name);
    this.#early.delete(name);
    if (early !== undefined) reader(early as never);
    this.look();
  }

  /** Call before each use of followed state. */
  look(): void {
    if (Atomics.load(this.#count, 0) !== this.#seen) this.#read();
  }

  /** Applies only the last state of each name. */
  #read(): void {
    const count = Atomics.load(this.#count, 0);
    this.#seen = count;
    this.#receive();
    const latest = new Map<string, unknown>();
    const isInForce = ({ number }: News): boolean => number <= count;
    for (const { name, state } of this.#waiting.filter(isInForce)) latest.set(name, state);
    this.#waiting = this.#waiting.filter((news) => !isInForce(news));
    for (const [name, state] of latest) this.#apply(name, state);
    // The first thread is between posting and counting.
    if (this.#waiting.length > 0) setImmediate(() => this.#read());
  }

  #receive(): void {
    for (;;) {
      const received = receiveMessageOnPort(this.#port);
      if (received === undefined) return;
      this.#waiting.push(received.message as News);
    }
  }

  #apply(name: string, state: unknown): void {
    const reader = this.#readers.get(name);
    if (reader === undefined) this.#early.set(name, state);
    else reader(state as never);
  }
}
