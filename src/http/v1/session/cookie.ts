/** The session cookie (D69): `svc_session`, inaccessible to scripts and other sites' requests. */
import { ACCOUNT_LIMITS } from '../../../account/limits.ts';

const NAME = 'svc_session';
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/**
 * The token of a request; null: none. Two cookies of this name count as none, because one was set
 * by someone else.
 */
export function sessionTokenOf(cookieHeader: string | undefined): string | null {
  if (cookieHeader === undefined) return null;
  const values = cookieHeader
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${NAME}=`))
    .map((pair) => pair.slice(NAME.length + 1));
  const [only] = values;
  return values.length === 1 && only !== undefined && only !== '' ? only : null;
}

/** Whether the cookie may travel without TLS: only on this machine. */
export function isLocal(publicUrl: string | null, host: string | undefined): boolean {
  const reached = publicUrl === null ? host : URL.parse(publicUrl)?.host;
  return reached !== undefined && LOCAL.test(reached);
}

export function sessionCookie(token: string, { local }: { readonly local: boolean }): string {
  return cookie(token, ACCOUNT_LIMITS.sessionMs / 1000, local);
}

/** Clears the cookie. */
export function noSessionCookie({ local }: { readonly local: boolean }): string {
  return cookie('', 0, local);
}

function cookie(value: string, maxAgeS: number, local: boolean): string {
  const secure = local ? '' : '; Secure';
  return `${NAME}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
}
