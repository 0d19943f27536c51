/**
 * A write is proved to be the session's own: another site can neither read the token nor fake this
 * origin.
 */
import type { FastifyRequest } from 'fastify';
import { csrfTokenOf, isCsrfToken } from '../../../account/sessions.ts';
import type { SessionRecord } from '../../../account/session-store.ts';
import { Failure, notSetUp } from '../../../kernel/failures.ts';
import type { AccountServices, Services } from '../../services.ts';
import { isOwnOrigin } from '../../wire/own-page.ts';
import { refuseWhileUnavailable, unreachable } from '../../wire/unreachable.ts';
import { sessionTokenOf } from './cookie.ts';

export interface SignedIn {
  readonly session: SessionRecord;
  /** Required in X-CSRF-Token for writes. */
  readonly csrfToken: string;
}

const READS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * null: no open session. Throws `forbidden` for a write without its proof, `overloaded` without the
 * store.
 */
export async function signedInOf(
  request: FastifyRequest,
  accounts: Pick<AccountServices, 'sessions' | 'isStoreUnavailable'>,
  ownOrigin: string | null,
): Promise<SignedIn | null> {
  const token = sessionTokenOf(request.headers.cookie);
  if (token === null) return null;
  refuseWhileUnavailable(accounts);
  const session = await accounts.sessions.find(token).catch(unreachable);
  if (session === null) return null;
  if (!READS.includes(request.method)) {
    refuseOtherSites(request, ownOrigin);
    refuseForgery(request, token);
  }
  return { session, csrfToken: csrfTokenOf(token) };
}

/** `find` runs before anything is read: those it refuses learn nothing. */
export function keptSessions(find: (request: FastifyRequest) => Promise<SessionRecord>) {
  const sessions = new WeakMap<FastifyRequest, SessionRecord>();
  return {
    onRequest: async (request: FastifyRequest): Promise<void> => {
      sessions.set(request, await find(request));
    },
    sessionOf: (request: FastifyRequest): SessionRecord => {
      const found = sessions.get(request);
      if (found === undefined) throw new Error('A route of sessions was reached without one.');
      return found;
    },
  };
}

export function notSignedIn(ended: boolean): Failure {
  const code = ended ? 'session_ended' : 'session_missing';
  return new Failure('unauthorized', {
    error: ended ? 'The session has ended: sign in again.' : 'Nobody is signed in.',
    errorDa: ended ? 'Sessionen er udløbet: log ind igen.' : 'Ingen er logget ind.',
    code,
  });
}

/** A client without such headers is no current browser and carries no one's cookie. */
export function refuseOtherSites(
  { headers }: Pick<FastifyRequest, 'headers'>,
  ownOrigin: string | null,
): void {
  const site = headers['sec-fetch-site'];
  const { origin, host } = headers;
  const own = origin === undefined || isOwnOrigin(origin, { host, publicUrl: ownOrigin });
  if (own && (site === undefined || site === 'same-origin')) return;
  throw new Failure('forbidden', {
    error: 'The request comes from another site.',
    errorDa: 'Forespørgslen kommer fra et andet websted.',
  });
}

function refuseForgery({ headers }: FastifyRequest, token: string): void {
  const given = headers['x-csrf-token'];
  if (typeof given === 'string' && isCsrfToken(given, token)) return;
  throw new Failure('forbidden', {
    error: 'X-CSRF-Token is missing or wrong: it is csrf_token of GET /v1/me.',
    errorDa: 'X-CSRF-Token mangler eller er forkert: den er csrf_token i GET /v1/me.',
  });
}

export function accountsOf({ accounts }: Pick<Services, 'accounts'>): AccountServices {
  if (accounts !== null) return accounts;
  throw notSetUp(
    'Accounts are not set up in this process.',
    'Konti er ikke sat op i denne proces.',
  );
}
