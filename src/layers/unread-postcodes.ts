/** How unreadable postcodes (D143) are represented among the ids of an address copy. */

/** There are some. */
export const UNREAD_POSTCODE = 'postnr';

/** One of them has an unreadable code. */
export const NAMELESS_POSTCODE = 'postnr ?';

/** The one with this code. */
export function unreadPostcode(code: string): string {
  return `${UNREAD_POSTCODE} ${code}`;
}
