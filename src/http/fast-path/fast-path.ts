/** Answers plain lookups without the framework. Requests of one turn share one journal write. */
import { isTrial } from '../../account/principal.ts';
import { isInDenmark } from '../../geo/point.ts';
import { pointFromWgs84 } from '../../geo/project.ts';
import { HTTP_LIMITS } from '../limits.ts';
import type { Settlement } from '../../metering/meter-types.ts';
import type { AccessRule } from '../access.ts';
import { standardHeaders, isOneHost } from '../plugins/every-request.ts';
import { Visit } from '../visit.ts';
import { JSON_TYPE, JsonWriter } from '../../answers/json-writer.ts';
import { bearerOf } from '../access.ts';
import { provenanceHeaders } from '../../answers/provenance.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';
import { FastPathRequest } from './fast-path-request.ts';
import type { Exchange, FastPathParts, PlainLookup, RenderedAnswer } from './fast-path-request.ts';
import type { IncomingMessage } from 'node:http';
import type { PointWgs84 } from '../../geo/point.ts';

interface Rendered {
  readonly request: FastPathRequest;
  readonly body: string;
  readonly answer: RenderedAnswer;
}

interface Shared {
  readonly authorization: string | undefined;
  readonly facts: AnswerFacts | null;
  readonly headers: readonly string[];
}

export class FastPath {
  readonly #parts: FastPathParts;
  readonly #lookups: PlainLookup[] = [];
  readonly #out = new JsonWriter();
  #ready: FastPathRequest[] = [];
  #isArmed = false;
  #isClosed = false;

  constructor(parts: FastPathParts) {
    this.#parts = parts;
    this.#isClosed = !parts.isOn;
  }

  add(lookup: PlainLookup): void {
    this.#lookups.push(lookup);
  }

  close(): void {
    this.#isClosed = true;
  }

  tryHandle(exchange: Exchange): boolean {
    const { url: target = '' } = exchange.request;
    const lookup = this.#lookupAt(target);
    if (lookup === null || this.#isClosed || !isPlainGet(exchange.request)) return false;
    const degrees = plainPoint(target.slice(lookup.path.length + 1));
    if (degrees === null || !isInDenmark(degrees) || !lookup.isReady()) return false;
    try {
      const visit = this.#visitOf(exchange, lookup.rule);
      if (visit === undefined) return false;
      this.#begin(new FastPathRequest(this.#parts, { exchange, lookup, degrees, visit }));
      return true;
    } catch {
      return false;
    }
  }

  #lookupAt(target: string): PlainLookup | null {
    for (const lookup of this.#lookups) {
      const { path } = lookup;
      if (target.startsWith(path) && target.charAt(path.length) === '?') return lookup;
    }
    return null;
  }

  /** null: no key is needed. undefined: no permitted key in memory. */
  #visitOf({ request }: Exchange, rule: AccessRule): Visit | null | undefined {
    const { gates } = this.#parts;
    if (gates === null) return null;
    const { authorization } = request.headers;
    const secret = authorization === undefined ? null : bearerOf(authorization);
    if (secret === null) return undefined;
    const found = gates.access.keys.find(secret, null);
    if (found instanceof Promise) {
      found.catch(() => undefined);
      return undefined;
    }
    if (found === null) return undefined;
    // The full pipeline checks origins and client addresses.
    if (found.kind === 'public' || isTrial(found)) return undefined;
    return found.areas.has(rule.area) ? new Visit(gates.access.meter, found, '') : undefined;
  }

  #begin(request: FastPathRequest): void {
    const { visit } = request;
    const { gates } = this.#parts;
    if (gates === null || visit === null) this.#wait(request);
    else gates.turns.begin(visit.principal.accountId, () => this.#wait(request));
  }

  #wait(request: FastPathRequest): void {
    this.#ready.push(request);
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(this.#answerReady);
  }

  readonly #answerReady = (): void => {
    const group = this.#ready.splice(0, HTTP_LIMITS.fastPathGroup);
    this.#isArmed = this.#ready.length > 0;
    if (this.#isArmed) setImmediate(this.#answerReady);
    const rendered: Rendered[] = [];
    for (const request of group) this.#render(request, rendered);
    if (this.#settle(rendered)) this.#send(rendered);
    else for (const { request } of rendered) request.useFullPipeline();
  };

  #render(request: FastPathRequest, rendered: Rendered[]): void {
    // Not answered and not billed.
    if (request.isGone) {
      request.visit?.leave();
      return;
    }
    const { lookup, degrees } = request;
    try {
      if (lookup.isReady()) {
        if (!request.admit(() => this.#wait(request))) return;
        const answer = lookup.answer(pointFromWgs84(degrees), this.#out.begin());
        if (answer !== null) {
          rendered.push({ request, answer, body: this.#out.takeBinary() });
          return;
        }
      }
    } catch {
      // The full pipeline meets the same error and answers with it.
    }
    request.useFullPipeline();
  }

  /** If false, their units were given back. */
  #settle(rendered: readonly Rendered[]): boolean {
    const { gates } = this.#parts;
    if (gates === null) return true;
    const settlements: Settlement[] = [];
    for (const { request, answer } of rendered) {
      const { visit, lookup, requestId } = request;
      visit?.answered(answer.units, answer.facts.generation);
      const settlement = visit?.end(lookup.operation, requestId) ?? null;
      if (settlement !== null) settlements.push(settlement);
    }
    try {
      gates.access.meter.settleAll(settlements);
      return true;
    } catch {
      return false;
    }
  }

  #send(rendered: readonly Rendered[]): void {
    let last: Shared = { authorization: undefined, facts: null, headers: [] };
    for (const { request, answer, body } of rendered) {
      const { authorization } = request;
      if (last.facts !== answer.facts || last.authorization !== authorization) {
        const headers = this.#sharedHeaders(request, answer.facts);
        last = { authorization, facts: answer.facts, headers };
      }
      request.send(last.headers, body);
    }
  }

  /** Settled before the first answer leaves, so all share the same limits. */
  #sharedHeaders(
    { exchange, requestId, visit }: FastPathRequest,
    facts: AnswerFacts,
  ): readonly string[] {
    const { 'x-request-id': _own, ...standard } = standardHeaders(requestId, exchange.request);
    const headers = {
      ...standard,
      ...provenanceHeaders(facts),
      'content-type': JSON_TYPE,
      ...visit?.limitHeaders(),
    };
    return Object.entries(headers).flat();
  }
}

const DEGREES = String.raw`(-?\d{1,3}(?:\.\d{1,16})?)`;
const LON_FIRST = new RegExp(`^lon=${DEGREES}&lat=${DEGREES}$`);
const LAT_FIRST = new RegExp(`^lat=${DEGREES}&lon=${DEGREES}$`);

/** null: the query has other parameters or another form. */
export function plainPoint(query: string): PointWgs84 | null {
  const straight = LON_FIRST.exec(query);
  if (straight !== null) return { lon: Number(straight[1]), lat: Number(straight[2]) };
  const turned = LAT_FIRST.exec(query);
  return turned === null ? null : { lon: Number(turned[2]), lat: Number(turned[1]) };
}

function isPlainGet({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.host !== undefined &&
    isOneHost(headers.host) &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  );
}
