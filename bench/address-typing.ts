/**
 * People who type addresses into a field that asks with every letter: so many requests a second come
 * by chance, whether or not the last was answered. What counts is the time from when a request came.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './national/land.ts';

export interface TypedAddress {
  readonly roadName: string;
  readonly houseNumber: string;
  readonly postcode: string;
  readonly postcodeName: string;
}

/** What the field holds, letter by letter, of one address after the other; every fifth is misspelt. */
export function typedTexts(addresses: readonly TypedAddress[], random: Random): string[] {
  return addresses.flatMap(({ roadName, houseNumber, postcode, postcodeName }) => {
    const whole = `${roadName} ${houseNumber}, ${postcode} ${postcodeName}`;
    const typed = random() < 0.2 ? whole.toLowerCase().replace(/[aeiou]/, '') : whole;
    const last = Math.min(typed.length, roadName.length + 4 + Math.floor(20 * random()));
    return Array.from({ length: last }, (_, n) => typed.slice(0, n + 1));
  });
}

export interface Arrivals {
  readonly port: number;
  /** Whole requests, sent in turn. */
  readonly requests: readonly Buffer[];
  readonly perSecond: number;
  readonly durationMs: number;
  readonly random: Random;
}

export interface ArrivalTimes {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
}

/** Connections kept open; a request that finds all of them taken waits, and its wait counts. */
const CONNECTIONS = 64;

/** Throws on an answer other than 200. */
export async function arrive(arrivals: Arrivals): Promise<ArrivalTimes> {
  const { port, requests, perSecond, durationMs, random } = arrivals;
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => opened(port)));
  const field = new Field(sockets);
  const started = performance.now();
  let due = started;
  for (let n = 0; due < started + durationMs; n += 1) {
    due += (-Math.log(1 - random()) * 1000) / perSecond;
    const wait = due - performance.now();
    // A timer is a millisecond late at most: that counts as waiting too, on the safe side.
    if (wait > 0) await sleep(wait);
    // A timer may fire a moment early: then it counts from when it was asked.
    field.ask(requests[n % requests.length]!, Math.min(due, performance.now()));
  }
  await field.idle();
  const seconds = (performance.now() - started) / 1000;
  for (const socket of sockets) socket.destroy();
  const times = Float64Array.from(field.times).sort();
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? NaN;
  return {
    answers: times.length,
    perSecond: times.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    slowestMs: at(1),
  };
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

interface Waiting {
  readonly request: Buffer;
  readonly dueMs: number;
}

class Field {
  readonly times: number[] = [];
  readonly #free: Socket[];
  readonly #queue: Waiting[] = [];
  #underWay = 0;
  #failure: Error | null = null;

  constructor(sockets: readonly Socket[]) {
    this.#free = [...sockets];
  }

  ask(request: Buffer, dueMs: number): void {
    if (this.#failure !== null) throw this.#failure;
    const socket = this.#free.pop();
    if (socket === undefined) this.#queue.push({ request, dueMs });
    else this.#send(socket, { request, dueMs });
  }

  async idle(): Promise<void> {
    while (this.#underWay > 0 && this.#failure === null) await sleep(1);
    if (this.#failure !== null) throw this.#failure;
  }

  #send(socket: Socket, { request, dueMs }: Waiting): void {
    this.#underWay += 1;
    let held: Buffer = Buffer.alloc(0);
    const take = (chunk: Buffer): void => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const size = sizeOf(held);
      if (size === null || held.length < size) return;
      socket.off('data', take);
      this.#underWay -= 1;
      this.times.push(performance.now() - dueMs);
      if (!held.subarray(0, 12).equals(GOOD)) this.#failure ??= new Error(held.toString('latin1'));
      const next = this.#queue.shift();
      if (next === undefined) this.#free.push(socket);
      else this.#send(socket, next);
    };
    socket.on('data', take);
    socket.write(request);
  }
}

const GOOD = Buffer.from('HTTP/1.1 200');
const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Bytes of the whole answer; null while its head is not whole. */
function sizeOf(answer: Buffer): number | null {
  const end = answer.indexOf(END_OF_HEAD);
  if (end < 0) return null;
  const head = answer.toString('latin1', 0, end).toLowerCase();
  const length = /content-length: (\d+)/.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer without a length: ${head}`);
  return end + END_OF_HEAD.length + Number(length);
}
