/** One request on the fast path: what was taken for it is given back once, whatever becomes of it. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { KeyMemo, Principal } from '../../account/principal.ts';
import type { PointWgs84 } from '../../geo/point.ts';
import { giveBack } from '../plugins/metering.ts';
import type { PlainLookup } from '../plain-lookup.ts';
import type { FastPathParts } from './fast-path-parts.ts';

/** A request that node's server has read, and the way back to who asked. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Of a connection that is likely to show the same key again. */
  readonly keyMemo: KeyMemo;
  /** As if it had never been on the fast path. */
  readonly fullPipeline: RequestListener;
}

/** What was asked, and by whom. */
export interface Lookup {
  readonly exchange: Exchange;
  readonly lookup: PlainLookup;
  readonly degrees: PointWgs84;
  /** null: nobody is asked for a key. */
  readonly principal: Principal | null;
}

const ONE_UNIT = 1;
const OK = 200;

export class FastPathRequest {
  readonly asked: Lookup;
  readonly requestId: string;
  readonly #parts: FastPathParts;
  readonly #startMs = performance.now();
  /** Counted among those in flight. */
  #isIn = false;
  /** Units set aside for it. */
  #reserved = 0;

  constructor(parts: FastPathParts, asked: Lookup) {
    this.#parts = parts;
    this.asked = asked;
    const own = asked.exchange.request.headers['x-request-id'];
    this.requestId = parts.requestIdFor(typeof own === 'string' ? own : undefined);
  }

  get reserved(): number {
    return this.#reserved;
  }

  /** Who asked has hung up. */
  get isGone(): boolean {
    return this.asked.exchange.response.destroyed;
  }

  get authorization(): string | undefined {
    return this.asked.exchange.request.headers.authorization;
  }

  /**
   * Whether it may go on at once. False: it waits for units, and `resume` or the full pipeline follows.
   * Throws what the full pipeline will say to it.
   */
  admit(resume: () => void): boolean {
    const { principal } = this.asked;
    const { gates } = this.#parts;
    if (gates === null || principal === null || this.#isIn) return true;
    gates.inFlight.enter(principal, '');
    this.#isIn = true;
    gates.access.meter.admit(principal, '');
    const waiting = gates.access.meter.reserve(principal, ONE_UNIT);
    if (waiting === undefined) {
      this.#reserved = ONE_UNIT;
      return true;
    }
    waiting.then(
      () => {
        this.#reserved = ONE_UNIT;
        if (this.#isLeaving) this.#hangUp();
        else resume();
      },
      () => this.useFullPipeline(),
    );
    return false;
  }

  /** Its reservation was ended: billed, or given back. */
  settled(): void {
    this.#reserved = 0;
  }

  /** Gives back what was taken for it. */
  undo(): void {
    const { principal } = this.asked;
    const { gates } = this.#parts;
    if (gates === null || principal === null || !this.#isIn) return;
    this.#isIn = false;
    gates.inFlight.leave(principal, '');
    const reserved = this.#reserved;
    this.#reserved = 0;
    if (reserved > 0) giveBack(gates.access.meter, principal, reserved);
  }

  /** As if it had never been here. */
  useFullPipeline(): void {
    this.undo();
    const { request, response, fullPipeline } = this.asked.exchange;
    if (!this.isGone) fullPipeline(request, response);
  }

  /** Sends the answer, on record by now. `headers`: names and values in turn; `body`: one character a byte. */
  send(headers: readonly string[], body: string): void {
    const { response } = this.asked.exchange;
    // Sent or broken off, a response closes once.
    response.on('close', this.#sent);
    const own = ['x-request-id', this.requestId, 'content-length', String(body.length)];
    response.writeHead(OK, own.concat(headers));
    response.end(body, 'latin1');
  }

  /** Who asked says no more. That may be hanging up: nothing is waited for on its behalf. */
  get #isLeaving(): boolean {
    return this.isGone || this.asked.exchange.request.socket.readableEnded;
  }

  #hangUp(): void {
    this.undo();
    this.asked.exchange.response.destroy();
  }

  readonly #sent = (): void => {
    this.undo();
    const { count, log } = this.#parts;
    const { exchange, lookup } = this.asked;
    const ms = performance.now() - this.#startMs;
    count({ method: 'GET', route: lookup.path, status: OK, seconds: ms / 1000 });
    const url = exchange.request.url ?? '';
    log?.({ requestId: this.requestId, method: 'GET', url, status: OK, ms });
  };
}
