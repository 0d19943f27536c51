/** What the API tells of an account, its keys, use and webhooks; only what the page shows. */

import type { Account } from '../shared/account.ts';

export type Environment = 'live' | 'test';

type ByEnvironment = Readonly<Record<Environment, number>>;

export interface PlanLimits {
  readonly units_per_month: ByEnvironment;
  readonly ceiling_per_month: ByEnvironment;
  readonly requests_per_second: number;
  readonly burst_requests: number;
  readonly batches: boolean;
  readonly overage: boolean;
}

export interface Me {
  readonly account: Account;
  readonly limits: PlanLimits;
}

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly kind: 'secret' | 'public';
  readonly environment: Environment;
  readonly permission: string;
  readonly origins: readonly string[];
  readonly state: 'active' | 'expired' | 'revoked';
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly replaced_by: string | null;
  readonly last_used_at: string | null;
}

/** A key just made. */
export interface MintedKey extends Key {
  readonly secret: string;
}

export interface UsageTotal {
  readonly units: number;
  readonly requests: number;
  readonly allowance: number;
  readonly ceiling: number;
  readonly overage_units: number;
}

/** What one key used of one operation on one day. */
export interface UsageRow {
  readonly day: string;
  readonly key_id: string;
  readonly operation: string;
  readonly environment: Environment;
  readonly units: number;
  readonly requests: number;
}

export interface Usage {
  readonly month: string;
  readonly live: UsageTotal;
  readonly test: UsageTotal;
  readonly days: readonly UsageRow[];
}

/** One answered request on the bill. */
export interface BillLine {
  readonly time: string;
  readonly request_id: string;
  readonly operation: string;
  readonly units: number;
  readonly generation: number | null;
  readonly key_id: string;
}

export interface WantedKey {
  readonly name: string;
  readonly environment: string;
  readonly kind?: 'public';
  readonly origins?: readonly string[];
  readonly permission?: string;
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly description?: string;
  readonly secretPrefix: string;
  readonly createdAt: string;
}

/** A webhook just registered. */
export interface NewWebhook extends Webhook {
  readonly secret: string;
}

export interface WebhookChange {
  readonly url?: string;
  readonly events?: readonly string[];
  /** null takes it away. */
  readonly description?: string | null;
  readonly enabled?: boolean;
}

export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly status: 'pending' | 'success' | 'failed';
  readonly attempts: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
}
