/** The caller, without the key's secret. */
import { clientOf } from '../kernel/client-address.ts';
import { TRIAL_ACCOUNT } from './ids.ts';
import type { Area } from './permissions.ts';
import type { Environment, Tier } from './plans.ts';

export interface Principal {
  readonly keyId: string;
  readonly accountId: string;
  readonly tier: Tier;
  readonly environment: Environment;
  readonly kind: 'secret' | 'public';
  readonly areas: ReadonlySet<Area>;
  /** `example.dk` or `*.example.dk`; empty for a secret key. */
  readonly origins: readonly string[];
  /** Units a month; null: the plan's default. */
  readonly capUnits: number | null;
  /** In the open trial the client's address; absent for other keys. */
  readonly visitor?: string;
}

export interface KeyRecord {
  readonly digest: string;
  readonly principal: Principal;
  readonly expiresAtMs: number | null;
}

/** A trial key answers only the service's own pages. */
export function isTrial({ accountId }: Pick<Principal, 'accountId'>): boolean {
  return accountId === TRIAL_ACCOUNT;
}

export function asVisitor(principal: Principal, clientAddress: string): Principal {
  return isTrial(principal) ? { ...principal, visitor: clientOf(clientAddress) } : principal;
}

/** The account, or in the open trial the visitor (D152). */
export function holderOf({ accountId, visitor }: Pick<Principal, 'accountId' | 'visitor'>): string {
  return visitor === undefined ? accountId : `${accountId} ${visitor}`;
}

/** `null`: unknown, revoked, expired, or a closed account. */
export interface KeyRing {
  /**
   * Synchronous for a known key. Rejects with `overloaded` when the store cannot be asked. `client`
   * (clientOf): its unknown keys do not block others'; null: does not ask the store.
   */
  find(secret: string, client?: string | null): Principal | null | Promise<Principal | null>;
}
