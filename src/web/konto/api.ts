/**
 * Asks the service as the one signed in: the cookie travels by itself and is out of reach here; every
 * write carries the token that goes with it.
 */
import { request } from '../shared/ask.ts';

export interface Account {
  readonly name: string;
  readonly email: string | null;
  readonly tier: 'free' | 'pro' | 'business';
  readonly operator: boolean;
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
  readonly environment: 'live' | 'test';
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
  readonly allowance: number;
  readonly overage_units: number;
}

export interface Usage {
  readonly month: string;
  readonly live: UsageTotal;
  readonly test: UsageTotal;
}

export interface WantedKey {
  readonly name: string;
  readonly environment: string;
  readonly kind?: 'public';
  readonly origins?: readonly string[];
  readonly permission?: string;
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

export function readMe(): Promise<{ readonly account: Account }> {
  return ask('GET', 'v1/me');
}

export function readUsage(): Promise<Usage> {
  return ask('GET', 'v1/me/usage');
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
