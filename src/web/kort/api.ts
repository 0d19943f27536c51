/**
 * Asks the service with keys of the page's own, which live in this tab's memory alone. Questions are asked
 * with a key of the session where somebody is signed in: made with the first of them, ended with the
 * session, and handed back when the tab is left. Tiles and files of layers, which cost nothing, and the
 * questions of who is not signed in are asked with the key of the open trial where there is one: whoever
 * only looks makes no key. Lookups never see the cookie.
 */
import { Refused, request } from '../shared/ask.ts';
import { factsOf } from './answers.ts';
import type { Reply } from './answers.ts';
import { RequestThrottle, retryAfterMs } from './throttle.ts';

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

/** Whose key is asked with. */
type Asker = 'session' | 'trial' | 'nobody';
/** What is asked: something of a place, or what is drawn of the layers. */
type Purpose = 'question' | 'drawing';

/** Milliseconds after a refusal before another key is asked for: a screen has many tiles. */
const REFUSED_MS = 5_000;

const askers: Record<Purpose, Asker> = { question: 'nobody', drawing: 'nobody' };
const keys = new Map<Asker, Promise<PageKey>>();
let csrfToken = '';
let environment: 'test' | 'live' = 'test';

/** Whose session this is; null: nobody is signed in. */
export async function readSession(): Promise<SignedIn | null> {
  const response = await request('v1/me/session');
  const { session } = (await response.json()) as { readonly session: SignedIn | null };
  csrfToken = session?.csrf_token ?? '';
  return session;
}

/** Chooses whose keys are asked with. false: there are none to be had but by signing in. */
export function beginAs(signedIn: SignedIn | null): boolean {
  if (signedIn === null && TRIAL === 'off') return false;
  const visitor: Asker = TRIAL === 'on' ? 'trial' : 'nobody';
  askers.question = signedIn === null ? visitor : 'session';
  askers.drawing = TRIAL === 'on' ? 'trial' : askers.question;
  return true;
}

/** Ends the session; the service ends its keys. */
export async function signOut(): Promise<void> {
  await request('v1/me/session', { method: 'DELETE', headers: { 'x-csrf-token': csrfToken } });
  keys.clear();
  csrfToken = '';
}

/** Asks with a test key, which costs nothing, or with a live one. What was made of the other is handed back. */
export function askWith(wanted: 'test' | 'live'): void {
  if (wanted === environment) return;
  releaseKey();
  environment = wanted;
}

/** The key of an asker, made when it is first needed. Throws Refused. */
function keyOf(asker: Exclude<Asker, 'nobody'>): Promise<PageKey> {
  const known = keys.get(asker);
  if (known !== undefined) return known;
  const made = asker === 'trial' ? mintTrial() : mint();
  keys.set(asker, made);
  made.catch(() => setTimeout(() => forget(asker, made), REFUSED_MS));
  return made;
}

/** What ended, or was never made, is made anew by the next who asks. */
function forget(asker: Asker, ended: Promise<PageKey> | undefined): void {
  if (keys.get(asker) === ended) keys.delete(asker);
}

async function mint(): Promise<PageKey> {
  const response = await request('v1/me/keys', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
    body: JSON.stringify({
      name: 'Kort',
      environment,
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

/** Hands the session's key back, while the page goes away too: nobody waits for the answer. */
export function releaseKey(): void {
  const token = csrfToken;
  const held = keys.get('session');
  keys.delete('session');
  void held?.then(
    ({ id }) =>
      fetch(`v1/me/keys/${id}`, {
        method: 'DELETE',
        headers: { 'x-csrf-token': token },
        keepalive: true,
      }).catch(() => undefined),
    () => undefined,
  );
}

const throttle = new RequestThrottle();
/** Times a tile is asked for again that was refused for haste. */
const MOST_RETRIES = 3;

/** Waits until so many requests for tiles or parts of files may be sent. */
export async function myTurn(requests = 1): Promise<void> {
  const waitMs = throttle.turn(performance.now(), requests);
  if (waitMs > 0) await sleep(waitMs);
}

/** A tile, in its turn. Throws when the service cannot be reached. */
export async function fetchTile(url: string): Promise<Response> {
  for (let tries = 0; ; tries++) {
    await myTurn();
    const headers = await drawingHeaders();
    const shown = keys.get(askers.drawing);
    const response = await fetch(url, {
      headers,
      credentials: 'omit',
      referrerPolicy: 'same-origin',
    });
    throttle.learn(response.headers.get('ratelimit-policy'));
    if (tries >= MOST_RETRIES) return response;
    if (response.status === 401 && shown !== undefined) forget(askers.drawing, shown);
    else if (response.status === 429)
      await sleep(retryAfterMs(response.headers.get('retry-after')));
    else return response;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What goes with every request for a tile or a part of a file. */
export async function drawingHeaders(): Promise<Readonly<Record<string, string>>> {
  try {
    return await headersOf(askers.drawing);
  } catch (error) {
    if (!(error instanceof Refused) || askers.question !== 'session') throw error;
    // Whoever is signed in can do without the trial.
    askers.drawing = 'session';
    return await headersOf('session');
  }
}

async function headersOf(asker: Asker): Promise<Readonly<Record<string, string>>> {
  if (asker === 'nobody') return {};
  return { authorization: `Bearer ${(await keyOf(asker)).secret}` };
}

interface LookUpOptions {
  readonly signal?: AbortSignal;
  readonly purpose?: Purpose;
}

/**
 * One lookup. Never throws but for an abort: what was refused, and why, is part of the reply. A key
 * that has ended meanwhile is made anew once.
 */
export async function lookUp<Body>(
  path: string,
  options: LookUpOptions = {},
): Promise<Reply<Body>> {
  const asker = askers[options.purpose ?? 'question'];
  const shown = keys.get(asker);
  const reply = await ask<Body>(path, asker, options.signal);
  if (reply.ok || reply.status !== 401 || shown === undefined) return reply;
  forget(asker, shown);
  return await ask<Body>(path, asker, options.signal);
}

async function ask<Body>(path: string, asker: Asker, signal?: AbortSignal): Promise<Reply<Body>> {
  try {
    const response = await request(path, {
      headers: await headersOf(asker),
      credentials: 'omit',
      // A key of the trial answers this service's own pages alone.
      referrerPolicy: 'same-origin',
      ...(signal !== undefined && { signal }),
    });
    const body = (await response.json()) as Body;
    return { ok: true, body, facts: factsOf(response.headers) };
  } catch (error) {
    if (signal?.aborted === true || !(error instanceof Refused)) throw error;
    return { ok: false, status: error.status, message: error.message };
  }
}
