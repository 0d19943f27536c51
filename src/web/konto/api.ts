/**
 * Asks the service as the one signed in: the cookie travels by itself and is out of reach here; every
 * write carries the token that goes with it.
 */
import { Refused, request } from '../shared/ask.ts';
import { inLanguage } from '../shared/language.ts';

export type Environment = 'live' | 'test';

export interface Account {
  readonly name: string;
  readonly email: string | null;
  readonly tier: 'free' | 'pro' | 'business';
  readonly operator: boolean;
  readonly created_at: string;
}

type ByEnvironment = Readonly<Record<Environment, number>>;

/** What the plan allows (D60, D61). */
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

interface Session {
  readonly account: Account;
  readonly csrf_token: string;
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

let csrfToken = '';

/** Who is signed in; null: nobody. */
export async function readSession(): Promise<Session | null> {
  return remembered(await ask('GET', 'v1/me/session'));
}

/** Uses the link's token up. */
export async function signIn(link: string): Promise<Session | null> {
  return remembered(await ask('POST', 'v1/me/session', { link }));
}

export async function signOut(): Promise<void> {
  await ask('DELETE', 'v1/me/session');
}

export function readMe(): Promise<Me> {
  return ask('GET', 'v1/me');
}

/** @param month `2026-11`; absent: the one that runs, by the service's clock */
export function readUsage(month?: string): Promise<Usage> {
  return ask('GET', month === undefined ? 'v1/me/usage' : `v1/me/usage?month=${month}`);
}

/** Where a browser fetches a month's bill lines as a file. */
export function billFile(month: string): string {
  return `v1/me/usage/lines?month=${month}`;
}

/** The first lines of a month's bill, at most so many, and whether there are more. */
export async function readBillLines(
  month: string,
  most: number,
): Promise<{ readonly lines: readonly BillLine[]; readonly hasMore: boolean }> {
  const enough = new AbortController();
  const { body } = await request(`${billFile(month)}&format=ndjson`, { signal: enough.signal });
  const lines: BillLine[] = [];
  if (body === null) return { lines, hasMore: false };
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let rest = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const texts = (rest + next.value).split('\n');
      rest = texts.pop() ?? '';
      lines.push(...texts.map((text) => JSON.parse(text) as BillLine));
      if (lines.length > most) return { lines: lines.slice(0, most), hasMore: true };
    }
    return { lines, hasMore: false };
  } catch {
    // Cut short, what came is no bill.
    const words = { da: 'Linjerne blev afbrudt undervejs.', en: 'The lines broke off.' };
    throw new Refused(0, 'broken_off', inLanguage(words));
  } finally {
    enough.abort();
  }
}

export async function readKeys(): Promise<readonly Key[]> {
  const { keys } = await ask<{ readonly keys: readonly Key[] }>('GET', 'v1/me/keys');
  return keys;
}

export function mintKey(wanted: WantedKey): Promise<{ readonly key: MintedKey }> {
  return ask('POST', 'v1/me/keys', wanted);
}

export function rotateKey(id: string): Promise<{ readonly key: MintedKey }> {
  return ask('POST', `v1/me/keys/${id}/rotate`, {});
}

export async function revokeKey(id: string): Promise<void> {
  await ask('DELETE', `v1/me/keys/${id}`);
}

export async function readWebhooks(): Promise<readonly Webhook[]> {
  const { webhooks } = await ask<{ readonly webhooks: readonly Webhook[] }>(
    'GET',
    'v1/me/webhooks',
  );
  return webhooks;
}

export async function registerWebhook(
  wanted: Pick<Webhook, 'url' | 'events' | 'description'>,
): Promise<NewWebhook> {
  const { webhook } = await ask<{ readonly webhook: NewWebhook }>('POST', 'v1/me/webhooks', wanted);
  return webhook;
}

export async function changeWebhook(id: string, change: WebhookChange): Promise<void> {
  await ask('PATCH', `v1/me/webhooks/${id}`, change);
}

export async function removeWebhook(id: string): Promise<void> {
  await ask('DELETE', `v1/me/webhooks/${id}`);
}

/** The latest, newest first. */
export async function readDeliveries(id: string): Promise<readonly Delivery[]> {
  const { deliveries } = await ask<{ readonly deliveries: readonly Delivery[] }>(
    'GET',
    `v1/me/webhooks/${id}/deliveries`,
  );
  return deliveries;
}

/** One attempt at once, and how it went. */
export async function pingWebhook(id: string): Promise<Delivery> {
  const { delivery } = await ask<{ readonly delivery: Delivery }>(
    'POST',
    `v1/me/webhooks/${id}/test`,
    {},
  );
  return delivery;
}

function remembered({ session }: { readonly session: Session | null }): Session | null {
  csrfToken = session?.csrf_token ?? '';
  return session;
}

/** What the document says the answer is. */
async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET') headers['x-csrf-token'] = csrfToken;
  const response = await request(path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (response.status === 204 ? null : await response.json()) as Answer;
}
