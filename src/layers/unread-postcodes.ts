/** How postcodes and parcels whose rows could not be read (D143) stand among the ids of a copy of the addresses. */
import type { UnansweredPlaces } from '../geo/unanswered.ts';

export const UNREAD_POSTCODE = 'postnr';

export const NAMELESS_POSTCODE = 'postnr ?';

export function unreadPostcode(code: string): string {
  return `${UNREAD_POSTCODE} ${code}`;
}

/** There are parcels: which property an address has that is told none, nobody knows. */
export const UNREAD_PARCEL = 'jordstykke';

/** More addresses are concerned than are listed: any may be. */
export const UNREAD_ADDRESSES = 'adresser';

/** What a copy of the addresses and its cadastre could not read. */
export function withParcels(
  own: UnansweredPlaces | null,
  parcels: UnansweredPlaces | null,
): UnansweredPlaces | null {
  if ((parcels?.objects ?? []).length === 0) return own;
  const { objects = [], ...rest } = own ?? { unreadable: [] };
  return { ...rest, objects: [...objects, UNREAD_PARCEL] };
}
