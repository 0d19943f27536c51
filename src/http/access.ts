/** What a route asks of a key, and what a request shows. */
import type { FastifyRequest } from 'fastify';
import type { Area } from '../account/permissions.ts';
import type { Plans } from '../account/plans.ts';
import type { Trial } from '../account/trial.ts';
import type { KeyRing } from '../account/principal.ts';
import type { Meter } from '../metering/meter-types.ts';
import { senderOf } from '../kernel/client-address.ts';
import type { Visit } from './visit.ts';

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
  interface FastifyInstance {
    /** Absent: no proxies. */
    readonly isProxy?: (address: string) => boolean;
  }
  interface FastifyRequest {
    /** null: a route without a rule, or a key not known yet. */
    visit: Visit | null;
  }
}

/** Requests without a key share one holder. */
export function holderOfVisit({ visit }: Pick<FastifyRequest, 'visit'>): string {
  return visit?.holder ?? '';
}

/** The client address that limits count (`senderOf`). */
export function senderOfRequest({ raw, server }: Pick<FastifyRequest, 'raw' | 'server'>): string {
  return senderOf(raw, server.isProxy ?? (() => false));
}

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** null: not a Bearer header. */
export function bearerOf(authorization: string): string | null {
  return BEARER.exec(authorization)?.[1] ?? null;
}

/** The header wins over `token` (interface: Authentication). null: none; empty: malformed. */
export function shownKey({
  headers,
  query,
}: Pick<FastifyRequest, 'headers' | 'query'>): string | null {
  const { authorization } = headers;
  if (authorization !== undefined) return bearerOf(authorization) ?? '';
  const { token } = query as { readonly token?: unknown };
  if (token === undefined || token === '') return null;
  return typeof token === 'string' ? token : '';
}
