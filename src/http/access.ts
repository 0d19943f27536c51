/** What a route asks of a key, and the visit that a keyed request carries. `plugins/access.ts` applies them. */
import type { FastifyRequest } from 'fastify';
import type { Coverage } from '../layers/coverage.ts';
import type { Area } from '../account/permissions.ts';
import type { Plans } from '../account/plans.ts';
import { holderOf } from '../account/principal.ts';
import type { KeyRing, Principal } from '../account/principal.ts';
import type { Meter } from '../metering/meter-types.ts';
import { Visit } from './visit.ts';

/** What a route asks of a key. A route without a rule is open and never billed. */
export interface AccessRule {
  /** The part of the service a key's permission must open (D64). */
  readonly area: Area;
  /** Needs a plan with batches; 402 below (interface: Authentication, rule 3). */
  readonly batch?: boolean;
  /** Public keys may ask it from a web page. */
  readonly publicKeys?: boolean;
  /** Of a request for a layer of maps: the areas of which one is enough, instead of `area`. */
  readonly anyOf?: (request: FastifyRequest) => readonly Area[];
  /** Costs no unit, and takes its place in the limits of maps instead of the plan's burst. */
  readonly isMap?: boolean;
  /** The most units an answer can cost; 1 where absent. Read after the request is validated. */
  readonly mostUnits?: (request: FastifyRequest) => number;
}

/** The `config` of a route that answers one lookup. */
export function oneLookup(area: Area): { readonly access: AccessRule } {
  return { access: { area } };
}

/** The `config` of a lookup that web pages may ask as well, with a public key. */
export function pageLookup(area: Area): { readonly access: AccessRule } {
  return { access: { area, publicKeys: true } };
}

/** The `config` of a batch; what it can cost is counted in its validated request. */
export function manyLookups(
  area: Area,
  mostUnits: (request: FastifyRequest) => number,
): { readonly access: AccessRule } {
  return { access: { area, batch: true, mostUnits } };
}

/** The `config` of tiles, their documents and files of layers. `areas`: which one may suffice. */
export function mapOf(anyOf: (request: FastifyRequest) => readonly Area[]): {
  readonly access: AccessRule;
} {
  return { access: { area: 'natur', anyOf, isMap: true } };
}

/** What the edge needs of accounts and metering. */
export interface Access {
  readonly keys: KeyRing;
  readonly meter: Meter;
  readonly plans: Plans;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: AccessRule;
    /** Open, and the same for everybody: pages of any site may read the answer. */
    isReadableByPages?: boolean;
  }
  interface FastifyRequest {
    /** null: a route without a rule, or a key not known yet. */
    visit: Visit | null;
  }
}

/** From here on the answer carries the limits of this key, also when it is refused. */
export function beginVisit(request: FastifyRequest, principal: Principal, meter: Meter): Visit {
  const visit = new Visit(meter, principal, request.ip);
  request.visit = visit;
  return visit;
}

/** Whom a limit is counted for; a request without a key counts for nobody. */
export function holderOfVisit({ visit }: Pick<FastifyRequest, 'visit'>): string {
  return visit === null ? '' : holderOf(visit.principal);
}

/** Called by a handler before it sends: how many lookups it answered, from which data generation. */
export function answered(request: FastifyRequest, units: number, generation: number | null): void {
  request.visit?.answered(units, generation);
}

/** That nothing fits was measured: one unit (D62), unless what fits may lie where the copy covers nothing (D142). */
export function unitsOfFound(found: number, coverage: Coverage | null | undefined): number {
  return found === 0 && coverage ? 0 : 1;
}
