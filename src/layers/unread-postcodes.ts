/** How unreadable postcodes (D143) are represented among the ids of an address copy. */

export const UNREAD_POSTCODE = 'postnr';

export const NAMELESS_POSTCODE = 'postnr ?';

export function unreadPostcode(code: string): string {
  return `${UNREAD_POSTCODE} ${code}`;
}
