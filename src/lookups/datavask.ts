/** An address as somebody wrote it, to those the register knows, with how sure that is. */
import type { Washed, WashKind, WrittenAddress } from '../layers/addresses.ts';
import { LIMITS } from '../kernel/limits.ts';
import { openedBook } from '../memory/address-copy.ts';
import type { AddressAnswer, AddressDeps } from '../memory/address-copy.ts';

export interface AddressWash {
  /** `kind` null: a house or a unit, as is written. Throws the Failure (503) when no copy may answer. */
  wash(written: WrittenAddress, kind: WashKind | null): AddressAnswer<Washed>;
}

export function createAddressWash(deps: AddressDeps): AddressWash {
  return {
    wash: (written, kind) => {
      const { finder, generation, provenance } = openedBook(deps);
      const value = finder.wash(written, kind, LIMITS.washCandidates);
      return { generation, provenance: [provenance], value };
    },
  };
}
