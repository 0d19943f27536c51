import type { FastifyRequest } from 'fastify';
import type { Area } from '../account/permissions.ts';
import type { Plans } from '../account/plans.ts';
import { holderOf } from '../account/principal.ts';
import type { Trial } from '../account/trial.ts';
import type { KeyRing, Principal } from '../account/principal.ts';
import type { Meter } from '../metering/meter-types.ts';
import { senderOfRequest } from './plugins/sender.ts';
import { Visit } from './visit.ts';

/** A route without a rule is open and never billed. */
export interface AccessRule {
  /** The area that the key's permission must open (D64). */
  readonly area: Area;
  /** Requires a plan with batches, else 402 (interface: Authentication, rule 3). */
  readonly batch?: boolean;
  readonly publicKeys?: boolean;
  /** Requests without a key count as visitors of the open trial (D152). */
  readonly trial?: Trial | null;
  /** For a map layer: one of these areas suffices. */
  readonly anyOf?: (request: FastifyRequest) => readonly Area[];
  /** Costs no unit; has limits of its own instead of the plan's burst. */
  readonly isMap?: boolean;
  /** Throws before a burst token is taken. */
  readonly check?: (request: FastifyRequest) => unknown;
  /** Clients ask again at once after a 5xx, so it takes no burst token. */
  readonly restoresBurst?: boolean;
  /** Maximum in units, read after validation; default 1. */
  readonly mostUnits?: (request: FastifyRequest) => number;
}

export interface Access {
  readonly keys: KeyRing;
  readonly meter: Meter;
  readonly plans: Plans;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: AccessRule;
    /** Pages of any site may read the answer. */
    isReadableByPages?: boolean;
  }
  interface FastifyRequest {
    /** null: a route without a rule, or a key not known yet. */
    visit: Visit | null;
  }
}

/** The answer carries the key's limits even when it is refused. */
export function beginVisit(request: FastifyRequest, principal: Principal, meter: Meter): Visit {
  const visit = new Visit(meter, principal, senderOfRequest(request));
  request.visit = visit;
  return visit;
}

/** Requests without a key share one holder. */
export function holderOfVisit({ visit }: Pick<FastifyRequest, 'visit'>): string {
  return visit === null ? '' : holderOf(visit.principal);
}

/** Call before sending. */
export function answered(request: FastifyRequest, units: number, generation: number | null): void {
  request.visit?.answered(units, generation);
}
