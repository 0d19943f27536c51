import type { Account } from '../../../account/account-store.ts';
import type { MintedKey } from '../../../account/keys.ts';
import type { ApiKey } from '../../../account/key-store.ts';
import type { Person } from '../../../account/person-store.ts';
import { monthlyCeiling } from '../../../account/plans.ts';
import type { Plan } from '../../../account/plans.ts';
import type { SessionRecord } from '../../../account/session-store.ts';
import type { BillLine, Usage, UsageTotal } from '../../../metering/usage.ts';
import { instant } from '../../../kernel/clock.ts';
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

export function renderPerson({ id, email, roles, createdAtMs, joinedAtMs }: Person) {
  return {
    ...{ id, email, roles: [...roles] },
    created_at: instant(createdAtMs),
    joined_at: instant(joinedAtMs),
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
    expires_at: instant(key.expiresAtMs),
    revoked_at: instant(key.revokedAtMs),
    replaced_by: key.replacedBy,
    last_used_at: instant(key.lastUsedAtMs),
    made_by: key.madeBy,
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

export function renderSession({ account, person, expiresAtMs }: SessionRecord, csrfToken: string) {
  return {
    account: renderAccount(account),
    person: renderPerson(person),
    expires_at: instant(expiresAtMs),
    csrf_token: csrfToken,
  };
}

export function renderUsage({ month, live, test, rows }: Usage) {
  return {
    month,
    live: renderTotal(live),
    test: renderTotal(test),
    days: rows.map(({ keyId, ...row }) => ({ ...row, key_id: keyId })),
  };
}

function renderTotal({ overageUnits, ...total }: UsageTotal) {
  return { ...total, overage_units: overageUnits };
}

/** In the order of the CSV's columns. */
export function renderBillLine(line: BillLine) {
  const { atMs, requestId, operation, units, generation, keyId } = line;
  return {
    time: instant(atMs),
    request_id: requestId,
    operation,
    units,
    generation,
    key_id: keyId,
  };
}

function stateOf(key: ApiKey, nowMs: number): (typeof KEY_STATES)[number] {
  if (key.revokedAtMs !== null) return 'revoked';
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : 'active';
}
