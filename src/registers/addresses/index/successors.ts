/**
 * Replacements of a retired address (D137). For a house: those in use on its road with its number
 * and any letter, or at its position. For a flat: those of its house, or of that house's
 * replacements, with its floor and door as far as it had any.
 */
import { LIMITS } from '../../../kernel/limits.ts';
import { accessOf } from '../addresses.ts';
import type { AccessAddress, SearchHit, UnitAddress } from '../addresses.ts';
import { houseNumberOrder, NUMBER_STEP } from '../../../layers/address-text.ts';
import { STATUS_OF } from './index-format.ts';
import type { Columns } from './columns.ts';

const SAME_NUMBER_M = 150;
/** With another number it is the same door. */
export const SAME_DOOR_M = 2;
const LAST_LIVING = 3;

export interface Records {
  readonly columns: Columns;
  accessAt(place: number): AccessAddress;
  unitsOf(place: number): readonly UnitAddress[];
}

/** At most `LIMITS.successors`, nearest first. null: in use. */
export function successorsOf(
  records: Records,
  address: AccessAddress | UnitAddress,
): readonly SearchHit[] | null {
  if (address.status <= LAST_LIVING) return null;
  const access = accessOf(address);
  const places =
    access.status <= LAST_LIVING ? [placeOf(records, access)] : houses(records, access);
  if (!('access' in address)) return places.slice(0, LIMITS.successors).map(toHit(records));
  const units = places.flatMap((place) => {
    return records.unitsOf(place).filter((unit) => isWithin(unit, address));
  });
  const hits = units.map((unit) => ({ kind: 'unit', address: unit }) as const);
  if (hits.length > 0) return hits.slice(0, LIMITS.successors);
  return access.status <= LAST_LIVING ? [] : places.slice(0, LIMITS.successors).map(toHit(records));
}

function toHit(records: Records): (place: number) => SearchHit {
  return (place) => ({ kind: 'access', address: records.accessAt(place) });
}

function placeOf({ columns }: Records, { id }: AccessAddress): number {
  return columns.accessIds.find(id);
}

function isWithin({ floor, door }: UnitAddress, gone: UnitAddress): boolean {
  return (
    (gone.floor === null || gone.floor === floor) && (gone.door === null || gone.door === door)
  );
}

function houses(records: Records, gone: AccessAddress): readonly number[] {
  const { accessRoad, accessesByRoad, accessStatus, roadStarts } = records.columns;
  const place = placeOf(records, gone);
  const road = accessRoad[place]!;
  const found: { readonly place: number; readonly metres: number }[] = [];
  for (let i = roadStarts[road]!; i < roadStarts[road + 1]!; i++) {
    const other = accessesByRoad[i]!;
    if ((accessStatus[other]! & STATUS_OF) > LAST_LIVING) continue;
    const address = records.accessAt(other);
    const metres = distance(gone, address);
    const isSameNumber = numberOf(address) === numberOf(gone);
    if (metres <= (isSameNumber ? SAME_NUMBER_M : SAME_DOOR_M))
      found.push({ place: other, metres });
  }
  // The input is by number, and the sort is stable.
  return found.sort((a, b) => a.metres - b.metres).map(({ place: other }) => other);
}

function numberOf({ houseNumber }: Pick<AccessAddress, 'houseNumber'>): number {
  return Math.floor(houseNumberOrder(houseNumber) / NUMBER_STEP);
}

/** 0 where one has no point, so that only the number decides. */
function distance({ position, houseNumber }: AccessAddress, other: AccessAddress): number {
  if (position !== null && other.position !== null) {
    return Math.hypot(
      position.xUtm32 - other.position.xUtm32,
      position.yUtm32 - other.position.yUtm32,
    );
  }
  return numberOf(other) === numberOf({ houseNumber }) ? 0 : Infinity;
}
