/**
 * How a person signs in (D69): a one-time link from the operator's command line opens a session of
 * twelve hours. Tokens are 256 random bits; the store knows their digests alone. The token that
 * guards writes against other sites' forms follows from the session's own, so it is kept nowhere.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import { noSuchAccount } from './accounts.ts';
import { newId } from './ids.ts';
import { endSessions, forgetEnded, insertLink, openSession, readSession } from './session-store.ts';
import type { SessionRecord } from './session-store.ts';

export type { SessionRecord } from './session-store.ts';

const TOKEN_BYTES = 32;
/** 32 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const CSRF_TAG = 'geoopslag csrf token, version 1';

export interface Link {
  /** Goes behind the `#` of an address, which no browser sends to a server. */
  readonly token: string;
  readonly expiresAtMs: number;
}

export interface OpenedSession {
  /** For the cookie, and nothing else. */
  readonly token: string;
  readonly session: SessionRecord;
}

export interface Sessions {
  /** Throws a Failure `not_found` when there is no such open account. */
  newLink(accountId: string): Promise<Link>;
  /**
   * Opens a session with a token of its own, never one the browser brought along; the session it
   * brought along ends. null: the link is unknown, used or too old.
   */
  signIn(linkToken: string, previousToken: string | null): Promise<OpenedSession | null>;
  /** null: no session, or ended. Asks the store every time, so that an end is one everywhere. */
  find(token: string): Promise<SessionRecord | null>;
  signOut(token: string): Promise<void>;
}

export function createSessions({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Clock;
}): Sessions {
  const { db } = store;
  return {
    newLink: async (accountId) => {
      const token = newToken();
      const nowMs = clock.nowMs();
      const expiresAtMs = nowMs + ACCOUNT_LIMITS.signInLinkMs;
      await forgetEnded(db, nowMs - ACCOUNT_LIMITS.sessionKeptMs);
      const made = await insertLink(db, { hash: digest('link', token), accountId, expiresAtMs });
      if (!made) throw noSuchAccount();
      return { token, expiresAtMs };
    },
    signIn: async (linkToken, previousToken) => {
      if (!TOKEN.test(linkToken)) return null;
      const token = newToken();
      const atMs = clock.nowMs();
      const previous = previousToken !== null && TOKEN.test(previousToken) ? previousToken : null;
      const session = await openSession(db, {
        linkHash: digest('link', linkToken),
        hash: digest('session', token),
        id: newId('session'),
        replaces: previous === null ? null : digest('session', previous),
        atMs,
        expiresAtMs: atMs + ACCOUNT_LIMITS.sessionMs,
      });
      return session === null ? null : { token, session };
    },
    find: async (token) =>
      TOKEN.test(token) ? readSession(db, digest('session', token), clock.nowMs()) : null,
    signOut: async (token) => {
      if (!TOKEN.test(token)) return;
      await endSessions(db, { hash: digest('session', token), atMs: clock.nowMs() });
    },
  };
}

/** What a page sends with every write of a session. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update(CSRF_TAG).digest('base64url');
}

/** In constant time. */
export function isCsrfToken(given: string, sessionToken: string): boolean {
  const expected = Buffer.from(csrfTokenOf(sessionToken));
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Told apart by kind: what was made as a link never passes for a session. */
function digest(kind: 'link' | 'session', token: string): Buffer {
  return hash('sha256', `${kind} ${token}`, 'buffer');
}
