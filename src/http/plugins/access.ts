/**
 * Key and permission are checked before the body is read: a refusal costs no unit and no round trip
 * (interface: Authentication). Units are reserved for a valid request and settled before its answer
 * leaves (D62).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Area } from '../../account/permissions.ts';
import { isAllowedOrigin } from '../../account/origins.ts';
import { isTrial } from '../../account/principal.ts';
import type { Principal } from '../../account/principal.ts';
import { clientOf } from '../../kernel/client-address.ts';
import type { Limiters } from '../../kernel/limiters.ts';
import type { Meter } from '../../metering/meter-types.ts';
import type { Failure } from '../../kernel/failures.ts';
import { shownKey, senderOfRequest } from '../access.ts';
import type { Access, AccessRule } from '../access.ts';
import { refuseDisconnected } from '../wire/deadline.ts';
import { isFromOwnPage } from '../wire/own-page.ts';
import {
  invalidKey,
  noBatches,
  noKey,
  noReadableKey,
  noTrialBatch,
  notOurPage,
  originNotAllowed,
  publicKeyScope,
  scopeMissing,
} from '../wire/key-refusals.ts';
import { unreachable } from '../wire/unreachable.ts';
import { Visit, admittedBefore } from '../visit.ts';
import { createFairScheduler, InFlight } from './concurrency.ts';

type Done = (error?: Error) => void;
type SendDone<T> = (error?: Error | null, payload?: T) => void;

export type Gates = NonNullable<ReturnType<typeof gatesOf>>;

export function gatesOf(access: Access | null, publicUrl: string | null, limiters: Limiters) {
  if (access === null) return null;
  return { access, inFlight: new InFlight(limiters), turns: createFairScheduler(), publicUrl };
}

export function installAccess(app: FastifyInstance, gates: Gates | null): void {
  app.decorateRequest('visit', null);
  if (gates === null) return;
  app.addHook('onRoute', (route) => {
    const rule = route.config?.access;
    if (rule === undefined) return;
    const schema: { readonly operationId?: string } | undefined = route.schema;
    const operation = schema?.operationId;
    if (operation === undefined) throw new Error(`${route.url} has a rule but no operation.`);
    const enter = enterBy({ ...gates, rule });
    route.onRequest = [enter, ...[route.onRequest ?? []].flat()];
    if (rule.isMap === true) {
      route.onSend = [...[route.onSend ?? []].flat(), sendMapLimits];
      return;
    }
    route.preHandler = [reserveBy(rule), ...[route.preHandler ?? []].flat()];
    route.onSend = [...[route.onSend ?? []].flat(), settleAs(operation, gates.access.meter, rule)];
  });
}

interface Entrance extends Gates {
  readonly rule: AccessRule;
}

function enterBy(entrance: Entrance) {
  const { rule, turns } = entrance;
  const { keys, meter } = entrance.access;
  return (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const sender = senderOfRequest(request);
    const enter = (principal: Principal | null): void => {
      if (principal === null) throw invalidKey();
      const visit = new Visit(meter, principal, sender);
      // Its answer carries the key's limits even when it is refused.
      request.visit = visit;
      turns.begin(visit.holder, () => {
        try {
          admit(entrance, visit, { request, reply });
        } catch (error) {
          done(error as Error);
          return;
        }
        done();
      });
    };
    try {
      const { trial = null } = rule;
      const find = (secret: string) => keys.find(secret, clientOf(sender));
      const found =
        trial !== null && isVisitor(rule, request)
          ? trial.key().then(({ secret }) => find(secret), unreachable)
          : find(secretOf(request));
      if (found instanceof Promise) found.then(enter).catch(done);
      else enter(found);
    } catch (error) {
      done(error as Error);
    }
  };
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function admit(
  { access, rule, inFlight, publicUrl }: Entrance,
  visit: Visit,
  { request, reply }: Exchange,
): void {
  // A client that hung up has closed its response, so its place would never be left.
  refuseDisconnected(reply);
  const question = { rule, plans: access.plans, request, publicUrl };
  const refusal = refusalOf(visit.principal, question);
  if (refusal !== null) throw refusal;
  rule.check?.(request);
  if (rule.isMap === true) visit.admitMap();
  else if (!admittedBefore.has(request.raw)) visit.admit();
  visit.enter(inFlight);
  // A response closes once, sent or aborted.
  reply.raw.once('close', () => visit.leave());
}

/** Throws when no key can be read. */
function secretOf(request: FastifyRequest): string {
  const secret = shownKey(request);
  if (secret === null) throw noKey();
  if (secret === '') throw noReadableKey(request.headers.authorization !== undefined);
  return secret;
}

function isVisitor({ trial = null }: AccessRule, request: FastifyRequest): boolean {
  return trial !== null && shownKey(request) === null;
}

interface AccessQuestion extends Pick<Entrance, 'rule' | 'publicUrl'>, Pick<Access, 'plans'> {
  readonly request: FastifyRequest;
}

/** null: the key may ask this. */
function refusalOf(
  principal: Principal,
  { rule, plans, request, publicUrl }: AccessQuestion,
): Failure | null {
  if (principal.kind === 'public') {
    if (rule.publicKeys !== true) return publicKeyScope();
    if (!isAllowedOrigin(principal.origins, request.headers)) return originNotAllowed();
  }
  if (isTrial(principal)) {
    if (!isVisitor(rule, request) && !isFromOwnPage(request.headers, publicUrl)) {
      return notOurPage();
    }
    if (rule.batch === true) return noTrialBatch();
  }
  const areas = rule.anyOf?.(request) ?? [rule.area];
  if (!covers(principal, areas)) return scopeMissing(areas);
  if (rule.batch === true && !plans[principal.tier].batches) {
    return noBatches(plans, principal.tier);
  }
  return null;
}

/** Operations open to public keys ignore their areas (D180, D241). */
const covers = ({ kind, areas }: Principal, asked: readonly Area[]): boolean =>
  kind === 'public' || asked.some((area) => areas.has(area));

function reserveBy(rule: AccessRule) {
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
function settleAs(operation: string, meter: Meter, { restoresBurst = false }: AccessRule) {
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

const sendMapLimits = sendHeaders((visit) => visit.mapLimitHeaders());

function sendHeaders(headersOf: (visit: Visit) => Record<string, string>) {
  return <T>(request: FastifyRequest, reply: FastifyReply, payload: T, done: SendDone<T>): void => {
    const { visit } = request;
    if (visit !== null) void reply.headers(headersOf(visit));
    done(null, payload);
  };
}
