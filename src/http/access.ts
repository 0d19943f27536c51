/** What a route requires of a key, applied by `plugins/access.ts`. */
import type { FastifyRequest } from 'fastify';
import type { Area } from '../account/permissions.ts';
import type { Plans } from '../account/plans.ts';
import { holderOf } from '../account/principal.ts';
import type { Trial } from '../account/trial.ts';
import type { KeyRing, Principal } from '../account/principal.ts';
import type { Meter } from '../metering/meter-types.ts';
import { senderOfRequest } from './plugins/sender.ts';
import { Visit } from './visit.ts';

/** What a route requires of a key. A route without a rule is open and never billed. */
export interface AccessRule {
  /** The area that the key's permission must open (D64). */
  readonly area: Area;
  /** Needs a plan with batches; else 402 (interface: Authentication, rule 3). */
  readonly batch?: boolean;
  readonly publicKeys?: boolean;
  /** A request without a key, from any page or program, is a visitor of the open trial (D152). */
  readonly trial?: Trial | null;
  /** For a map layer: areas of which one suffices, instead of `area`. */
  readonly anyOf?: (request: FastifyRequest) => readonly Area[];
  /** Costs no unit, and counts against the limits of maps instead of the plan's burst. */
  readonly isMap?: boolean;
  /** Throws before a burst token is taken. */
  readonly check?: (request: FastifyRequest) => unknown;
  /** A 5xx takes no burst token: its clients ask again at once. */
  readonly restoresBurst?: boolean;
  /** Maximum cost of an answer in units; default 1. Read after validation. */
  readonly mostUnits?: (request: FastifyRequest) => number;
}

export function manyLookups(
  area: Area,
  mostUnits: (request: FastifyRequest) => number,
): { readonly access: AccessRule } {
  return { access: { area, batch: true, mostUnits } };
}

/** `config` of tiles, their documents and layer files. `areas`: one suffices. */
export function mapOf(anyOf: (request: FastifyRequest) => readonly Area[]): {
  readonly access: AccessRule;
} {
  return { access: { area: 'natur', anyOf, isMap: true } };
}

export interface Access {
  readonly keys: KeyRing;
  readonly meter: Meter;
  readonly plans: Plans;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: AccessRule;
    /** Open and equal for all callers: pages of any site may read the answer. */
    isReadableByPages?: boolean;
  }
  interface FastifyRequest {
    /** null: a route without a rule, or a key not known yet. */
    visit: Visit | null;
  }
}

/** From here on the answer carries the key's limits, also when it is refused. */
export function beginVisit(request: FastifyRequest, principal: Principal, meter: Meter): Visit {
  const visit = new Visit(meter, principal, senderOfRequest(request));
  request.visit = visit;
  return visit;
}

/** Whom a limit is counted for; requests without a key share one holder. */
export function holderOfVisit({ visit }: Pick<FastifyRequest, 'visit'>): string {
  return visit === null ? '' : holderOf(visit.principal);
}

/** Call before sending: answered lookups and their data generation. */
export function answered(request: FastifyRequest, units: number, generation: number | null): void {
  request.visit?.answered(units, generation);
}
