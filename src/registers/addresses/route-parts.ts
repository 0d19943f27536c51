import type { RegisterMeta } from '../../answers/register-meta.ts';
import type { Coverage } from '../../layers/coverage.ts';
import type { Addresses } from './lookup.ts';

export interface AddressRouteParts {
  readonly addresses: Addresses;
  readonly meta: RegisterMeta;
  readonly coverage: Coverage | null;
}
