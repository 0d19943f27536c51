/** Access addresses by id, for job rows that name one instead of a point. */
import { mayBeUnread } from '../../geo/unanswered.ts';
import type { JobMemory } from '../../core/rows/chunk-types.ts';
import type { AccessMemory } from '../../core/rows/access-memory.ts';
import { noAccessAddress } from '../../core/rows/row-reader.ts';
import type { FindAccess } from '../../core/rows/row-reader.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failures.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { ADDRESSES } from '../../layers/keys.ts';
import { cleansedIn, cleansedRow, sureAddress, writtenOf } from './cleansed-row.ts';
import { heldStanding, notHere, tooOld } from '../../core/standing/standing.ts';
import { finderOf } from './index/kept-finder.ts';
import type { AddressesInService } from './load.ts';
import type { Addresses } from './lookup.ts';
import { isTorn, unreadAddress } from './unread.ts';

export interface AccessMemoryParts extends Pick<AccessMemory, 'isLacking'> {
  readonly catalogue: Pick<Catalogue, 'registers'>;
  readonly clock: Clock;
  readonly current: () => AddressesInService | null;
  readonly addresses: Pick<Addresses, 'cleansing'>;
}

export function accessMemory(parts: AccessMemoryParts): AccessMemory {
  const { catalogue, clock, current, addresses, isLacking } = parts;
  const register = catalogue.registers[ADDRESSES];
  const { coverage = null } = register;
  const isUsable: AccessMemory['mayAnswer'] = ({ copy }) =>
    heldStanding({ clock }, register, copy) !== null;
  const byId: FindAccess['byId'] = (id) => {
    const held = current();
    if (held === null) throw notHere(register);
    if (!isUsable(held)) throw tooOld(register);
    const known = id.toLowerCase();
    const found = held.finder.addressIndex.access(known);
    const { unanswered } = held.copy;
    const isUnread = found === null ? mayBeUnread(unanswered, known) : isTorn(unanswered, found);
    if (isUnread) throw unreadAddress();
    if (found === null && coverage !== null) throw noAccessAddress(coverage);
    return found;
  };
  const written: FindAccess['written'] = (row) => {
    const cleansed = cleansedRow(addresses, writtenOf(row));
    if (cleansed instanceof Failure) throw cleansed;
    return sureAddress(cleansed.value, coverage);
  };
  return { current, isLacking, mayAnswer: isUsable, findAccess: { byId, written } };
}

export function findAccessIn(memory: JobMemory): FindAccess {
  const { addressLand } = memory;
  return {
    byId: (id) => {
      const found = finderOf(memory).addressIndex.access(id.toLowerCase());
      if (found === null && addressLand !== null) throw noAccessAddress(addressLand);
      return found;
    },
    written: (row) => sureAddress(cleansedIn(finderOf(memory), writtenOf(row)), addressLand),
  };
}
