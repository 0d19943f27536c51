/**
 * Asks the service with a key of the page's own. The key is made by the session, ends with it, lives in
 * this tab's memory alone, and is handed back when the tab is left. Lookups never see the cookie.
 */
import { Refused, request } from '../shared/ask.ts';
import { factsOf } from './answers.ts';
import type { Reply } from './answers.ts';

interface SignedIn {
  readonly account: { readonly name: string };
  readonly csrf_token: string;
}

interface PageKey {
  readonly id: string;
  readonly secret: string;
}

let csrfToken = '';
let key: PageKey | null = null;
let minting: Promise<PageKey> | null = null;

/** Whose session this is; null: nobody is signed in. */
export async function readSession(): Promise<SignedIn | null> {
  const response = await request('v1/me/session');
  const { session } = (await response.json()) as { readonly session: SignedIn | null };
  csrfToken = session?.csrf_token ?? '';
  return session;
}

/** Ends the session; the service ends its keys. */
export async function signOut(): Promise<void> {
  await request('v1/me/session', { method: 'DELETE', headers: { 'x-csrf-token': csrfToken } });
  key = null;
  csrfToken = '';
}

/** Makes the page's key unless it has one. Throws Refused. */
export async function ensureKey(): Promise<PageKey> {
  if (key !== null) return key;
  minting ??= mint().finally(() => (minting = null));
  key = await minting;
  return key;
}

async function mint(): Promise<PageKey> {
  const response = await request('v1/me/keys', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
    body: JSON.stringify({
      name: 'Kort',
      environment: 'test',
      permission: 'restricted:adresser,dagi,natur,bbr',
      session: true,
    }),
  });
  const { key: made } = (await response.json()) as { readonly key: PageKey };
  return { id: made.id, secret: made.secret };
}

/** Hands the key back while the page goes away: nobody waits for the answer. */
export function releaseKey(): void {
  if (key === null) return;
  void fetch(`v1/me/keys/${key.id}`, {
    method: 'DELETE',
    headers: { 'x-csrf-token': csrfToken },
    keepalive: true,
  }).catch(() => undefined);
  key = null;
}

/** What goes with every question. */
export async function keyHeaders(): Promise<Readonly<Record<string, string>>> {
  return { authorization: `Bearer ${(await ensureKey()).secret}` };
}

/**
 * One lookup. Never throws but for an abort: what was refused, and why, is part of the reply. A key
 * that has ended meanwhile is made anew once.
 */
export async function lookUp<Body>(path: string, signal?: AbortSignal): Promise<Reply<Body>> {
  try {
    return await ask<Body>(path, signal);
  } catch (error) {
    if (signal?.aborted === true) throw error;
    if (!(error instanceof Refused)) throw error;
    if (error.status === 401 && key !== null) {
      key = null;
      return await ask<Body>(path, signal).catch(refusal);
    }
    return refusal(error);
  }
}

async function ask<Body>(path: string, signal?: AbortSignal): Promise<Reply<Body>> {
  const response = await request(path, {
    headers: await keyHeaders(),
    credentials: 'omit',
    ...(signal !== undefined && { signal }),
  });
  const body = (await response.json()) as Body;
  return { ok: true, body, facts: factsOf(response.headers) };
}

function refusal(error: unknown): { ok: false; status: number; message: string } {
  if (!(error instanceof Refused)) throw error;
  return { ok: false, status: error.status, message: error.message };
}
