/** What the kinds that ask about addresses have in common. */
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Addresses } from '../../lookups/addresses.ts';
import type { Lookups } from './kind.ts';
import { rowError } from '../row-errors.ts';

/** Throws upstream_unavailable where addresses are not set up, as the routes do. */
export function lookupsOfAddresses({ addresses }: Lookups): Addresses {
  if (addresses !== undefined) return addresses;
  throw new Failure('upstream_unavailable', {
    ...rowError('noAddresses'),
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}
