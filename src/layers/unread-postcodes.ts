/** Names of unreadable postcodes and parcels (D143) among the ids of a copy of the addresses. */
import type { UnansweredPlaces } from '../geo/unanswered.ts';

export const UNREAD_POSTCODE = 'postnr';

export const NAMELESS_POSTCODE = 'postnr ?';

export function unreadPostcode(code: string): string {
  return `${UNREAD_POSTCODE} ${code}`;
}

/** Some parcels are unreadable: which addresses have them is unknown. */
export const UNREAD_PARCEL = 'jordstykke';

/** More addresses are concerned than are listed: any may be. */
export const UNREAD_ADDRESSES = 'adresser';

export function withParcels(
  own: UnansweredPlaces | null,
  parcels: UnansweredPlaces | null,
): UnansweredPlaces | null {
  if ((parcels?.objects ?? []).length === 0) return own;
  const { objects = [], ...rest } = own ?? { unreadable: [] };
  return { ...rest, objects: [...objects, UNREAD_PARCEL] };
}
