/** The session cookie (D69), inaccessible to scripts and other sites. */
import { ACCOUNT_LIMITS } from '../../../account/limits.ts';

const NAME = 'svc_session';
/** The link works only in the browser that requested it (D216). */
const LINK_NAME = 'svc_link';
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** null: none, or two of this name, because someone else set one. */
export function sessionTokenOf(cookieHeader: string | undefined): string | null {
  return cookieOf(cookieHeader, NAME);
}

export function linkTokenOf(cookieHeader: string | undefined): string | null {
  return cookieOf(cookieHeader, LINK_NAME);
}

function cookieOf(cookieHeader: string | undefined, cookieName: string): string | null {
  if (cookieHeader === undefined) return null;
  const values = cookieHeader
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1));
  const [only] = values;
  return values.length === 1 && only !== undefined && only !== '' ? only : null;
}

/** Without TLS the cookie may travel on this machine only. */
export function isLocal(publicUrl: string | null, host: string | undefined): boolean {
  const reached = publicUrl === null ? host : URL.parse(publicUrl)?.host;
  return reached !== undefined && LOCAL.test(reached);
}

export function sessionCookie(token: string, { local }: { readonly local: boolean }): string {
  return cookie(token, ACCOUNT_LIMITS.sessionMs / 1000, local);
}

export function noSessionCookie({ local }: { readonly local: boolean }): string {
  return cookie('', 0, local);
}

export function linkCookie(token: string, { local }: { readonly local: boolean }): string {
  const value = `${LINK_NAME}=${token}; Path=/v1/me/session`;
  return withFlags(value, ACCOUNT_LIMITS.signInLinkMs / 1000, local);
}

function cookie(value: string, maxAgeS: number, local: boolean): string {
  return withFlags(`${NAME}=${value}; Path=/`, maxAgeS, local);
}

function withFlags(value: string, maxAgeS: number, local: boolean): string {
  const secure = local ? '' : '; Secure';
  return `${value}; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
}
