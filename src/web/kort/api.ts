/**
 * Asks the service with a key of the page's own, which lives in this tab's memory alone: of the session
 * where somebody is signed in (it ends with the session, and is handed back when the tab is left), else
 * of the open trial where there is one. Lookups never see the cookie.
 */
import { Refused, request } from '../shared/ask.ts';
import { factsOf } from './answers.ts';
import type { Reply } from './answers.ts';
import { Pace, retryAfterMs } from './pace.ts';

interface SignedIn {
  readonly account: { readonly name: string };
  readonly csrf_token: string;
}

interface PageKey {
  readonly id: string;
  readonly secret: string;
}

/** How the page asks where nobody is signed in: with a key of the open trial, not at all, or without any. */
const TRIAL = document.body.dataset['proeve'] ?? 'off';

/** Whose key the page asks with. */
export type Asker = 'session' | 'trial' | 'nobody';

let asker: Asker = 'nobody';
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

/** Chooses whose key is asked with, and makes it. false: there is none to be had but by signing in. */
export async function beginAs(signedIn: SignedIn | null): Promise<boolean> {
  if (signedIn === null && TRIAL === 'off') return false;
  asker = signedIn === null ? (TRIAL === 'on' ? 'trial' : 'nobody') : 'session';
  if (asker !== 'nobody') await ensureKey();
  return true;
}

/** Ends the session; the service ends its keys. */
export async function signOut(): Promise<void> {
  await request('v1/me/session', { method: 'DELETE', headers: { 'x-csrf-token': csrfToken } });
  key = null;
  csrfToken = '';
}

/** Makes the page's key unless it has one. Throws Refused. */
async function ensureKey(): Promise<PageKey> {
  if (key !== null) return key;
  minting ??= (asker === 'trial' ? mintTrial() : mint()).finally(() => (minting = null));
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

async function mintTrial(): Promise<PageKey> {
  const response = await request('v1/demo/noegle', {
    method: 'POST',
    referrerPolicy: 'same-origin',
  });
  const { noegle: secret } = (await response.json()) as { readonly noegle: string };
  return { id: '', secret };
}

/** Hands the key back while the page goes away: nobody waits for the answer. */
export function releaseKey(): void {
  if (key === null || asker !== 'session') return;
  void fetch(`v1/me/keys/${key.id}`, {
    method: 'DELETE',
    headers: { 'x-csrf-token': csrfToken },
    keepalive: true,
  }).catch(() => undefined);
  key = null;
}

const pace = new Pace();
/** Times a tile is asked for again that was refused for haste. */
const MOST_RETRIES = 3;

/** Waits until so many requests for tiles or parts of files may be sent. */
export async function myTurn(requests = 1): Promise<void> {
  const waitMs = pace.turn(performance.now(), requests);
  if (waitMs > 0) await sleep(waitMs);
}

/** A tile, with the page's key, in its turn. Throws when the service cannot be reached. */
export async function fetchTile(url: string): Promise<Response> {
  for (let tries = 0; ; tries++) {
    await myTurn();
    const response = await fetch(url, {
      headers: await keyHeaders(),
      credentials: 'omit',
      referrerPolicy: 'same-origin',
    });
    if (response.status !== 429 || tries >= MOST_RETRIES) return response;
    await sleep(retryAfterMs(response.headers.get('retry-after')));
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What goes with every question. */
export async function keyHeaders(): Promise<Readonly<Record<string, string>>> {
  if (asker === 'nobody') return {};
  return { authorization: `Bearer ${(await ensureKey()).secret}` };
}

/**
 * One lookup. Never throws but for an abort: what was refused, and why, is part of the reply. A key
 * that has ended meanwhile is made anew once.
 */
export async function lookUp<Body>(
  path: string,
  signal?: AbortSignal,
  isRetried = false,
): Promise<Reply<Body>> {
  try {
    return await ask<Body>(path, signal);
  } catch (error) {
    if (signal?.aborted === true) throw error;
    if (!(error instanceof Refused)) throw error;
    if (error.status === 401 && key !== null && !isRetried) {
      key = null;
      return await lookUp(path, signal, true);
    }
    return refusal(error);
  }
}

async function ask<Body>(path: string, signal?: AbortSignal): Promise<Reply<Body>> {
  const response = await request(path, {
    headers: await keyHeaders(),
    credentials: 'omit',
    // A key of the trial answers this service's own pages alone.
    referrerPolicy: 'same-origin',
    ...(signal !== undefined && { signal }),
  });
  const body = (await response.json()) as Body;
  return { ok: true, body, facts: factsOf(response.headers) };
}

function refusal(error: Refused): { ok: false; status: number; message: string } {
  return { ok: false, status: error.status, message: error.message };
}
