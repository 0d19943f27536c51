/**
 * A load generator that costs little itself: raw sockets, requests laid out beforehand, one in flight
 * a connection, answers counted by their Content-Length and otherwise not read.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Load {
  readonly port: number;
  /** Whole requests, sent in turn. */
  readonly requests: readonly Buffer[];
  readonly connections: number;
  readonly durationMs: number;
  /** Between an answer and the next request; absent: none. */
  readonly pauseMs?: number;
}

export interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 200. */
  readonly refused: number;
  /** Status line of the first of them. */
  readonly firstRefusal: string | null;
  /** Bytes of the answers' bodies, on average. */
  readonly bodyBytes: number;
}

/** As the holder of a key; null: of none. */
export function get(path: string, key: string | null): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: bench\r\n${bearer(key)}\r\n`);
}

export function post(path: string, body: unknown, key: string | null): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: bench\r\n${bearer(key)}content-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

const bearer = (key: string | null): string =>
  key === null ? '' : `authorization: Bearer ${key}\r\n`;

/** Runs for the given time; answers still under way at the end are not counted. */
export async function drive(load: Load): Promise<LoadResult> {
  const tally: Tally = { times: [], refused: 0, firstRefusal: null, bytes: 0, next: 0 };
  const lines = Array.from({ length: load.connections }, () => new Line(load, tally));
  await Promise.all(lines.map((line) => line.opened));
  const start = performance.now();
  for (const line of lines) line.send();
  await new Promise((done) => setTimeout(done, load.durationMs));
  const seconds = (performance.now() - start) / 1000;
  for (const line of lines) line.end();
  const times = Float64Array.from(tally.times).sort();
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? NaN;
  return {
    answers: times.length,
    perSecond: times.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    refused: tally.refused,
    firstRefusal: tally.firstRefusal,
    bodyBytes: tally.bytes / times.length,
  };
}

interface Tally {
  readonly times: number[];
  refused: number;
  firstRefusal: string | null;
  bytes: number;
  next: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const READ_BYTES = 64 * 1024;
const LENGTH = 'content-length: ';

/** One connection: the next request as soon as the answer is whole. */
class Line {
  readonly #socket: Socket;
  readonly #load: Load;
  readonly #tally: Tally;
  readonly opened: Promise<unknown>;
  #missing = 0;
  #head: Buffer | null = null;
  #sentAt = 0;
  #pause: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(load: Load, tally: Tally) {
    this.#load = load;
    this.#tally = tally;
    // Read into the same memory each time: made anew, it would be garbage of megabytes a second.
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const callback = (bytes: number): boolean => {
      if (!this.#isEnded) this.#take(buffer.subarray(0, bytes));
      return true;
    };
    const onread = { buffer, callback };
    this.#socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true, onread });
    this.opened = once(this.#socket, 'connect');
  }

  end(): void {
    clearTimeout(this.#pause);
    this.#isEnded = true;
    this.#socket.destroy();
  }

  send(): void {
    const { requests } = this.#load;
    this.#sentAt = performance.now();
    this.#socket.write(requests[this.#tally.next++ % requests.length]!);
  }

  #take(chunk: Buffer): void {
    if (this.#missing > 0) {
      this.#missing -= chunk.length;
    } else {
      const bytes = this.#head === null ? chunk : Buffer.concat([this.#head, chunk]);
      const end = bytes.indexOf(END_OF_HEAD);
      this.#head = end < 0 ? Buffer.from(bytes) : null;
      if (end < 0) return;
      this.#missing = this.#bodyLength(bytes, end) - (bytes.length - end - END_OF_HEAD.length);
    }
    if (this.#missing > 0) return;
    this.#tally.times.push(performance.now() - this.#sentAt);
    const { pauseMs } = this.#load;
    if (pauseMs === undefined) this.send();
    else this.#pause = setTimeout(() => this.send(), pauseMs);
  }

  #bodyLength(bytes: Buffer, end: number): number {
    const head = bytes.toString('latin1', 0, end);
    if (!head.startsWith('HTTP/1.1 200')) {
      this.#tally.refused += 1;
      this.#tally.firstRefusal ??= head.slice(0, head.indexOf('\r\n'));
    }
    const at = head.indexOf(LENGTH);
    if (at < 0) throw new Error(`An answer without a length: ${head}`);
    const length = Number.parseInt(head.slice(at + LENGTH.length), 10);
    this.#tally.bytes += length;
    return length;
  }
}
