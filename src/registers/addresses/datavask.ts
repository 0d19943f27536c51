import { accessOf } from './addresses.ts';
import type { Cleansed, CleanseKind, WrittenAddress } from './addresses.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { unreadNames } from '../../names/unread-names.ts';
import { openedIndex } from './copy.ts';
import type { AddressAnswer, AddressDeps } from './copy.ts';
import { isTornWith, refuseUnread, unreadAddress } from './unread.ts';

export interface AddressCleansing {
  /**
   * `kind` null: a house or a unit, as written. Throws the Failure (503) when no copy may answer.
   */
  cleanse(written: WrittenAddress, kind: CleanseKind | null): AddressAnswer<Cleansed>;
}

export function createAddressCleansing(deps: AddressDeps): AddressCleansing {
  return {
    cleanse: (written, kind) => {
      const { finder, generation, provenance, unanswered } = openedIndex(deps);
      const found = finder.cleanse(written, kind, LIMITS.cleanseCandidates);
      if (found.candidates.length === 0) {
        refuseUnread(unanswered, 'text' in written ? written.text : written.road);
      }
      const isUnread = found.candidates.some(({ address, successors }) =>
        isTornWith(unanswered, address, successors),
      );
      if (isUnread) throw unreadAddress();
      const value = asSureAs(found, unanswered?.names ?? []);
      return { generation, provenance: [provenance], value };
    },
  };
}

/**
 * Lowers the category to a guess where the match is inexact and the road, as written or as found,
 * has rows that could not be read (D143): one of them may be the address meant. `roads`: their
 * names; null for an unknown one.
 */
export function asSureAs(found: Cleansed, roads: readonly (string | null)[]): Cleansed {
  const [best] = found.candidates;
  if (roads.length === 0 || best === undefined || found.category === 'C') return found;
  const { road, houseNumber, floor, door } = best.differences;
  const outside = best.unknownWords.join(' ');
  const isExact = road + houseNumber + floor + door === 0;
  if (isExact && outside === '') return found;
  const own = accessOf(best.address).road;
  const written = best.read.road ?? '';
  const unread = unreadNames(roads);
  // A misspelt road, or a name left out, may be another road that it resembles.
  const isUnsure =
    unread !== null &&
    (unread.hasUnknown ||
      unread.isIn(outside) ||
      (!isExact && [own.name, written].some((name) => unread.fit(name) === 'same')) ||
      (road > 0 && unread.isIn(written)));
  return isUnsure ? { ...found, category: 'C' } : found;
}
