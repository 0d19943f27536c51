/**
 * A load generator that costs little itself: raw sockets, requests laid out beforehand, one in flight
 * a connection, answers counted by their Content-Length and otherwise not read.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../national/land.ts';
import { quantile } from './measure.ts';

export interface Load {
  readonly port: number;
  /** Whole requests, sent in turn. */
  readonly requests: readonly Buffer[];
  readonly connections: number;
  readonly durationMs: number;
  /** Between an answer and the next request; absent: none. */
  readonly pauseMs?: number;
}

export interface Times {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
}

export interface LoadResult extends Times {
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

/** A batch endpoint asked for all the points, so many a request. */
export function batchRequests(
  path: string,
  { points, size, key }: { points: readonly unknown[]; size: number; key: string | null },
  more: object = {},
): Buffer[] {
  return Array.from({ length: Math.floor(points.length / size) }, (_, i) =>
    post(path, { punkter: points.slice(i * size, (i + 1) * size), ...more }, key),
  );
}

/** Throws where an answer was not 200. */
export function expectNoRefusal<R extends LoadResult>(result: R): R {
  const { refused, firstRefusal } = result;
  if (refused > 0) throw new Error(`${refused} answers were not 200: ${firstRefusal}`);
  return result;
}

/** The next request as soon as the answer is whole; answers still under way at the end are not counted. */
export async function drive(load: Load): Promise<LoadResult> {
  const { requests, pauseMs } = load;
  const tally = new Tally();
  let next = 0;
  let isOver = false;
  const clients = Array.from({ length: load.connections }, () => {
    const connection = new Connection(load.port, tally);
    const send = (): void => {
      const sentAt = performance.now();
      connection.send(requests[next++ % requests.length]!, () => {
        tally.times.push(performance.now() - sentAt);
        if (pauseMs === undefined) send();
        else setTimeout(() => isOver || send(), pauseMs);
      });
    };
    return { connection, send };
  });
  await Promise.all(clients.map(({ connection }) => connection.opened));
  const start = performance.now();
  for (const { send } of clients) send();
  await sleep(load.durationMs);
  const elapsedMs = performance.now() - start;
  isOver = true;
  for (const { connection } of clients) connection.end();
  return tally.result(elapsedMs);
}

export interface Arrivals {
  readonly port: number;
  /** Whole requests, sent in turn. */
  readonly requests: readonly Buffer[];
  readonly perSecond: number;
  readonly durationMs: number;
  readonly random: Random;
}

/** Connections kept open; a request that finds all of them taken waits, and its wait counts. */
const ARRIVAL_CONNECTIONS = 64;

/**
 * So many requests a second that come by chance (exponential gaps), whether or not the last was
 * answered; what counts is the time from when a request came. Throws on an answer other than 200.
 */
export async function arrive(arrivals: Arrivals): Promise<Times> {
  const { port, requests, perSecond, durationMs, random } = arrivals;
  const tally = new Tally();
  const free = Array.from({ length: ARRIVAL_CONNECTIONS }, () => new Connection(port, tally));
  const all = [...free];
  await Promise.all(all.map(({ opened }) => opened));
  const waiting: { readonly request: Buffer; readonly dueMs: number }[] = [];
  const send = (connection: Connection): void => {
    const next = waiting.shift();
    if (next === undefined) {
      free.push(connection);
      return;
    }
    connection.send(next.request, () => {
      tally.times.push(performance.now() - next.dueMs);
      send(connection);
    });
  };
  const started = performance.now();
  let due = started;
  for (let n = 0; due < started + durationMs; n += 1) {
    due += (-Math.log(1 - random()) * 1000) / perSecond;
    const wait = due - performance.now();
    // A timer is a millisecond late at most: that counts as waiting too, on the safe side.
    if (wait > 0) await sleep(wait);
    // A timer may fire a moment early: then it counts from when it was asked.
    const dueMs = Math.min(due, performance.now());
    waiting.push({ request: requests[n % requests.length]!, dueMs });
    const connection = free.pop();
    if (connection !== undefined) send(connection);
  }
  while (free.length < all.length) await sleep(1);
  const result = tally.result(performance.now() - started);
  for (const connection of all) connection.end();
  return expectNoRefusal(result);
}

class Tally {
  /** Milliseconds. */
  readonly times: number[] = [];
  refused = 0;
  firstRefusal: string | null = null;
  bytes = 0;

  result(elapsedMs: number): LoadResult {
    const { times, refused, firstRefusal } = this;
    return {
      answers: times.length,
      perSecond: (1000 * times.length) / elapsedMs,
      p50Ms: quantile(times, 0.5),
      p99Ms: quantile(times, 0.99),
      slowestMs: quantile(times, 1),
      refused,
      firstRefusal,
      bodyBytes: this.bytes / times.length,
    };
  }
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const READ_BYTES = 64 * 1024;
const LENGTH = 'content-length: ';

/** One connection, one request in flight. */
class Connection {
  readonly #socket: Socket;
  readonly #tally: Tally;
  readonly opened: Promise<unknown>;
  #answered: () => void = () => undefined;
  #missing = 0;
  #head: Buffer | null = null;
  #isEnded = false;

  constructor(port: number, tally: Tally) {
    this.#tally = tally;
    // Read into the same memory each time: made anew, it would be garbage of megabytes a second.
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const callback = (bytes: number): boolean => {
      if (!this.#isEnded) this.#take(buffer.subarray(0, bytes));
      return true;
    };
    const onread = { buffer, callback };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.opened = once(this.#socket, 'connect');
  }

  end(): void {
    this.#isEnded = true;
    this.#socket.destroy();
  }

  /** `answered` is called when the answer is whole. */
  send(request: Buffer, answered: () => void): void {
    this.#answered = answered;
    this.#socket.write(request);
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
    if (this.#missing <= 0) this.#answered();
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
