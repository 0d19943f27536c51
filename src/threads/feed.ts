/**
 * What the first thread announces, in all threads at one instant: a thread that reads after the announcement
 * has it, however busy it was. A counter in shared memory says that there is news; the news wait in the
 * thread's port.
 */
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';

/** The last state of a name replaces the ones before it. */
interface News {
  readonly name: string;
  readonly state: unknown;
}

/** What a new thread is given: the port is transferred. */
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
  readonly #latest = new Map<string, unknown>();
  readonly #ports = new Set<MessagePort>();

  /** `state` is cloned; shared buffers in it are shared. */
  announce(name: string, state: unknown): void {
    this.#latest.set(name, state);
    for (const port of this.#ports) port.postMessage({ name, state } satisfies News);
    // After the news: who sees the count finds them.
    Atomics.add(this.#count, 0, 1);
  }

  /** Begins with the last state of every name. */
  join(): FeedEnd {
    const { port1, port2 } = new MessageChannel();
    for (const [name, state] of this.#latest) port1.postMessage({ name, state } satisfies News);
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
  #seen = -1;

  constructor({ port, count }: FeedEnd) {
    this.#port = port;
    this.#count = new Int32Array(count);
    port.on('message', (news: News) => this.#read(news));
    port.unref();
  }

  /** Calls `reader` with the state at once if there is one, and with each later one. */
  follow(name: string, reader: (state: never) => void): void {
    this.#readers.set(name, reader);
    const early = this.#early.get(name);
    this.#early.delete(name);
    if (early !== undefined) reader(early as never);
    this.look();
  }

  /** Call before each use of what is followed. */
  look(): void {
    if (Atomics.load(this.#count, 0) !== this.#seen) this.#read();
  }

  /** All that waits; of each name only the last is applied. */
  #read(first?: News): void {
    this.#seen = Atomics.load(this.#count, 0);
    const latest = new Map<string, unknown>(first === undefined ? [] : [[first.name, first.state]]);
    for (;;) {
      const received = receiveMessageOnPort(this.#port);
      if (received === undefined) break;
      const { name, state } = received.message as News;
      latest.set(name, state);
    }
    for (const [name, state] of latest) {
      const reader = this.#readers.get(name);
      if (reader === undefined) this.#early.set(name, state);
      else reader(state as never);
    }
  }
}
