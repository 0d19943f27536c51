/** What the kinds that ask about addresses have in common. */
import type { FoundAccess, RowReader } from '../../core/rows/row-reader.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import { accessOf } from './addresses.ts';
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

/**
 * The whole text if given, with floor, door, postcode and town; else the parts (D72, D145). Throws
 * invalid_request.
 */
export function writtenOf(row: RowReader): WrittenAddress {
  const part = (role: 'husnr' | 'etage' | 'doer' | 'postnr' | 'by'): string | null => {
    const found = row.text(role);
    return found === null ? null : fitting(found);
  };
  const text = row.text('adresse');
  const beside = {
    floor: part('etage'),
    door: part('doer'),
    postcode: part('postnr'),
    town: part('by'),
  };
  if (text !== null) return { text: fitting(text), ...beside };
  const road = row.text('vej');
  if (road === null) {
    throw new Failure('invalid_request', rowError('addressEmpty'));
  }
  return { road: fitting(road), houseNumber: part('husnr'), ...beside };
}

function fitting(text: string): string {
  const { max } = LIMITS.addressTextChars;
  if (text.length <= max) return text;
  throw new Failure('invalid_request', rowError('addressTooLong', { max }));
}

/** Of a copy that covers a part of the country the address may exist elsewhere. */
export function noAddressAlike(coverage: Pick<Coverage, 'name'> | null): Failure {
  return unknownTo(coverage, rowError('noAddressAlike'));
}

/** How many addresses the error of an unsure row names (D145). */
const CANDIDATES_NAMED = 3;

/**
 * The place and the property of an address that is sure or nearly sure (D97, D145). Throws the
 * Failure of the row for a guess (C), which names the nearest addresses.
 */
export function sureAddress(
  { category, candidates }: Cleansed,
  coverage: Pick<Coverage, 'name'> | null,
): FoundAccess {
  const [best] = candidates;
  if (best === undefined) throw noAddressAlike(coverage);
  if (category !== 'A' && category !== 'B') {
    const named = candidates.slice(0, CANDIDATES_NAMED);
    const nearest = named.map(({ address }) => address.designation).join('; ');
    throw unknownTo(coverage, rowError('addressUnsure', { nearest }));
  }
  return { position: accessOf(best.address).position, bfe: best.address.bfe };
}
