import { compareNaturally, compareTexts } from '../../../kernel/compare.ts';
import { toWgs84 } from '../../../geo/project.ts';
import { doorOrder, floorOrder } from '../../../layers/address-text.ts';
import type { UnitAddress } from '../../addresses/addresses.ts';
import type { FloorRow, UnitRow } from '../property.ts';
import { roundTo } from '../../../answers/numbers.ts';
import type { CodeLabels } from '../../../answers/codes.ts';

/** By id; null: unknown to the register. null itself: the index is unavailable. */
export type FindUnitAddress = ((id: string) => Found) | null;
/** `unread`: a row of it could not be read (D143). */
type Found = UnitAddress | 'unread' | null;

export interface UnitSurroundings {
  readonly labels: CodeLabels;
  readonly findAddress: FindUnitAddress;
  /** A record of a past day: addresses are current ones (D87). */
  readonly isAsOf: boolean;
}

const UNAVAILABLE = 'The address register cannot answer now.';
const UNREAD = 'The address register holds a row of this address that cannot be read.';
const UNKNOWN = 'Adresseregistret har ingen adresse med dette id.';
const OF_TODAY = 'Adressen er, som den er i dag; asOf gælder ikke den.';

/** By address in index order, then id (D93). `floors`: of the building, listed or not. */
export function units(
  rows: readonly UnitRow[],
  floors: readonly FloorRow[] | null,
  around: UnitSurroundings,
) {
  const byId = new Map(floors?.map((floor) => [floor.id, floor]));
  const found = rows.map((row) => ({ row, address: addressOf(row, around) }));
  found.sort((a, b) => compareAddresses(a.address, b.address) || compareTexts(a.row.id, b.row.id));
  return found.map(({ row, address }) => unit(row, address, { byId, ...around }));
}

function addressOf({ addressId }: UnitRow, { findAddress }: UnitSurroundings): Found {
  return addressId === null ? null : (findAddress?.(addressId) ?? null);
}

function isAddress(found: Found): found is UnitAddress {
  return found !== null && found !== 'unread';
}

function unit(
  row: UnitRow,
  address: Found,
  around: UnitSurroundings & { readonly byId: ReadonlyMap<string, FloorRow> },
) {
  const { labels, byId } = around;
  const floor = row.floorId === null ? undefined : byId.get(row.floorId);
  return {
    id: row.id,
    anvendelse: labels.field('EnhAnvendelse', row.use),
    areal: { samlet_m2: row.totalArea },
    antal_vaerelser: row.rooms,
    varme: {
      installation: labels.field('Varmeinstallation', row.heating),
      opvarmningsmiddel: labels.field('Opvarmningsmiddel', row.heatingFuel),
    },
    // An unresolved floor is null, never the ground floor.
    etage:
      floor === undefined
        ? null
        : { betegnelse: floor.designation, type: labels.field('EtageType', floor.type) },
    adresse: isAddress(address)
      ? addressShown(address, around)
      : noAddress(row.addressId, address, around),
  };
}

function addressShown(address: UnitAddress, { isAsOf }: UnitSurroundings) {
  const { access, floor, door } = address;
  const { position } = access;
  return {
    id: address.id,
    betegnelse: address.designation,
    vejnavn: access.road.name,
    husnr: access.houseNumber,
    etage: floor,
    doer: door,
    postnr: access.postcode?.code ?? null,
    postnrnavn: access.postcode?.name ?? null,
    kommunekode: access.road.municipalityCode,
    koordinat: position === null ? null : degreesOf(position),
    ...(isAsOf ? { _note: OF_TODAY } : {}),
  };
}

/** D89: an error if the index is unavailable, a note if the register does not know the id. */
function noAddress(id: string | null, found: 'unread' | null, { findAddress }: UnitSurroundings) {
  if (id === null) return { id, betegnelse: null };
  if (found === 'unread') return { id, betegnelse: null, _error: UNREAD };
  return findAddress === null
    ? { id, betegnelse: null, _error: UNAVAILABLE }
    : { id, betegnelse: null, _note: UNKNOWN };
}

/** 7 decimals, a centimetre (D94). */
export function degreesOf(position: { readonly xUtm32: number; readonly yUtm32: number }) {
  const { lon, lat } = toWgs84(position);
  return { lon: roundTo(lon, 7), lat: roundTo(lat, 7) };
}

function compareAddresses(a: Found, b: Found): number {
  if (!isAddress(a) || !isAddress(b)) return Number(!isAddress(a)) - Number(!isAddress(b));
  return (
    compareTexts(a.access.road.name, b.access.road.name) ||
    compareNaturally(a.access.houseNumber, b.access.houseNumber) ||
    floorOrder(a.floor) - floorOrder(b.floor) ||
    compareTexts(a.floor ?? '', b.floor ?? '') ||
    doorOrder(a.door) - doorOrder(b.door) ||
    compareTexts(a.door ?? '', b.door ?? '')
  );
}
