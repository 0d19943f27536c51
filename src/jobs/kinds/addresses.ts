import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Cleansed, WrittenAddress } from '../../registers/addresses/addresses.ts';
import type { AddressAnswer } from '../../registers/addresses/copy.ts';
import type { Addresses } from '../../registers/addresses/lookup.ts';
import type { Lookups } from './kind.ts';
import { rowError } from '../row-errors.ts';

/** A written address's match; a Failure concerns only the row. */
export function cleansedRow(
  lookups: Lookups,
  written: WrittenAddress,
): AddressAnswer<Cleansed> | Failure {
  const { cleansing } = lookupsOfAddresses(lookups);
  try {
    return cleansing.cleanse(written, null);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Throws upstream_unavailable where addresses are not set up, as the routes do. */
export function lookupsOfAddresses({ addresses }: Lookups): Addresses {
  if (addresses !== undefined) return addresses;
  throw new Failure('upstream_unavailable', {
    ...rowError('noAddresses'),
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}
