/** A small invented country of addresses, built once for a test file. */
import { Land } from '../../bench/national/land.ts';
import { nationalAddresses } from '../../bench/national/addresses.ts';
import type { OpenAddressBook } from '../../src/addresses/book.ts';
import { openAddressBook } from '../../src/addresses/book.ts';
import { buildAddressBook } from '../../src/addresses/build-book.ts';

/** About 2.4 million access addresses times `scale`. */
export function inventedBook(scale: number): OpenAddressBook {
  const buffer = buildAddressBook(1, nationalAddresses(new Land(scale)));
  return openAddressBook(buffer, { verified: true });
}
