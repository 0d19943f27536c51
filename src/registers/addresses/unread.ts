/** Withholds answers because of unreadable rows of addresses (D143). */
import { Failure } from '../../kernel/failures.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { grown } from '../../geo/bounds.ts';
import { hasUnread, mayBeUnread, meetsUnread } from '../../geo/unanswered.ts';
import { accessOf } from './addresses.ts';
import type { AccessAddress, SearchHit, UnitAddress } from './addresses.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import {
  UNREAD_ADDRESSES,
  UNREAD_PARCEL,
  UNREAD_POSTCODE,
  unreadPostcode,
} from '../../layers/unread-postcodes.ts';
import { SAME_DOOR_M } from './index/successors.ts';
import { unreadNames } from '../../names/unread-names.ts';

type Unread = PublishedCopy['unanswered'];

/** Prefixes and misspelt names count. */
function mayName(unanswered: Unread, text: string): boolean {
  const roads = unreadNames(unanswered?.names);
  if (roads === null) return false;
  return roads.hasUnknown || roads.fit(text) !== null || roads.isIn(text);
}

/**
 * Throws for a text that found nothing and may name a road with unreadable rows; a road of unknown
 * name always may.
 */
export function refuseUnread(unanswered: Unread, text: string): void {
  if (mayName(unanswered, text)) throw unreadAddress();
}

/** Throws for a list that may lack addresses of such a road, or similar ones. */
export function refuseShort(
  unanswered: Unread,
  { text, limit }: { readonly text: string; readonly limit: number },
  found: readonly SearchHit[],
): void {
  if ((unanswered ?? null) === null) return;
  if (found.some(({ address }) => isTorn(unanswered, address))) throw unreadAddress();
  const roads = unreadNames(unanswered?.names);
  if (roads === null) return;
  // A full list may omit others, unless the text has the whole name.
  if (found.length >= limit && !roads.isIn(text)) return;
  // A road of unknown name may be in any list, so it only casts doubt on an empty one.
  const isMeant =
    found.length === 0 ? mayName(unanswered, text) : roads.fit(text) !== null || roads.isIn(text);
  if (isMeant) throw unreadAddress();
}

/** Whether its answer may be wrong or incomplete. */
export function isTorn(unanswered: Unread, address: AccessAddress | UnitAddress): boolean {
  if ((unanswered ?? null) === null) return false;
  const access = accessOf(address);
  return (
    hasUnread(unanswered, address.id) ||
    hasUnread(unanswered, access.id) ||
    hasUnread(unanswered, UNREAD_ADDRESSES) ||
    hasUnread(
      unanswered,
      access.postcode === null ? UNREAD_POSTCODE : unreadPostcode(access.postcode.code),
    ) ||
    (address.bfe === null && hasUnread(unanswered, UNREAD_PARCEL))
  );
}

/**
 * As above; a replacement may also be missing of a road, or at a door, with unreadable rows (D137).
 * `successors` null: the address is in use.
 */
export function isTornWith(
  unanswered: Unread,
  address: AccessAddress | UnitAddress,
  successors: readonly SearchHit[] | null = null,
): boolean {
  if ((unanswered ?? null) === null) return false;
  if (isTorn(unanswered, address)) return true;
  if (successors === null) return false;
  const { road, position: at } = accessOf(address);
  const roads = unreadNames(unanswered?.names);
  const isOfRoad = roads !== null && (roads.hasUnknown || roads.fit(road.name) === 'same');
  const isAtDoor =
    at !== null &&
    meetsUnread(unanswered, grown([at.xUtm32, at.yUtm32, at.xUtm32, at.yUtm32], SAME_DOOR_M));
  return isOfRoad || isAtDoor || successors.some((each) => isTorn(unanswered, each.address));
}

export function unitsOf(
  index: { unit(id: string): UnitAddress | null },
  unanswered: Unread,
): (id: string) => UnitAddress | 'unread' | null {
  return (id) => {
    const found = index.unit(id);
    const isUnread = found === null ? mayBeUnread(unanswered, id) : isTorn(unanswered, found);
    return isUnread ? 'unread' : found;
  };
}

export function unreadAddress(): Failure {
  return new Failure('upstream_unavailable', {
    ...rowError('unreadAddress'),
    retryAfterS: LIMITS.retryAfterS.unreadable,
  });
}
