/** The fields of addresses in DAWA's order; `null`: no mirror knows it. */
import type { AreaNames } from '../../answers/answer.ts';
import type { Theme } from '../../layers/keys.ts';
import { accessOf } from '../../registers/addresses/addresses.ts';
import type { AccessAddress, UnitAddress } from '../../registers/addresses/addresses.ts';
import { provinceOf } from '../../registers/areas/provinces.ts';
import type { NamedParcel } from '../../registers/cadastre/parcel-lookup.ts';
import type { NamedPlace } from '../../registers/places/places.ts';
import { ddknOf, kvhOf, kvhxOf, pairOf, statusOf } from './codes.ts';

export interface AddressRow<A extends AccessAddress | UnitAddress = AccessAddress | UnitAddress> {
  readonly address: A;
  /** null: unknown, or there is no point to ask for. */
  readonly areas: AreaNames | null;
  /** The one that it lies in; null: none, several or unknown. */
  readonly parcel: NamedParcel | null;
  /** Absent: unknown. */
  readonly towns?: readonly NamedPlace[];
  readonly base: string;
  readonly srid: 4326 | 25832;
}

export type Value<R> = ((row: R) => unknown) | null;
export type Fields<R> = readonly (readonly [name: string, value: Value<R>])[];

export function valuesBy<R>(fields: Fields<R>, row: R): Record<string, unknown> {
  return Object.fromEntries(fields.map(([name, value]) => [name, value?.(row) ?? null]));
}

const access = ({ address }: AddressRow): AccessAddress => accessOf(address);

export const areaOf = (
  { areas }: Pick<AddressRow, 'areas'>,
  theme: Theme,
): { readonly code: string; readonly name: string } | null => {
  const found = areas?.find((each) => each.theme === theme);
  return found === undefined ? null : { code: found.code, name: found.name };
};

const code = (theme: Theme) => (row: AddressRow) => areaOf(row, theme)?.code;
const name = (theme: Theme) => (row: AddressRow) => areaOf(row, theme)?.name;
const position = (row: AddressRow) => access(row).position;
const wgs84 = (row: AddressRow, part: 0 | 1): number | null => {
  const place = position(row);
  return place === null ? null : pairOf(place, 4326)[part];
};
const ddkn = (size: 'm100' | 'km1' | 'km10') => (row: AddressRow) => {
  const place = position(row);
  return place === null ? null : ddknOf(place)[size];
};

const value = {
  id: ({ address }: AddressRow) => address.id,
  status: ({ address }: AddressRow) => statusOf(address.status),
  darstatus: ({ address }: AddressRow) => address.status,
  betegnelse: ({ address }: AddressRow) => address.designation,
  etage: ({ address }: AddressRow) => ('access' in address ? address.floor : null),
  dør: ({ address }: AddressRow) => ('access' in address ? address.door : null),
  kvh: (row: AddressRow) => kvhOf(access(row).road, access(row).houseNumber),
  kvhx: ({ address }: AddressRow) =>
    'access' in address ? kvhxOf(address.access.road, address.access.houseNumber, address) : null,
};

const NAMED: Fields<AddressRow> = [
  ['vejkode', (row) => access(row).road.roadCode],
  ['vejnavn', (row) => access(row).road.name],
  ['adresseringsvejnavn', (row) => access(row).road.shortName ?? access(row).road.name],
  ['husnr', (row) => access(row).houseNumber],
];
const FLOOR: Fields<AddressRow> = [
  ['etage', value.etage],
  ['dør', value.dør],
];
const POST: Fields<AddressRow> = [
  ['supplerendebynavn', (row) => access(row).supplementaryTown],
  ['postnr', (row) => access(row).postcode?.code],
  ['postnrnavn', (row) => access(row).postcode?.name],
  ['stormodtagerpostnr', null],
  ['stormodtagerpostnrnavn', null],
  ['kommunekode', (row) => access(row).road.municipalityCode],
];
const STATE: Fields<AddressRow> = [
  ['id', value.id],
  ['status', value.status],
  ['darstatus', value.darstatus],
];

const KOMMUNE: Fields<AddressRow> = [['kommunenavn', name('kommune')]];
const PARCEL: Fields<AddressRow> = [
  ['ejerlavkode', ({ parcel }) => parcel?.districtCode],
  ['ejerlavnavn', ({ parcel }) => parcel?.districtName],
  ['matrikelnr', ({ parcel }) => parcel?.number],
  ['esrejendomsnr', null],
];
const OWN_PARCEL: Readonly<Record<'code' | 'name' | 'number', Fields<AddressRow>[number]>> = {
  code: ['jordstykke_ejerlavkode', ({ parcel }) => parcel?.districtCode],
  name: ['jordstykke_ejerlavnavn', ({ parcel }) => parcel?.districtName],
  number: ['jordstykke_matrikelnr', ({ parcel }) => parcel?.number],
};
/** DAWA wrote that of every address in the end. */
export const ZONE = 'Udfaset';
const POINT: Fields<AddressRow> = [
  ['etrs89koordinat_øst', (row) => position(row)?.xUtm32],
  ['etrs89koordinat_nord', (row) => position(row)?.yUtm32],
  ['wgs84koordinat_bredde', (row) => wgs84(row, 1)],
  ['wgs84koordinat_længde', (row) => wgs84(row, 0)],
  ['nøjagtighed', null],
  ['kilde', null],
  ['tekniskstandard', null],
  ['tekstretning', null],
];
const GRID: Fields<AddressRow> = [
  ['ddkn_m100', ddkn('m100')],
  ['ddkn_km1', ddkn('km1')],
  ['ddkn_km10', ddkn('km10')],
];
const REGION: Fields<AddressRow> = [
  ['regionskode', code('region')],
  ['regionsnavn', name('region')],
];
const DISTRICTS: Fields<AddressRow> = [
  ['sognekode', code('sogn')],
  ['sognenavn', name('sogn')],
  ['politikredskode', code('politikreds')],
  ['politikredsnavn', name('politikreds')],
  ['retskredskode', code('retskreds')],
  ['retskredsnavn', name('retskreds')],
  ['opstillingskredskode', code('opstillingskreds')],
  ['opstillingskredsnavn', name('opstillingskreds')],
];
const unknown = (...names: readonly string[]): Fields<AddressRow> =>
  names.map((each) => [each, null] as const);
export const provinceAt = (row: AddressRow) => provinceOf(access(row).road.municipalityCode);
const NAVNGIVENVEJ: Fields<AddressRow> = [['navngivenvej_id', (row) => access(row).road.roadId]];
const ELECTIONS: Fields<AddressRow> = [
  ...unknown('storkredsnummer', 'storkredsnavn', 'valglandsdelsbogstav', 'valglandsdelsnavn'),
  ['landsdelsnuts3', (row) => provinceAt(row)?.nuts3],
  ['landsdelsnavn', (row) => provinceAt(row)?.name],
];

export const ACCESS_FLAD: Fields<AddressRow> = [
  ...STATE,
  ...unknown('oprettet', 'ændret'),
  ...NAMED,
  ...POST,
  ...KOMMUNE,
  ...PARCEL,
  ...POINT,
  ...unknown('adressepunktændringsdato'),
  ...GRID,
  ...REGION,
  ...[OWN_PARCEL.code, OWN_PARCEL.number, ...unknown('jordstykke_esrejendomsnr'), OWN_PARCEL.name],
  ...unknown('højde', 'adgangspunktid', 'vejpunkt_id'),
  ...unknown('vejpunkt_kilde', 'vejpunkt_nøjagtighed', 'vejpunkt_tekniskstandard'),
  ...unknown('vejpunkt_x', 'vejpunkt_y'),
  ...DISTRICTS,
  ...unknown('menighedsrådsafstemningsområdenummer', 'menighedsrådsafstemningsområdenavn'),
  ['zone', () => ZONE],
  ...unknown('afstemningsområdenummer', 'afstemningsområdenavn', 'brofast'),
  ...unknown('supplerendebynavn_dagi_id'),
  ...NAVNGIVENVEJ,
  ...unknown('vejpunkt_ændret', 'ikrafttrædelse', 'nedlagt'),
  ...ELECTIONS,
  ['betegnelse', value.betegnelse],
  ['kvh', value.kvh],
];

export const UNIT_FLAD: Fields<AddressRow> = [
  ...STATE,
  ...unknown('oprettet', 'ændret', 'ikrafttrædelse', 'nedlagt'),
  ...NAMED,
  ...FLOOR,
  ...POST,
  ...KOMMUNE,
  ...PARCEL,
  ...POINT,
  ...GRID,
  ...unknown('adressepunktændringsdato'),
  ['adgangsadresseid', (row) => access(row).id],
  ['adgangsadresse_status', (row) => statusOf(access(row).status)],
  ['adgangsadresse_darstatus', (row) => access(row).status],
  ...unknown('adgangsadresse_oprettet', 'adgangsadresse_ændret'),
  ...unknown('adgangsadresse_ikrafttrædelse', 'adgangsadresse_nedlagt'),
  ...REGION,
  ...[OWN_PARCEL.name, OWN_PARCEL.code, OWN_PARCEL.number],
  ...unknown('jordstykke_esrejendomsnr', 'højde', 'adgangspunktid', 'vejpunkt_x', 'vejpunkt_y'),
  ...unknown('vejpunkt_id', 'vejpunkt_kilde', 'vejpunkt_nøjagtighed', 'vejpunkt_tekniskstandard'),
  ...unknown('vejpunkt_ændret'),
  ...DISTRICTS,
  ['zone', () => ZONE],
  ...unknown('afstemningsområdenummer', 'afstemningsområdenavn'),
  ...unknown('menighedsrådsafstemningsområdenummer', 'menighedsrådsafstemningsområdenavn'),
  ...unknown('brofast', 'supplerendebynavn_dagi_id'),
  ...NAVNGIVENVEJ,
  ...ELECTIONS,
  ['kvhx', value.kvhx],
  ['kvh', value.kvh],
  ['betegnelse', value.betegnelse],
];

const place = (row: AddressRow, part: 0 | 1): number | null => {
  const found = position(row);
  return found === null ? null : pairOf(found, row.srid)[part];
};
const PLACE: Fields<AddressRow> = [
  ['x', (row) => place(row, 0)],
  ['y', (row) => place(row, 1)],
  [
    'href',
    ({ address, base }) =>
      `${base}/${'access' in address ? 'adresser' : 'adgangsadresser'}/${address.id}`,
  ],
];

export const ACCESS_DATA: Fields<AddressRow> = [...STATE, ...NAMED, ...POST, ...PLACE];
export const UNIT_DATA: Fields<AddressRow> = [
  ...STATE,
  ...NAMED,
  ...FLOOR,
  ...POST,
  ['adgangsadresseid', (row) => access(row).id],
  ...PLACE,
];
export const BETEGNELSE: Fields<AddressRow> = [['betegnelse', value.betegnelse]];
