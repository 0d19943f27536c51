/**
 * With keys in this tab's memory alone: a signed-in visitor's questions with one of the session,
 * all else with the open trial's where there is one.
 */
import type { Reply } from '../shared/answers.ts';
import { Refused } from '../shared/ask.ts';
import { HeldKey, mintSessionKey, mintTrialKey } from '../shared/held-key.ts';
import type { Session } from '../shared/session.ts';
import { bearer, lookUpWith } from '../shared/lookup.ts';
import { RequestThrottle, retryAfterMs } from './throttle.ts';

/** Without a session: `on` with the trial's key, `off` not at all, else without a key. */
const TRIAL = document.body.dataset['proeve'] ?? 'off';

type Purpose = 'question' | 'drawing';

/** Before another key is asked for: a screen has many tiles. */
const REFUSED_MS = 5_000;
const AREAS = ['adresser', 'dagi', 'natur', 'bbr', 'stednavne', 'cvr', 'miljoe'];

let environment: 'test' | 'live' = 'test';
const ofSession = new HeldKey(() => mintSessionKey('Kort', environment, AREAS), REFUSED_MS);
const ofTrial = new HeldKey(mintTrialKey, REFUSED_MS);
/** The key that is asked with; null: none is needed. */
const askers: Record<Purpose, HeldKey | null> = { question: null, drawing: null };

/** false: there is no key without signing in. */
export function beginAs(signedIn: Session | null): boolean {
  if (signedIn === null && TRIAL === 'off') return false;
  const visitor = TRIAL === 'on' ? ofTrial : null;
  askers.question = signedIn === null ? visitor : ofSession;
  askers.drawing = TRIAL === 'on' ? ofTrial : askers.question;
  return true;
}

/** Keys of the other kind are handed back. */
export function askWith(wanted: 'test' | 'live'): void {
  if (wanted === environment) return;
  releaseKey();
  environment = wanted;
}

export function releaseKey(): void {
  ofSession.release();
}

const throttle = new RequestThrottle();
/** What hangs is hatched, and asked for again. */
const TILE_MS = 30_000;
/** Of a tile refused for haste. */
const MOST_RETRIES = 3;

/** Before requests for tiles or parts of files. */
export async function myTurn(requests = 1): Promise<void> {
  const waitMs = throttle.turn(performance.now(), requests);
  if (waitMs > 0) await sleep(waitMs);
}

/** In its turn. Throws when the service cannot be reached. */
export async function fetchTile(url: string): Promise<Response> {
  for (let tries = 0; ; tries++) {
    await myTurn();
    const secret = await drawingSecret();
    const response = await fetch(url, {
      headers: bearer(secret),
      credentials: 'omit',
      referrerPolicy: 'same-origin',
      signal: AbortSignal.timeout(TILE_MS),
    });
    throttle.learn(response.headers.get('ratelimit-policy'));
    if (tries >= MOST_RETRIES) return response;
    if (response.status === 401 && secret !== null) askers.drawing?.ended(secret);
    else if (response.status === 429)
      await sleep(retryAfterMs(response.headers.get('retry-after')));
    else return response;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export async function drawingSecret(): Promise<string | null> {
  try {
    return (await askers.drawing?.secret()) ?? null;
  } catch (error) {
    if (!(error instanceof Refused) || askers.question !== ofSession) throw error;
    // A signed-in reader can do without the trial.
    askers.drawing = ofSession;
    return await ofSession.secret();
  }
}

/** See `lookUpWith`. */
export function lookUp<Body>(
  path: string,
  signal?: AbortSignal,
  purpose: Purpose = 'question',
): Promise<Reply<Body>> {
  return lookUpWith(askers[purpose], path, { signal });
}
