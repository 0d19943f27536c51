/** Addresses, where this environment has them. */
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Addresses } from './lookup.ts';
import { registerMeta } from '../../answers/register-meta.ts';
import type { RegisterMeta } from '../../answers/register-meta.ts';
import type { Coverage } from '../../layers/coverage.ts';
import type { Services } from '../../http/services.ts';

/** Throws upstream_unavailable where addresses are not set up. */
export function configuredAddresses({ addresses }: Services): Addresses {
  if (addresses !== undefined) return addresses;
  throw new Failure('upstream_unavailable', {
    error: 'Addresses are not configured in this environment.',
    errorDa: 'Adresser er ikke sat op i dette miljø.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}

export function addressMeta({ sourceNames, catalogue }: Services): RegisterMeta {
  return registerMeta(sourceNames.addresses ?? 'DAR', catalogue.registers.adresser.coverage);
}

/** That nothing fits was measured: one unit (D62), unless what fits may lie where the copy covers nothing (D142). */
export function unitsOfFound(found: number, coverage: Coverage | null | undefined): number {
  return found === 0 && coverage ? 0 : 1;
}
