/** What the kinds that ask about addresses have in common. */
import { Failure } from '../../kernel/failures.ts';
import type { Cleansed, WrittenAddress } from './addresses.ts';
import type { AddressAnswer } from './copy.ts';
import type { Addresses } from './lookup.ts';

/** What a written address of a row means; the Failure is the row's alone. */
export function cleansedRow(
  { cleansing }: Pick<Addresses, 'cleansing'>,
  written: WrittenAddress,
): AddressAnswer<Cleansed> | Failure {
  try {
    return cleansing.cleanse(written, null);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
