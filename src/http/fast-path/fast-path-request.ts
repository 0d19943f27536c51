import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AnswerFacts } from '../../answers/provenance.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import type { Point, PointWgs84 } from '../../geo/point.ts';
import type { AccessRule } from '../access.ts';
import type { Gates } from '../plugins/access.ts';
import type { AnsweredLine } from '../plugins/logging.ts';
import type { RequestTally } from '../request-tally.ts';
import { admittedBefore } from '../visit.ts';
import type { Visit } from '../visit.ts';

export interface FastPathParts {
  readonly isOn: boolean;
  /** null: no key is needed. */
  readonly gates: Gates | null;
  readonly requests: Pick<RequestTally, 'count'>;
  /** null: the level is not logged. */
  readonly log: ((line: AnsweredLine) => void) | null;
  readonly requestIdFor: (own: string | undefined) => string;
}

export interface PlainLookup {
  readonly path: string;
  readonly operation: string;
  readonly rule: AccessRule;
  readonly isReady: () => boolean;
  /** Writes the body to `to`. null: it would have to wait. */
  readonly answer: (point: Point, to: JsonWriter) => RenderedAnswer | null;
}

export interface RenderedAnswer {
  readonly facts: AnswerFacts;
  readonly units: number;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly fullPipeline: RequestListener;
}

export interface Lookup {
  readonly exchange: Exchange;
  readonly lookup: PlainLookup;
  readonly degrees: PointWgs84;
  readonly visit: Visit | null;
}

const ONE_UNIT = 1;
const OK = 200;

export class FastPathRequest {
  readonly exchange: Exchange;
  readonly lookup: PlainLookup;
  readonly degrees: PointWgs84;
  readonly visit: Visit | null;
  readonly requestId: string;
  readonly #parts: FastPathParts;
  readonly #startMs = performance.now();

  constructor(parts: FastPathParts, { exchange, lookup, degrees, visit }: Lookup) {
    this.#parts = parts;
    this.exchange = exchange;
    this.lookup = lookup;
    this.degrees = degrees;
    this.visit = visit;
    const own = exchange.request.headers['x-request-id'];
    this.requestId = parts.requestIdFor(typeof own === 'string' ? own : undefined);
  }

  get isGone(): boolean {
    return this.exchange.response.destroyed;
  }

  get authorization(): string | undefined {
    return this.exchange.request.headers.authorization;
  }

  /**
   * False: waits for units, then `resume` or the full pipeline follows. Throws the failure that the
   * full pipeline will answer with.
   */
  admit(resume: () => void): boolean {
    const { visit } = this;
    const { gates } = this.#parts;
    if (gates === null || visit === null || visit.isInFlight) return true;
    visit.admit();
    visit.enter(gates.inFlight);
    const waiting = visit.reserve(ONE_UNIT);
    if (waiting === undefined) return true;
    waiting.then(
      () => {
        if (this.#isLeaving) this.#hangUp();
        else resume();
      },
      () => this.useFullPipeline(),
    );
    return false;
  }

  /** Releases all but the burst token, which is not taken again. */
  useFullPipeline(): void {
    this.visit?.leave();
    const { request, response, fullPipeline } = this.exchange;
    if (this.visit?.isAdmitted === true) admittedBefore.add(request);
    if (!this.isGone) fullPipeline(request, response);
  }

  /** `headers` alternates names and values; `body` has one character per byte. */
  send(headers: readonly string[], body: string): void {
    const { response } = this.exchange;
    // A response closes once, sent or aborted.
    response.on('close', this.#sent);
    const own = ['x-request-id', this.requestId, 'content-length', String(body.length)];
    response.writeHead(OK, own.concat(headers));
    response.end(body, 'latin1');
  }

  /** The client closed its side or hung up; after a wait for units both count as hung up. */
  get #isLeaving(): boolean {
    return this.isGone || this.exchange.request.socket.readableEnded;
  }

  #hangUp(): void {
    this.visit?.leave();
    this.exchange.response.destroy();
  }

  readonly #sent = (): void => {
    this.visit?.leave();
    const { requests, log } = this.#parts;
    const { exchange, lookup } = this;
    const ms = performance.now() - this.#startMs;
    requests.count({ method: 'GET', route: lookup.path, status: OK, seconds: ms / 1000 });
    const url = exchange.request.url ?? '';
    log?.({ requestId: this.requestId, method: 'GET', url, status: OK, ms });
  };
}
