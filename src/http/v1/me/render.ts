import type { Account } from '../../../account/accounts.ts';
import type { ApiKey, MintedKey } from '../../../account/keys.ts';
import { monthlyCeiling } from '../../../account/plans.ts';
import type { Plan } from '../../../account/plans.ts';
import type { KEY_STATES } from './schema.ts';

/** The bucket holds two seconds' worth (D60). */
const BURST_SECONDS = 2;

/** A key is not shown its owner's address. */
export function renderAccount(account: Account, asker: 'session' | 'key' = 'session') {
  return {
    id: account.id,
    name: account.name,
    email: asker === 'key' ? null : account.email,
    tier: account.tier,
    operator: account.isOperator,
    created_at: instant(account.createdAtMs),
  };
}

export function renderKey(key: ApiKey, nowMs: number) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    kind: key.kind,
    environment: key.environment,
    permission: key.permission,
    origins: [...key.origins],
    state: stateOf(key, nowMs),
    created_at: instant(key.createdAtMs),
    expires_at: instantOrNull(key.expiresAtMs),
    revoked_at: instantOrNull(key.revokedAtMs),
    replaced_by: key.replacedBy,
    last_used_at: instantOrNull(key.lastUsedAtMs),
  };
}

export function renderMinted({ key, secret }: MintedKey, nowMs: number) {
  return { ...renderKey(key, nowMs), secret };
}

export function renderLimits(plan: Plan, capUnits: number | null) {
  const ceiling = (environment: 'live' | 'test') => monthlyCeiling(plan, { environment, capUnits });
  return {
    units_per_month: { ...plan.unitsPerMonth },
    ceiling_per_month: { live: ceiling('live'), test: ceiling('test') },
    requests_per_second: plan.requestsPerSecond,
    burst_requests: BURST_SECONDS * plan.requestsPerSecond,
    batches: plan.batches,
    overage: plan.overage,
  };
}

function stateOf(key: ApiKey, nowMs: number): (typeof KEY_STATES)[number] {
  if (key.revokedAtMs !== null) return 'revoked';
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : 'active';
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}
