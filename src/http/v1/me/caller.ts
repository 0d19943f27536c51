import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../../account/principal.ts';
import { mayAct } from '../../../account/roles.ts';
import type { Role } from '../../../account/roles.ts';
import { clientOf } from '../../../kernel/client-address.ts';
import { Failure } from '../../../kernel/failures.ts';
import { shownKey, senderOfRequest } from '../../access.ts';
import type { AccountServices, Services } from '../../services.ts';
import { Visit } from '../../visit.ts';
import { invalidKey, publicKeyScope } from '../../wire/key-refusals.ts';
import { sessionTokenOf } from '../session/cookie.ts';
import { notSignedIn, signedInOf } from '../session/gate.ts';
import type { SignedIn } from '../session/gate.ts';

/** Throws for an invalid key, or one without the permission. */
async function principalOf(
  secret: string,
  client: string,
  { keys }: Pick<AccountServices, 'keys'>,
): Promise<Principal> {
  const principal = await keys.find(secret, client);
  if (principal === null) throw invalidKey();
  if (principal.kind === 'secret') return principal;
  throw publicKeyScope();
}

/** Takes a burst token; throws when none is left. */
export async function admitKey(
  request: FastifyRequest,
  secret: string,
  { services, accounts }: { readonly services: Services; readonly accounts: AccountServices },
): Promise<Principal> {
  const sender = senderOfRequest(request);
  const found = await principalOf(secret, clientOf(sender), accounts);
  if (services.access === null) return found;
  const visit = new Visit(services.access.meter, found, sender);
  // A refusal carries the key's limits too.
  request.visit = visit;
  visit.admit();
  return visit.principal;
}

/** Throws `forbidden` for keys and for a person without the role, else `unauthorized`. */
export async function requireSession(
  request: FastifyRequest,
  accounts: AccountServices,
  ownOrigin: string | null,
): Promise<SignedIn> {
  const signedIn = await signedInOf(request, accounts, ownOrigin);
  if (signedIn !== null) {
    refuseRole(signedIn, request.routeOptions.config.role ?? 'administers');
    return signedIn;
  }
  const secret = shownKey(request);
  if (secret === null) throw notSignedIn(sessionTokenOf(request.headers.cookie) !== null);
  await principalOf(secret, clientOf(senderOfRequest(request)), accounts);
  throw new Failure('forbidden', {
    error: 'An API key cannot manage an account: sign in instead.',
    errorDa: 'En API-nøgle kan ikke styre en konto: log ind i stedet.',
  });
}

/** Throws `forbidden` without the role (D216). */
export function refuseRole({ session }: SignedIn, needed: Role): void {
  if (mayAct(session.person.roles, needed)) return;
  throw noRole(needed);
}

export function noRole(needed: Role): Failure {
  return new Failure('forbidden', {
    error: `You are signed in without the role ${needed}: ask one who administers the account.`,
    errorDa: `Du er logget ind uden rollen ${ROLE_DA[needed]}: spørg en, der administrerer kontoen.`,
    code: 'role_missing',
  });
}

const ROLE_DA = { reads: 'læser', uses: 'bruger', pays: 'betaler', administers: 'administrerer' };
