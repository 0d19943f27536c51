/**
 * Checks key and permission before the body is read. A refusal costs no unit and no round trip
 * (interface: Authentication).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Area } from '../../account/permissions.ts';
import { isAllowedOrigin } from '../../account/origins.ts';
import { leastTierWithBatches } from '../../account/plans.ts';
import { holderOf, isTrial } from '../../account/principal.ts';
import type { Principal } from '../../account/principal.ts';
import { clientOf } from '../../kernel/client-address.ts';
import type { Limiters } from '../../kernel/limiters.ts';
import { Failure } from '../../kernel/failures.ts';
import { beginVisit } from '../access.ts';
import type { Access, AccessRule } from '../access.ts';
import { refuseDisconnected } from '../wire/client-disconnect.ts';
import { isFromOwnPage } from '../wire/own-page.ts';
import { invalidKey, publicKeyScope, scopeMissing, unauthorized } from '../wire/key-refusals.ts';
import { shownKey } from '../wire/shown-key.ts';
import { unreachable } from '../wire/unreachable.ts';
import { admittedBefore } from '../visit.ts';
import type { Visit } from '../visit.ts';
import { reserveBy, sendMapLimits, settleAs } from './metering.ts';
import { senderOfRequest } from './sender.ts';
import { createFairScheduler } from './fair-scheduler.ts';
import { InFlight } from './in-flight.ts';

type Done = (error?: Error) => void;

export type Gates = NonNullable<ReturnType<typeof gatesOf>>;

export function gatesOf(access: Access | null, publicUrl: string | null, limiters: Limiters) {
  if (access === null) return null;
  return { access, inFlight: new InFlight(limiters), turns: createFairScheduler(), publicUrl };
}

/** Install before the routes. */
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
    route.onRequest = [enter, ...listOf(route.onRequest)];
    if (rule.isMap === true) {
      route.onSend = [...listOf(route.onSend), sendMapLimits];
      return;
    }
    route.preHandler = [reserveBy(rule), ...listOf(route.preHandler)];
    route.onSend = [...listOf(route.onSend), settleAs(operation, gates.access.meter, rule)];
  });
}

function listOf<T>(hooks: T | T[] | undefined): T[] {
  if (hooks === undefined) return [];
  return Array.isArray(hooks) ? hooks : [hooks];
}

interface Entrance extends Gates {
  readonly rule: AccessRule;
}

function enterBy(entrance: Entrance) {
  return (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const enter = (principal: Principal | null): void => {
      if (principal === null) throw invalidKey();
      const visit = beginVisit(request, principal, entrance.access.meter);
      entrance.turns.begin(holderOf(visit.principal), () => {
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
      const { trial = null } = entrance.rule;
      const find = (secret: string) =>
        entrance.access.keys.find(secret, clientOf(senderOfRequest(request)));
      const found =
        trial !== null && isVisitor(entrance.rule, request)
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
  if (secret === null) {
    throw unauthorized('api_key_missing', {
      error:
        'An API key is needed: send it as Authorization: Bearer <key>, or as the parameter token.',
      errorDa:
        'Der skal bruges en API-nøgle: send den som Authorization: Bearer <nøgle> eller token.',
    });
  }
  if (secret !== '') return secret;
  if (request.headers.authorization !== undefined) {
    throw unauthorized('api_key_invalid', {
      error: 'The Authorization header must be: Bearer <API key>.',
      errorDa: 'Headeren Authorization skal være: Bearer <API-nøgle>.',
    });
  }
  throw unauthorized('api_key_invalid', {
    error: 'The parameter token must be one API key.',
    errorDa: 'Parameteren token skal være én API-nøgle.',
  });
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
    const least = leastTierWithBatches(plans) ?? 'a higher plan';
    return new Failure('plan_required', {
      error: `Batches and jobs need the plan ${least} or higher; this account has ${principal.tier}.`,
      errorDa: `Batch og job kræver abonnementet ${least} eller højere; kontoen har ${principal.tier}.`,
    });
  }
  return null;
}

/** Operations open to public keys ignore their areas (D180, D241). */
const covers = ({ kind, areas }: Principal, asked: readonly Area[]): boolean =>
  kind === 'public' || asked.some((area) => areas.has(area));

function originNotAllowed(): Failure {
  return new Failure('origin_not_allowed', {
    error: 'The Origin (else the Referer) of the request is not among those of the public key.',
    errorDa: 'Forespørgslens Origin (ellers Referer) er ikke blandt den offentlige nøgles.',
  });
}

export function notOurPage(): Failure {
  return new Failure('origin_not_allowed', {
    error: "The open trial answers this service's own pages alone: sign in to make a key.",
    errorDa: 'Den åbne prøve svarer kun tjenestens egne sider: log ind, og lav en nøgle.',
  });
}

/** Visitors may ask one lookup at a time (D152). */
function noTrialBatch(): Failure {
  return new Failure('plan_required', {
    error: 'The open trial answers one lookup at a time: sign in to make a key for batches.',
    errorDa: 'Den åbne prøve svarer på ét opslag ad gangen: log ind, og lav en nøgle til batch.',
  });
}
