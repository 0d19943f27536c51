/** Shown as nothing, it would be taken for an answer. */
import { byId, show } from './dom.ts';
import type { Asked } from './place-address.ts';

/** A part of the address that is no view of the map. */
const OTHER_PART = /[#&](?!(?:se|lag|baggrund)=)./;

/** Returns whether it is so. */
export function tellUnread({ place, named }: Asked): boolean {
  const isUnread = place === null && named === null && OTHER_PART.test(window.location.hash);
  show(byId('unread'), isUnread);
  return isUnread;
}
