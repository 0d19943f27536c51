/** How postcodes whose rows could not be read (D143) stand among the ids of a copy of the addresses. */

/** There are some. */
export const UNREAD_POSTCODE = 'postnr';

/** The code of one of them cannot be read. */
export const NAMELESS_POSTCODE = 'postnr ?';

/** The one of this code. */
export function unreadPostcode(code: string): string {
  return `${UNREAD_POSTCODE} ${code}`;
}
