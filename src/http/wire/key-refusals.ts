import type { Area } from '../../account/permissions.ts';
import { leastTierWithBatches } from '../../account/plans.ts';
import type { Plans, Tier } from '../../account/plans.ts';
import { Failure } from '../../kernel/failures.ts';
import type { CodeOf } from '../../kernel/failures.ts';

export function unauthorized(
  code: CodeOf<'unauthorized'>,
  text: { readonly error: string; readonly errorDa: string },
  realm = 'geoopslag',
) {
  const headers = { 'www-authenticate': `Bearer realm="${realm}"` };
  return new Failure('unauthorized', { ...text, code, headers });
}

export function noKey(): Failure {
  return unauthorized('api_key_missing', {
    error:
      'An API key is needed: send it as Authorization: Bearer <key>, or as the parameter token.',
    errorDa:
      'Der skal bruges en API-nøgle: send den som Authorization: Bearer <nøgle> eller token.',
  });
}

export function noReadableKey(isInHeader: boolean): Failure {
  return unauthorized('api_key_invalid', {
    error: isInHeader
      ? 'The Authorization header must be: Bearer <API key>.'
      : 'The parameter token must be one API key.',
    errorDa: isInHeader
      ? 'Headeren Authorization skal være: Bearer <API-nøgle>.'
      : 'Parameteren token skal være én API-nøgle.',
  });
}

export function invalidKey(): Failure {
  return unauthorized('api_key_invalid', {
    error: 'The API key is not valid: unknown, revoked or expired.',
    errorDa: 'API-nøglen er ugyldig: ukendt, tilbagekaldt eller udløbet.',
  });
}

export function publicKeyScope(): Failure {
  return new Failure('public_key_scope', {
    error: 'A public key does not work on this operation; use a secret key from a server.',
    errorDa: 'En offentlig nøgle virker ikke her; brug en hemmelig nøgle fra en server.',
  });
}

export function scopeMissing(areas: readonly Area[]): Failure {
  return new Failure('forbidden', {
    code: 'key_scope_missing',
    error: `The key's permission does not cover ${areas.join(' or ')}.`,
    errorDa: `Nøglens rettighed dækker ikke ${areas.join(' eller ')}.`,
  });
}

export function originNotAllowed(): Failure {
  return new Failure('origin_not_allowed', {
    error: 'The Origin (else the Referer) of the request is not among those of the public key.',
    errorDa: 'Forespørgslens Origin (ellers Referer) er ikke blandt den offentlige nøgles.',
  });
}

export function notOurPage(): Failure {
  return new Failure('origin_not_allowed', {
    error: "The open trial answers this service's own pages alone: sign in to make a key.",
    errorDa: 'Den åbne prøve svarer kun tjenestens egne sider: log ind, og lav en nøgle.',
  });
}

/** Visitors may ask one lookup at a time (D152). */
export function noTrialBatch(): Failure {
  return new Failure('plan_required', {
    error: 'The open trial answers one lookup at a time: sign in to make a key for batches.',
    errorDa: 'Den åbne prøve svarer på ét opslag ad gangen: log ind, og lav en nøgle til batch.',
  });
}

export function noBatches(plans: Plans, tier: Tier): Failure {
  const least = leastTierWithBatches(plans) ?? 'a higher plan';
  return new Failure('plan_required', {
    error: `Batches and jobs need the plan ${least} or higher; this account has ${tier}.`,
    errorDa: `Batch og job kræver abonnementet ${least} eller højere; kontoen har ${tier}.`,
  });
}
