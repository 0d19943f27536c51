/** An address as somebody wrote it, to those the register knows, with how sure that is. */
import type { Cleansed, CleanseKind, WrittenAddress } from '../layers/addresses.ts';
import { LIMITS } from '../kernel/limits.ts';
import { openedIndex } from '../memory/address-copy.ts';
import type { AddressAnswer, AddressDeps } from '../memory/address-copy.ts';

export interface AddressCleansing {
  /** `kind` null: a house or a unit, as is written. Throws the Failure (503) when no copy may answer. */
  cleanse(written: WrittenAddress, kind: CleanseKind | null): AddressAnswer<Cleansed>;
}

export function createAddressCleansing(deps: AddressDeps): AddressCleansing {
  return {
    cleanse: (written, kind) => {
      const { finder, generation, provenance } = openedIndex(deps);
      const value = finder.cleanse(written, kind, LIMITS.cleanseCandidates);
      return { generation, provenance: [provenance], value };
    },
  };
}
