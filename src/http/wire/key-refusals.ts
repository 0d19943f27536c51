import type { Area } from '../../account/permissions.ts';
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
