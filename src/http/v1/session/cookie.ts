/** The session's cookie (D69): `svc_session`, out of reach of scripts and of other sites' requests. */
import { ACCOUNT_LIMITS } from '../../../account/limits.ts';

const NAME = 'svc_session';
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/**
 * The token a request carries; null: none. Two cookies of this name are none as well: one of them
 * was set by somebody else, and nobody can tell which.
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

/** Whether the cookie may travel without TLS: on this machine alone. */
export function isLocal(publicUrl: string | null, host: string | undefined): boolean {
  const reached = publicUrl === null ? host : URL.parse(publicUrl)?.host;
  return reached !== undefined && LOCAL.test(reached);
}

export function sessionCookie(token: string, { local }: { readonly local: boolean }): string {
  return cookie(token, ACCOUNT_LIMITS.sessionMs / 1000, local);
}

/** Takes the cookie back. */
export function noSessionCookie({ local }: { readonly local: boolean }): string {
  return cookie('', 0, local);
}

function cookie(value: string, maxAgeS: number, local: boolean): string {
  const secure = local ? '' : '; Secure';
  return `${NAME}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
}
