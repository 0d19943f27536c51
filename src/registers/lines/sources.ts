/** `meta.kilde` of lines. */
export const LINE_SOURCES = 'Danmarks Miljøportal, Slots- og Kulturstyrelsen, Matriklen';
