import { registerMeta } from '../../answers/register-meta.ts';
import type { RegisterMeta } from '../../answers/register-meta.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { ADDRESSES } from '../../layers/keys.ts';

export function addressMeta({
  catalogue,
  isInvented,
}: {
  readonly catalogue: Pick<Catalogue, 'registers'>;
  readonly isInvented: boolean;
}): RegisterMeta {
  return registerMeta(sourceNameOf('DAR', { isInvented }), catalogue.registers[ADDRESSES].coverage);
}
