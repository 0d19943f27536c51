/** Access addresses by id, for rows of jobs that name one instead of a point. */
import { mayBeUnread } from '../../geo/unanswered.ts';
import type { JobMemory } from '../../jobs/chunk-types.ts';
import type { AccessMemory } from '../../jobs/data.ts';
import { noAccessAddress } from '../../jobs/kinds/row-reader.ts';
import type { FindAccess } from '../../jobs/kinds/row-reader.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { ADDRESSES } from '../../layers/keys.ts';
import { mayAnswer, noAddresses } from './copy.ts';
import { finderOf } from './index/kept-finder.ts';
import type { AddressesInService } from './load.ts';
import { isTorn, unreadAddress } from './unread.ts';

export interface AccessMemoryParts {
  readonly catalogue: Pick<Catalogue, 'registers'>;
  readonly clock: Clock;
  readonly current: () => AddressesInService | null;
}

/** The addresses in memory, as jobs use them. */
export function accessMemory({ catalogue, clock, current }: AccessMemoryParts): AccessMemory {
  const { freshness, coverage = null } = catalogue.registers[ADDRESSES];
  const isUsable: AccessMemory['mayAnswer'] = ({ copy }) =>
    mayAnswer(copy, freshness, clock.nowMs());
  return {
    current,
    mayAnswer: isUsable,
    findAccess: (id) => {
      const addresses = current();
      if (addresses === null || !isUsable(addresses)) throw noAddresses();
      const known = id.toLowerCase();
      const found = addresses.finder.addressIndex.access(known);
      const { unanswered } = addresses.copy;
      const isUnread = found === null ? mayBeUnread(unanswered, known) : isTorn(unanswered, found);
      if (isUnread) throw unreadAddress();
      if (found === null && coverage !== null) throw noAccessAddress(coverage);
      return found;
    },
  };
}

/** The same in a thread, over the shared index. */
export function findAccessIn(memory: JobMemory): FindAccess {
  return (id) => {
    const found = finderOf(memory).addressIndex.access(id.toLowerCase());
    const { addressLand } = memory;
    if (found === null && addressLand !== null) throw noAccessAddress(addressLand);
    return found;
  };
}
