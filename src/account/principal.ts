/** Who asks, as far as a key says. Holds no secret. */
import { clientOf } from '../kernel/client-address.ts';
import { TRIAL_ACCOUNT } from './ids.ts';
import type { Area } from './permissions.ts';
import type { Environment, Tier } from './plans.ts';

export interface Principal {
  readonly keyId: string;
  readonly accountId: string;
  readonly tier: Tier;
  readonly environment: Environment;
  /** A public key stands in a web page for all to see. */
  readonly kind: 'secret' | 'public';
  readonly areas: ReadonlySet<Area>;
  /** Hosts a public key answers for: `example.dk` or `*.example.dk`; empty for a secret key. */
  readonly origins: readonly string[];
  /** The account's own ceiling of units a month; null: the plan's usual one. */
  readonly capUnits: number | null;
  /** In the open trial: the client that asks, by its address; absent for any other key. */
  readonly visitor?: string;
}

/** Of the open trial: it answers the service's own pages, each client address as a public key does. */
export function isTrial({ accountId }: Pick<Principal, 'accountId'>): boolean {
  return accountId === TRIAL_ACCOUNT;
}

/** The principal of one request: visitors share the keys of the open trial, and are told apart here. */
export function asVisitor(principal: Principal, clientAddress: string): Principal {
  return isTrial(principal) ? { ...principal, visitor: clientOf(clientAddress) } : principal;
}

/** Whom a limit is counted for: the account, and in the open trial the visitor (D152). */
export function holderOf({ accountId, visitor }: Pick<Principal, 'accountId' | 'visitor'>): string {
  return visitor === undefined ? accountId : `${accountId} ${visitor}`;
}

/** The key that a connection showed last, and its digest: the next is most likely the same. Its own only. */
export interface KeyMemo {
  secret: string;
  digest: string;
}

/** Where secrets become principals. `null`: no such key, revoked, expired, or its account closed. */
export interface KeyRing {
  /**
   * At once when the key is known already, else after one question to the store. Rejects with a
   * Failure `overloaded` when the store cannot be asked: an unknown key is not an invalid one.
   * `client`: whose address (clientOf) it came from, so that nobody's unknown keys keep all others waiting;
   * null: the store is not asked, and an unknown key is null.
   */
  find(
    secret: string,
    memo?: KeyMemo,
    client?: string | null,
  ): Principal | null | Promise<Principal | null>;
}
