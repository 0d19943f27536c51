/** Shared by the job kinds that look up addresses. */
import { withLetter } from '../../core/rows/address-values.ts';
import type { FoundAccess, RowReader, UnreadCell } from '../../core/rows/row-reader.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import { accessOf } from './addresses.ts';
import type { AddressFinder, Cleansed, WrittenAddress } from './addresses.ts';
import type { AddressAnswer } from './copy.ts';
import type { Addresses } from './lookup.ts';
import { mayDecide } from './unread-cells.ts';

export interface WrittenRow {
  readonly written: WrittenAddress;
  readonly unread: readonly UnreadCell[];
}

/** `unread`: unread columns that may decide the address; the category is then C (D154). */
export type CleansedRow = Cleansed & { readonly unread: readonly string[] };

export function cleansedRow(
  { cleansing }: Pick<Addresses, 'cleansing'>,
  { written, unread }: WrittenRow,
): AddressAnswer<CleansedRow> | Failure {
  try {
    const found = cleansing.cleanse(written, null);
    const cleanse = (other: WrittenAddress) => cleansing.cleanse(other, null).value;
    return { ...found, value: asSureAsRead(found.value, unread, cleanse) };
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

export function cleansedIn(
  finder: Pick<AddressFinder, 'cleanse'>,
  { written, unread }: WrittenRow,
): CleansedRow {
  const cleanse = (other: WrittenAddress) => finder.cleanse(other, null, LIMITS.cleanseCandidates);
  return asSureAsRead(cleanse(written), unread, cleanse);
}

function asSureAsRead(
  found: Cleansed,
  cells: readonly UnreadCell[],
  cleanse: (written: WrittenAddress) => Cleansed,
): CleansedRow {
  const [best] = found.candidates;
  const isSure = found.category === 'A' || found.category === 'B';
  if (best === undefined || !isSure || cells.length === 0) return { ...found, unread: [] };
  const unread = cells.filter((cell) => mayDecide(cell, best, cleanse)).map(({ column }) => column);
  return unread.length === 0 ? { ...found, unread } : { ...found, category: 'C', unread };
}

type PartRole = 'husnr' | 'bogstav' | 'etage' | 'doer' | 'postnr' | 'by';

/**
 * The whole text with letter, floor, door, postcode and town; else the parts (D72, D145). Throws
 * invalid_request.
 */
export function writtenOf(row: RowReader): WrittenRow {
  const part = (role: PartRole): string | null => {
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
  const [number, letter] = [part('husnr'), part('bogstav')];
  const road =
    text === null || (number !== null && !/\d/.test(text)) ? (text ?? row.text('vej')) : null;
  if (road !== null) {
    const houseNumber = number === null ? null : withLetter(number, letter);
    const unread = row.unreadCells(text === null ? ['bogstav'] : ['vej', 'bogstav']);
    return { written: { road: fitting(road), houseNumber, ...beside }, unread };
  }
  if (text === null) throw row.lacking('addressEmpty');
  const unread = row.unreadCells(['vej', 'husnr', 'bogstav']);
  return { written: { text: withLetter(fitting(text), letter), ...beside }, unread };
}

function fitting(text: string): string {
  const { max } = LIMITS.addressTextChars;
  if (text.length <= max) return text;
  throw new Failure('invalid_request', rowError('addressTooLong', { max }));
}

/** Where a copy covers a part of the country the address may exist elsewhere. */
export function noAddressAlike(coverage: Pick<Coverage, 'name'> | null): Failure {
  return unknownTo(coverage, rowError('noAddressAlike'));
}

const CANDIDATES_NAMED = 3;

/**
 * Place and property of a sure or nearly sure address (D97, D145). Throws for a guess (C), naming
 * the nearest addresses.
 */
export function sureAddress(
  { category, candidates, unread }: CleansedRow,
  coverage: Pick<Coverage, 'name'> | null,
): FoundAccess {
  const [best] = candidates;
  if (best === undefined) throw noAddressAlike(coverage);
  if (category !== 'A' && category !== 'B') {
    const named = candidates.slice(0, CANDIDATES_NAMED);
    const nearest = named.map(({ address }) => address.designation).join('; ');
    if (unread.length === 0) throw unknownTo(coverage, rowError('addressUnsure', { nearest }));
    const column = unread.map((name) => JSON.stringify(name)).join(', ');
    throw unknownTo(coverage, rowError('columnUnread', { column, nearest }));
  }
  return { position: accessOf(best.address).position, bfe: best.address.bfe };
}
