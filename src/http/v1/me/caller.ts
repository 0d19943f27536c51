/** Who asks an account's routes: somebody signed in, or a key. */
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../../account/principal.ts';
import { Failure } from '../../../kernel/failures.ts';
import type { AccountServices } from '../../services.ts';
import { sessionTokenOf } from '../session/cookie.ts';
import { signedInOf } from '../session/gate.ts';
import type { SignedIn } from '../session/gate.ts';
import { notSignedIn } from '../session/routes.ts';

const BEARER = /^Bearer +(\S+) *$/i;

/** The key a request shows; the header wins over the address. null: none. */
export function shownKey({ headers, query }: Pick<FastifyRequest, 'headers' | 'query'>) {
  const { authorization } = headers;
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1] ?? '';
  const { token } = query as { readonly token?: unknown };
  if (token === undefined) return null;
  return typeof token === 'string' ? token : '';
}

/** What a key is; throws a Failure when it is none, or may not ask for accounts. */
export async function principalOf(
  secret: string,
  { keys }: Pick<AccountServices, 'keys'>,
): Promise<Principal> {
  const principal = await keys.find(secret);
  if (principal === null) {
    throw new Failure('unauthorized', {
      error: 'The API key is not valid.',
      errorDa: 'API-nøglen er ugyldig.',
      code: 'api_key_invalid',
    });
  }
  if (principal.kind === 'secret') return principal;
  throw new Failure('forbidden', {
    error: 'A public key may not be used here.',
    errorDa: 'En offentlig nøgle må ikke bruges her.',
    code: 'public_key_scope',
    headers: environmentOf(principal),
  });
}

/** What every answer to a test key says, refusals included (D65). */
export function environmentOf({ environment }: Principal): Record<string, string> {
  return environment === 'test' ? { 'x-service-environment': 'test' } : {};
}

/**
 * Somebody signed in, or a Failure: `forbidden` for a key, which manages nothing, `unauthorized` for
 * nobody.
 */
export async function requireSession(
  request: FastifyRequest,
  accounts: AccountServices,
  ownOrigin: string | null,
): Promise<SignedIn> {
  const signedIn = await signedInOf(request, accounts, ownOrigin);
  if (signedIn !== null) return signedIn;
  const secret = shownKey(request);
  if (secret === null) throw notSignedIn(sessionTokenOf(request.headers.cookie) !== null);
  const principal = await principalOf(secret, accounts);
  throw new Failure('forbidden', {
    error: 'An API key cannot manage an account: sign in instead.',
    errorDa: 'En API-nøgle kan ikke styre en konto: log ind i stedet.',
    headers: environmentOf(principal),
  });
}
