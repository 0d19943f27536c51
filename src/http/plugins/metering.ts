/** Units are reserved for a valid request and settled before its answer leaves (D62). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asVisitor } from '../../account/principal.ts';
import { clientOf } from '../../kernel/client-address.ts';
import type { Meter } from '../../metering/meter-types.ts';
import type { Access, AccessRule } from '../access.ts';
import type { Visit } from '../visit.ts';
import { limitHeaders } from '../wire/limit-headers.ts';
import { shownKey } from '../wire/shown-key.ts';
import { senderOfRequest } from './sender.ts';

type Done = (error?: Error) => void;
type SendDone<T> = (error?: Error | null, payload?: T) => void;

export function reserveBy(rule: AccessRule) {
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    const { visit } = request;
    if (visit === null) throw new Error('A request without a visit got past the keys.');
    try {
      const waiting = visit.reserve(rule.mostUnits?.(request) ?? 1);
      if (waiting === undefined) done();
      else waiting.then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  };
}

/** `onSend`: settles the units and sends the limits. */
export function settleAs(operation: string, meter: Meter, { restoresBurst = false }: AccessRule) {
  return <T>(request: FastifyRequest, reply: FastifyReply, payload: T, done: SendDone<T>): void => {
    const { visit } = request;
    if (visit === null) {
      done(null, payload);
      return;
    }
    try {
      if (!isAnswer(request, reply)) visit.answered(0, null);
      if (restoresBurst && reply.statusCode >= 500) visit.restore();
      const settlement = visit.end(operation, request.id);
      if (settlement !== null) meter.settleAll([settlement]);
      void reply.headers(visit.limitHeaders());
      done(null, payload);
    } catch (error) {
      // The answer must not leave unsettled.
      done(error as Error);
    }
  };
}

/** A HEAD, a 304 and a client that hung up cost nothing. */
function isAnswer(request: FastifyRequest, reply: FastifyReply): boolean {
  const isSent = reply.statusCode >= 200 && reply.statusCode < 300;
  return isSent && request.method !== 'HEAD' && !request.raw.socket.destroyed;
}

/** For keyed routes that cost no units. */
export const sendLimits = sendHeaders((visit) => visit.limitHeaders());

export const sendMapLimits = sendHeaders((visit) => visit.mapLimitHeaders());

function sendHeaders(headersOf: (visit: Visit) => Record<string, string>) {
  return <T>(request: FastifyRequest, reply: FastifyReply, payload: T, done: SendDone<T>): void => {
    const { visit } = request;
    if (visit !== null) void reply.headers(headersOf(visit));
    done(null, payload);
  };
}

export interface ShownKeys {
  /** Empty when the key is not in memory (D65). */
  limitsOf(request: FastifyRequest): Record<string, string>;
  /** null: already in memory, or unknown. */
  learn(request: FastifyRequest): Promise<void> | null;
}

export function shownKeysOf(access: Pick<Access, 'keys' | 'meter'> | null): ShownKeys {
  if (access === null) return { limitsOf: () => ({}), learn: () => null };
  const { keys, meter } = access;
  const find = (request: FastifyRequest): ReturnType<Access['keys']['find']> => {
    // An unparsable path has no query.
    const query: unknown = request.query ?? {};
    const secret = shownKey({ headers: request.headers, query });
    return secret === null || secret === ''
      ? null
      : keys.find(secret, clientOf(senderOfRequest(request)));
  };
  return {
    limitsOf: (request) => {
      const ofVisit = request.visit?.limitHeaders();
      if (ofVisit !== undefined) return ofVisit;
      const found = find(request);
      if (found === null) return {};
      if (!(found instanceof Promise)) {
        return limitHeaders(
          meter.limits(asVisitor(found, senderOfRequest(request)), senderOfRequest(request)),
        );
      }
      // A refusal does not wait for the store.
      found.catch(() => undefined);
      return {};
    },
    learn: (request) => {
      const found = find(request);
      if (!(found instanceof Promise)) return null;
      return found.then(
        () => undefined,
        () => undefined,
      );
    },
  };
}
