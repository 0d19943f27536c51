/**
 * One keyed request, on the fast path or in the full pipeline. It takes a token of the burst, a place among
 * the requests in flight, and units of the month, in this order. Whatever becomes of the request, it leaves its
 * place once, and its units are billed once or given back once. A token cannot be given back.
 */
import type { IncomingMessage } from 'node:http';
import { asVisitor } from '../account/principal.ts';
import type { Principal } from '../account/principal.ts';
import type { Answered, Meter, Settlement } from '../metering/meter-types.ts';
import type { InFlight } from './plugins/in-flight.ts';
import { limitHeaders, mapLimitHeaders } from './wire/limit-headers.ts';

export class Visit {
  readonly principal: Principal;
  readonly #clientAddress: string;
  readonly #meter: Meter;
  /** Where it is counted as in flight; null before and after. */
  #inFlight: InFlight | null = null;
  /** Units set aside for it. */
  #reserved = 0;
  /** What was answered, for the bill. */
  #units = 0;
  #generation: number | null = null;
  #isAdmitted = false;
  #isMap = false;
  /** Its reservation has ended: nothing more is billed. */
  #isOver = false;

  constructor(meter: Meter, principal: Principal, clientAddress: string) {
    this.#meter = meter;
    this.principal = asVisitor(principal, clientAddress);
    this.#clientAddress = clientAddress;
  }

  /** It has units set aside, or took a token of the limits of maps. The tarpit holds no such answer. */
  get isPaidFor(): boolean {
    return this.#reserved > 0 || this.#isMap;
  }

  get isInFlight(): boolean {
    return this.#inFlight !== null;
  }

  /** Takes a token of the burst. Throws rate_limited; then nothing is taken. */
  admit(): void {
    this.#meter.admit(this.principal, this.#clientAddress);
    this.#isAdmitted = true;
  }

  get isAdmitted(): boolean {
    return this.#isAdmitted;
  }

  /** Takes a token of the limits of maps instead. */
  admitMap(): void {
    this.#meter.admitMap(this.principal, this.#clientAddress);
    this.#isMap = true;
  }

  /** Takes a place among the requests in flight, until `leave`. Throws overloaded when there is none. */
  enter(inFlight: InFlight): void {
    inFlight.enter(this.principal, this.#clientAddress);
    this.#inFlight = inFlight;
  }

  /** Sets units aside, at once or after a question to the store. Throws or rejects where there are too few. */
  reserve(units: number): void | Promise<void> {
    const waiting = this.#meter.reserve(this.principal, units);
    if (waiting === undefined) this.#granted(units);
    return waiting?.then(() => this.#granted(units));
  }

  /** Call before `end`: how many lookups were answered, from which data generation. */
  answered(units: number, generation: number | null): void {
    this.#units = units;
    this.#generation = generation;
  }

  /** Ends the reservation. The meter must settle the result before the answer leaves; null: none is reserved. */
  end(operation: string, requestId: string): Settlement | null {
    if (this.#isOver) return null;
    this.#isOver = true;
    const reserved = this.#reserved;
    if (reserved === 0) return null;
    // Where it cannot be settled an error is sent instead, which is not paid for.
    this.#reserved = 0;
    const answered = {
      operation,
      requestId,
      generation: this.#generation,
      units: this.#units,
    };
    return { principal: this.principal, reserved, answered };
  }

  /** Leaves its place and gives back units that have not been settled. May be called more than once. */
  leave(): void {
    this.#inFlight?.leave(this.principal, this.#clientAddress);
    this.#inFlight = null;
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#reserved > 0) this.#giveBack(this.#reserved);
  }

  limitHeaders(): Record<string, string> {
    return limitHeaders(this.#meter.limits(this.principal, this.#clientAddress));
  }

  mapLimitHeaders(): Record<string, string> {
    return mapLimitHeaders(this.#meter.mapLimits(this.principal, this.#clientAddress));
  }

  #granted(units: number): void {
    // Its client may have hung up meanwhile.
    if (this.#isOver) this.#giveBack(units);
    else this.#reserved = units;
  }

  #giveBack(units: number): void {
    this.#meter.settle(this.principal, units, NOTHING);
  }
}

/** Requests that took a token of the burst on the fast path before it passed them on. */
export const admittedBefore = new WeakSet<IncomingMessage>();

/** A reservation that came to nothing. */
const NOTHING: Answered = { operation: '', requestId: '', generation: null, units: 0 };
