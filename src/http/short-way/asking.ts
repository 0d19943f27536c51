/** One request on the short way: what was taken for it is given back once, whatever becomes of it. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Principal } from '../../account/principal.ts';
import type { PointWgs84 } from '../../geo/point.ts';
import { bodies } from '../../kernel/lent-buffers.ts';
import { giveBack } from '../plugins/metering.ts';
import type { PlainLookup, ShortWayParts } from './terms.ts';

export interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly longWay: RequestListener;
  readonly lookup: PlainLookup;
  readonly degrees: PointWgs84;
  /** null: nobody is asked for a key. */
  readonly principal: Principal | null;
}

const ONE_UNIT = 1;
const OK = 200;

export class Asking {
  readonly asked: Asked;
  readonly requestId: string;
  readonly #parts: ShortWayParts;
  readonly #startMs = performance.now();
  /** Counted among those in flight. */
  #isIn = false;
  /** Units set aside for it. */
  #reserved = 0;
  #body: Buffer | null = null;
  #isSent = false;

  constructor(parts: ShortWayParts, asked: Asked) {
    this.#parts = parts;
    this.asked = asked;
    this.requestId = parts.requestIdOf(asked.request);
  }

  /** Of a client that hung up before its answer. */
  get isGone(): boolean {
    return this.asked.response.destroyed;
  }

  get reserved(): number {
    return this.#reserved;
  }

  /**
   * Whether it may go on at once. False: it waits for units, and `resume` or the long way follows.
   * Throws what the long way will say to it.
   */
  admit(resume: () => void): boolean {
    const { principal, response } = this.asked;
    const { gates } = this.#parts;
    if (this.#isIn) return true;
    if (gates !== null && principal !== null) gates.inFlight.enter(principal.accountId);
    this.#isIn = true;
    // Sent or broken off, a response closes once.
    response.on('close', this.#close);
    if (gates === null || principal === null) return true;
    gates.access.meter.admit(principal, '');
    const waiting = gates.access.meter.reserve(principal, ONE_UNIT);
    this.#reserved = waiting === undefined ? ONE_UNIT : 0;
    waiting?.then(
      () => {
        this.#reserved = ONE_UNIT;
        if (this.#isIn) resume();
        else this.undo();
      },
      () => this.goLongWay(),
    );
    return waiting === undefined;
  }

  /** Its reservation was ended: billed, or given back. */
  settled(): void {
    this.#reserved = 0;
  }

  /** Gives back what was taken for it. */
  undo(): void {
    const { principal } = this.asked;
    const { gates } = this.#parts;
    if (gates === null || principal === null) return;
    if (this.#isIn) gates.inFlight.leave(principal.accountId);
    this.#isIn = false;
    const reserved = this.#reserved;
    this.#reserved = 0;
    if (reserved > 0) giveBack(gates.access.meter, principal, reserved);
  }

  /** As if it had never been here. */
  goLongWay(): void {
    this.undo();
    const { request, response, longWay } = this.asked;
    if (!response.destroyed) longWay(request, response);
  }

  /** Sends the answer, on record by now. */
  send(headers: string[], body: Buffer): void {
    const { response } = this.asked;
    this.#body = body;
    this.#isSent = true;
    response.writeHead(OK, headers);
    response.end(body);
    // The system has it all: its memory is free again, and still at hand.
    if (response.writableLength === 0) this.#giveBody();
  }

  #giveBody(): void {
    if (this.#body !== null) bodies.giveBack(this.#body);
    this.#body = null;
  }

  readonly #close = (): void => {
    this.undo();
    this.#giveBody();
    if (!this.#isSent) return;
    const { request, lookup } = this.asked;
    const { count, log } = this.#parts;
    const method = request.method ?? '';
    const ms = performance.now() - this.#startMs;
    count({ method, route: lookup.path, status: OK, seconds: ms / 1000 });
    log?.({ requestId: this.requestId, method, url: request.url ?? '', status: OK, ms });
  };
}
