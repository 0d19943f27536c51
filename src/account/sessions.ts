/**
 * A one-time link opens a session of twelve hours (D69). The store has only digests of tokens. The
 * CSRF token derives from the session's.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Db, Trx } from '../db/connect.ts';
import { Failure } from '../kernel/failures.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import { endKeys, noSuchAccount } from './accounts.ts';
import type { AccountDeps } from './accounts.ts';
import { newId } from './ids.ts';
import { revokeKeys } from './key-store.ts';
import {
  endSessions,
  forgetEnded,
  insertLink,
  isOfOtherBrowser,
  openSession,
  readSession,
} from './session-store.ts';
import type { SessionRecord } from './session-store.ts';

const TOKEN_BYTES = 32;
/** 32 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const CSRF_TAG = 'geoopslag csrf token, version 1';

export interface Link {
  /** Goes after the `#` of a URL, which browsers do not send. */
  readonly token: string;
  readonly expiresAtMs: number;
}

export interface OpenedSession {
  /** For the cookie only. */
  readonly token: string;
  readonly session: SessionRecord;
}

export interface LinkOptions {
  /** Token of the requesting browser: the link opens in no other. */
  readonly browser?: string | null;
  readonly lifeMs?: number;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(deps: AccountDeps) {
  const { clock } = deps;
  const { db } = deps.store;
  return {
    /** `of`: a person's id, or an account's for its first administrator. Throws `not_found`. */
    newLink: async (of: string, { browser = null, lifeMs }: LinkOptions = {}): Promise<Link> => {
      const token = newToken();
      const nowMs = clock.nowMs();
      const expiresAtMs = nowMs + (lifeMs ?? ACCOUNT_LIMITS.signInLinkMs);
      await forgetEnded(db, nowMs - ACCOUNT_LIMITS.sessionKeptMs);
      const made = await insertLink(db, {
        ...{ hash: digest('link', token), of, expiresAtMs },
        browser: digestIf('browser', browser),
      });
      if (!made) throw noSuchAccount();
      return { token, expiresAtMs };
    },
    /**
     * The session gets a new token, never the browser's; the previous one ends. null: the link is
     * unknown, used or expired. Throws `unauthorized` if another browser requested it.
     */
    signIn: async (
      linkToken: string,
      previousToken: string | null,
      browserToken: string | null = null,
    ): Promise<OpenedSession | null> => {
      if (!TOKEN.test(linkToken)) return null;
      const token = newToken();
      const atMs = clock.nowMs();
      const browser = digestIf('browser', browserToken);
      const link = { hash: digest('link', linkToken), browser, atMs };
      const open = (within: Db) =>
        openSession(within, {
          ...{ linkHash: link.hash, browser, atMs, expiresAtMs: atMs + ACCOUNT_LIMITS.sessionMs },
          ...{ hash: digest('session', token), id: newId('session') },
        });
      const previous = digestIf('session', previousToken);
      const replaced = previous && (await readSession(db, previous, atMs));
      const session = await (replaced === null
        ? open(db)
        : endKeys(deps, replaced.account.id, async (within) => {
            const opened = await open(within);
            if (opened !== null) await endIn(within, replaced, atMs);
            return opened;
          }));
      if (session === null && (await isOfOtherBrowser(db, link))) throw otherBrowser();
      return session === null ? null : { token, session };
    },
    /** Always asks the store, so that ending a session applies everywhere. */
    find: async (token: string) =>
      TOKEN.test(token) ? readSession(db, digest('session', token), clock.nowMs()) : null,
    signOut: async (session: SessionRecord) => {
      const atMs = clock.nowMs();
      await endKeys(deps, session.account.id, (within) => endIn(within, session, atMs));
    },
  };
}

/** With its keys. */
async function endIn(db: Trx, { account, id: sessionId }: SessionRecord, atMs: number) {
  await endSessions(db, { sessionId, atMs });
  await revokeKeys(db, { accountId: account.id, sessionId, atMs });
}

export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update(CSRF_TAG).digest('base64url');
}

export function isCsrfToken(given: string, sessionToken: string): boolean {
  const expected = Buffer.from(csrfTokenOf(sessionToken));
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** Keeps the browser's own token if it has one. */
export function browserTokenOf(held: string | null): string {
  return held !== null && TOKEN.test(held) ? held : newToken();
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Separated by kind: a link token is never a session token. */
function digest(kind: 'link' | 'session' | 'browser', token: string): Buffer {
  return hash('sha256', `${kind} ${token}`, 'buffer');
}

function digestIf(kind: 'session' | 'browser', token: string | null): Buffer | null {
  return token !== null && TOKEN.test(token) ? digest(kind, token) : null;
}

function otherBrowser(): Failure {
  return new Failure('unauthorized', {
    error: 'The sign-in link opens only in the browser that asked for it: ask for one here.',
    errorDa: 'Linket kan kun åbnes i den browser, der bad om det: bed om et nyt her.',
    code: 'link_other_browser',
  });
}
