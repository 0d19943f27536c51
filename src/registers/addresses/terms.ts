/** The terms of addresses, where the mirror looks for them; their home is where the book reads them too. */
export type * from '../../layers/addresses.ts';
export { WASH_FIELDS } from '../../layers/addresses.ts';
