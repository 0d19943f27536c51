export const LINE_SOURCES = 'Danmarks Miljøportal, Slots- og Kulturstyrelsen, Matriklen';
