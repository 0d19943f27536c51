/** Addresses, where this environment has them. */
import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { Addresses } from '../../../lookups/addresses.ts';
import { SERVICE_VERSION } from '../../../kernel/identity.ts';
import type { Services } from '../../services.ts';

/** Throws upstream_unavailable where addresses are not set up. */
export function configuredAddresses({ addresses }: Services): Addresses {
  if (addresses !== undefined) return addresses;
  throw new Failure('upstream_unavailable', {
    error: 'Addresses are not configured in this environment.',
    errorDa: 'Adresser er ikke sat op i dette miljø.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}

export function addressMeta({ sourceNames }: Services) {
  return { kilde: sourceNames.addresses ?? 'DAR', service_version: SERVICE_VERSION };
}
