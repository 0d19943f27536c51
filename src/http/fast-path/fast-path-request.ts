/** One request on the fast path: what was taken for it is given back once, whatever becomes of it. */
import type { Principal } from '../../account/principal.ts';
import type { PointWgs84 } from '../../geo/point.ts';
import { bodies } from '../../kernel/lent-buffers.ts';
import { giveBack } from '../plugins/metering.ts';
import type { AnswerHeaders, Exchange } from './exchange.ts';
import type { PlainLookup, FastPathParts } from './plain-lookup.ts';

export interface Asked {
  readonly exchange: Exchange;
  readonly lookup: PlainLookup;
  readonly degrees: PointWgs84;
  /** null: nobody is asked for a key. */
  readonly principal: Principal | null;
}

const ONE_UNIT = 1;
const OK = 200;

export class FastPathRequest {
  readonly asked: Asked;
  readonly requestId: string;
  readonly #parts: FastPathParts;
  readonly #startMs = performance.now();
  /** Counted among those in flight. */
  #isIn = false;
  /** Units set aside for it. */
  #reserved = 0;
  #room: Buffer | null = null;

  constructor(parts: FastPathParts, asked: Asked) {
    this.#parts = parts;
    this.asked = asked;
    this.requestId = parts.requestIdFor(asked.exchange.head.requestId);
  }

  get reserved(): number {
    return this.#reserved;
  }

  /**
   * Whether it may go on at once. False: it waits for units, and `resume` or the full pipeline follows.
   * Throws what the full pipeline will say to it.
   */
  admit(resume: () => void): boolean {
    const { principal } = this.asked;
    const { gates } = this.#parts;
    if (gates === null || principal === null || this.#isIn) return true;
    gates.inFlight.enter(principal.accountId);
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
        if (this.asked.exchange.isLeaving) this.#hangUp();
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
    gates.inFlight.leave(principal.accountId);
    const reserved = this.#reserved;
    this.#reserved = 0;
    if (reserved > 0) giveBack(gates.access.meter, principal, reserved);
  }

  #hangUp(): void {
    this.undo();
    this.asked.exchange.hangUp();
  }

  /** As if it had never been here. */
  useFullPipeline(): void {
    this.undo();
    this.asked.exchange.useFullPipeline();
  }

  /** Sends the answer, on record by now. */
  send(headers: AnswerHeaders, room: Buffer): void {
    this.#room = room;
    this.asked.exchange.send(headers, room, this.#sent);
  }

  readonly #sent = (): void => {
    this.undo();
    if (this.#room !== null) bodies.giveBack(this.#room);
    this.#room = null;
    const { count, log } = this.#parts;
    const { exchange, lookup } = this.asked;
    const ms = performance.now() - this.#startMs;
    count({ method: 'GET', route: lookup.path, status: OK, seconds: ms / 1000 });
    log?.({ requestId: this.requestId, method: 'GET', url: exchange.head.target, status: OK, ms });
  };
}
