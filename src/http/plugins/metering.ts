/**
 * Units: set aside when a request is valid, on record before its answer leaves (D62), and what the
 * RateLimit headers may promise (D65).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asVisitor } from '../../account/principal.ts';
import type { Principal } from '../../account/principal.ts';
import { clientOf } from '../../kernel/client-address.ts';
import type { LimitState, LimitStates, Meter } from '../../metering/meter-types.ts';
import type { Access, AccessRule, Visit } from '../access.ts';
import { shownKey } from '../wire/shown-key.ts';

type Done = (error?: Error) => void;
type SendDone<T> = (error?: Error | null, payload?: T) => void;

export interface Metering {
  reserveBy(rule: AccessRule): (request: FastifyRequest, reply: FastifyReply, done: Done) => void;
  settleAs(
    operation: string,
  ): <T>(request: FastifyRequest, reply: FastifyReply, payload: T, done: SendDone<T>) => void;
}

export function createMetering(meter: Meter): Metering {
  return {
    reserveBy: (rule) => (request, _reply, done) => {
      const { visit } = request;
      if (visit === null) throw new Error('A request without a visit got past the keys.');
      try {
        const units = rule.mostUnits?.(request) ?? 1;
        const reserved = meter.reserve(visit.principal, units);
        if (reserved === undefined) {
          visit.reserved = units;
          done();
          return;
        }
        reserved.then(() => {
          if (visit.isOver) giveBack(meter, visit.principal, units);
          else visit.reserved = units;
          done();
        }, done);
      } catch (error) {
        done(error as Error);
      }
    },
    settleAs: (operation) => (request, reply, payload, done) => {
      const { visit } = request;
      if (visit === null) {
        done(null, payload);
        return;
      }
      try {
        settle(meter, visit, { operation, request, reply });
        tellLimits(reply, meter.limits(visit.principal, visit.clientAddress));
        done(null, payload);
      } catch (error) {
        // Not on record: the answer must not leave. The error takes its place, and comes here again.
        done(error as Error);
      }
    },
  };
}

/** The `onSend` of a route that costs no units, but whose key has limits to be told of. */
export function tellLimitsOf(meter: Meter | undefined) {
  return <T>(request: FastifyRequest, reply: FastifyReply, payload: T, done: SendDone<T>): void => {
    const { visit } = request;
    if (meter !== undefined && visit !== null) {
      tellLimits(reply, meter.limits(visit.principal, visit.clientAddress));
    }
    done(null, payload);
  };
}

/** The `onSend` of a request of a map: it tells the limits it is under, which are not the plan's. */
export function tellMapLimitsOf(meter: Meter) {
  return <T>(request: FastifyRequest, reply: FastifyReply, payload: T, done: SendDone<T>): void => {
    const { visit } = request;
    if (visit !== null) {
      const { key, address } = meter.mapLimits(visit.principal, visit.clientAddress);
      void reply.headers({
        'ratelimit-policy': `${policyOf('kort', key)}, ${policyOf('kort-address', address)}`,
        ratelimit: `${stateOf('kort', key)}, ${stateOf('kort-address', address)}`,
      });
    }
    done(null, payload);
  };
}

/** What refusals ask of the keys: whose limits they tell, too (D65). */
export interface ShownKeys {
  /** The limits of the key a request shows, if it is known by heart; else nothing. */
  limitsOf(request: FastifyRequest): Record<string, string>;
  /** Resolves when the key a request shows is known by heart, as far as it can be. null: it is, or is none. */
  learn(request: FastifyRequest): Promise<void> | null;
}

export function shownKeysOf(access: Pick<Access, 'keys' | 'meter'> | null): ShownKeys {
  if (access === null) return { limitsOf: () => ({}), learn: () => null };
  const { keys, meter } = access;
  const find = (request: FastifyRequest): ReturnType<Access['keys']['find']> => {
    // A path that could not be taken apart has no query either.
    const query: unknown = request.query ?? {};
    const secret = shownKey({ headers: request.headers, query });
    return secret === null || secret === ''
      ? null
      : keys.find(secret, undefined, clientOf(request.ip));
  };
  return {
    limitsOf: (request) => {
      const found = request.visit?.principal ?? find(request);
      if (found === null) return {};
      if (!(found instanceof Promise)) {
        return limitHeaders(meter.limits(asVisitor(found, request.ip), request.ip));
      }
      // Who is told of a refusal does not wait for the store.
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

interface Leaving {
  readonly operation: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function settle(meter: Meter, visit: Visit, { operation, request, reply }: Leaving): void {
  if (visit.isOver) return;
  visit.isOver = true;
  if (visit.reserved === 0) return;
  const { reserved } = visit;
  visit.reserved = 0;
  meter.settle(visit.principal, reserved, {
    operation,
    requestId: request.id,
    generation: visit.generation,
    units: isAnswer(request, reply) ? visit.units : 0,
  });
}

/** A HEAD, a 304 and a client that hung up get no answer, so they cost nothing. */
function isAnswer(request: FastifyRequest, reply: FastifyReply): boolean {
  const isSent = reply.statusCode >= 200 && reply.statusCode < 300;
  return isSent && request.method !== 'HEAD' && !request.raw.socket.destroyed;
}

/** Ends a reservation that came to nothing. */
export function giveBack(meter: Meter, principal: Principal, reserved: number): void {
  meter.settle(principal, reserved, { operation: '', requestId: '', generation: null, units: 0 });
}

function tellLimits(reply: FastifyReply, states: LimitStates): void {
  void reply.headers(limitHeaders(states));
}

/** RateLimit and RateLimit-Policy as the IETF draft writes them: what is left is never overstated. */
export function limitHeaders({
  burst,
  month,
  address,
  visitor,
}: LimitStates): Record<string, string> {
  let policy = policyOf('burst', burst);
  let left = stateOf('burst', burst);
  if (month !== null) {
    policy += `, ${policyOf('month', month)}`;
    left += `, ${stateOf('month', month)}`;
  }
  if (visitor !== null) {
    policy += `, ${policyOf('visitor', visitor)}`;
    left += `, ${stateOf('visitor', visitor)}`;
  }
  if (address !== null) {
    policy += `, ${policyOf('address', address)}`;
    left += `, ${stateOf('address', address)}`;
  }
  return { 'ratelimit-policy': policy, ratelimit: left };
}

const policyOf = (name: string, { limit, windowS }: LimitState): string =>
  `"${name}";q=${limit};w=${windowS}`;

const stateOf = (name: string, { remaining, resetS }: LimitState): string =>
  `"${name}";r=${remaining};t=${resetS}`;
