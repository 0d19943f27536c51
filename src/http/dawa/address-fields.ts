/** The fields of addresses in DAWA's order; `null`: no mirror knows it. */
import { pairOf } from '../../answers/in-system.ts';
import type { AreaNames } from '../../answers/answer.ts';
import type { Theme } from '../../layers/keys.ts';
import { accessOf } from '../../registers/addresses/addresses.ts';
import type { AccessAddress, UnitAddress } from '../../registers/addresses/addresses.ts';
import { constituencyOf } from '../../registers/areas/constituencies.ts';
import { provinceOf } from '../../registers/areas/provinces.ts';
import type { NamedParcel } from '../../registers/cadastre/parcel-lookup.ts';
import type { NamedPlace } from '../../registers/places/places.ts';
import type { AddressDetails } from '../../registers/addresses/details.ts';
import { ddknOf, kvhOf, kvhxOf } from '../../registers/addresses/keys.ts';
import { localTime, pointSourceOf, statusOf } from './codes.ts';

export interface AddressRow<A extends AccessAddress | UnitAddress = AccessAddress | UnitAddress> {
  readonly address: A;
  /** null: unknown, or there is no point to ask for. */
  readonly areas: AreaNames | null;
  /** The one that it lies in; null: none, several or unknown. */
  readonly parcel: NamedParcel | null;
  /** Absent or null: unknown. */
  readonly details?: AddressDetails | null;
  /** Its polling districts. Absent or null: unknown. */
  readonly polling?: Numbered | null;
  readonly parishPolling?: Numbered | null;
  /** Of the ground, metres. Absent or null: unknown. */
  readonly heightM?: number | null;
  /** Absent: unknown. */
  readonly towns?: readonly NamedPlace[];
  readonly base: string;
  readonly srid: 4326 | 25832;
}

export interface Numbered {
  readonly number: string | null;
  readonly name: string;
}

/** Names in DAWA's order. */
export type Fields = readonly string[];

export function valuesBy(fields: Fields, row: AddressRow): Record<string, unknown> {
  return Object.fromEntries(fields.map((each) => [each, VALUES[each]?.(row) ?? null]));
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

export const constituencyAt = (row: AddressRow) =>
  constituencyOf(areaOf(row, 'opstillingskreds')?.code ?? '');

export const provinceAt = (row: AddressRow) => provinceOf(access(row).road.municipalityCode);

const place = (row: AddressRow, part: 0 | 1): number | null => {
  const found = position(row);
  return found === null ? null : pairOf(found, row.srid)[part];
};

const roadPlace = ({ details, srid }: AddressRow, part: 0 | 1): number | null => {
  const found = details?.roadPoint?.position ?? null;
  return found === null ? null : pairOf(found, srid)[part];
};

/** To a decimetre. */
export const heightOf = ({ heightM = null }: Pick<AddressRow, 'heightM'>): number | null =>
  heightM === null ? null : Math.round(heightM * 10) / 10;

/** In gon, as DAWA counted it. */
export function textDirection({ details }: Pick<AddressRow, 'details'>): number | null {
  const found = details?.direction ?? null;
  if (found === null) return null;
  const [x, y] = found;
  return Math.round((200 - (Math.atan2(y, x) * 200) / Math.PI) * 100) / 100;
}

/** DAWA wrote that of every address in the end. */
export const ZONE = 'Udfaset';

/** A name without a value is one that no mirror knows. */
const VALUES: Readonly<Record<string, (row: AddressRow) => unknown>> = {
  id: ({ address }) => address.id,
  status: ({ address }) => statusOf(address.status),
  darstatus: ({ address }) => address.status,
  betegnelse: ({ address }) => address.designation,
  etage: ({ address }) => ('access' in address ? address.floor : null),
  dør: ({ address }) => ('access' in address ? address.door : null),
  kvh: (row) => kvhOf(access(row).road, access(row).houseNumber),
  kvhx: ({ address }) =>
    'access' in address ? kvhxOf(address.access.road, address.access.houseNumber, address) : null,
  vejkode: (row) => access(row).road.roadCode,
  vejnavn: (row) => access(row).road.name,
  adresseringsvejnavn: (row) => access(row).road.shortName ?? access(row).road.name,
  husnr: (row) => access(row).houseNumber,
  supplerendebynavn: (row) => access(row).supplementaryTown,
  postnr: (row) => access(row).postcode?.code,
  postnrnavn: (row) => access(row).postcode?.name,
  kommunekode: (row) => access(row).road.municipalityCode,
  kommunenavn: name('kommune'),
  ejerlavkode: ({ parcel }) => parcel?.districtCode,
  ejerlavnavn: ({ parcel }) => parcel?.districtName,
  matrikelnr: ({ parcel }) => parcel?.number,
  jordstykke_ejerlavkode: ({ parcel }) => parcel?.districtCode,
  jordstykke_ejerlavnavn: ({ parcel }) => parcel?.districtName,
  jordstykke_matrikelnr: ({ parcel }) => parcel?.number,
  etrs89koordinat_øst: (row) => position(row)?.xUtm32,
  etrs89koordinat_nord: (row) => position(row)?.yUtm32,
  wgs84koordinat_bredde: (row) => wgs84(row, 1),
  wgs84koordinat_længde: (row) => wgs84(row, 0),
  ddkn_m100: ddkn('m100'),
  ddkn_km1: ddkn('km1'),
  ddkn_km10: ddkn('km10'),
  regionskode: code('region'),
  regionsnavn: name('region'),
  sognekode: code('sogn'),
  sognenavn: name('sogn'),
  politikredskode: code('politikreds'),
  politikredsnavn: name('politikreds'),
  retskredskode: code('retskreds'),
  retskredsnavn: name('retskreds'),
  opstillingskredskode: code('opstillingskreds'),
  opstillingskredsnavn: name('opstillingskreds'),
  storkredsnummer: (row) => constituencyAt(row)?.number,
  storkredsnavn: (row) => constituencyAt(row)?.name,
  valglandsdelsbogstav: (row) => constituencyAt(row)?.electoralRegion.letter,
  valglandsdelsnavn: (row) => constituencyAt(row)?.electoralRegion.name,
  afstemningsområdenummer: ({ polling }) => polling?.number,
  afstemningsområdenavn: ({ polling }) => polling?.name,
  menighedsrådsafstemningsområdenummer: ({ parishPolling }) =>
    parishPolling?.number && Number(parishPolling.number),
  menighedsrådsafstemningsområdenavn: ({ parishPolling }) => parishPolling?.name,
  zone: () => ZONE,
  navngivenvej_id: (row) => access(row).road.roadId,
  landsdelsnuts3: (row) => provinceAt(row)?.nuts3,
  landsdelsnavn: (row) => provinceAt(row)?.name,
  adgangsadresseid: (row) => access(row).id,
  adgangsadresse_status: (row) => statusOf(access(row).status),
  adgangsadresse_darstatus: (row) => access(row).status,
  ændret: ({ address, details }) =>
    localTime('access' in address ? details?.unitSinceMs : details?.sinceMs),
  adgangsadresse_ændret: ({ details }) => localTime(details?.sinceMs),
  højde: heightOf,
  adgangspunktid: ({ details }) => details?.point?.id,
  nøjagtighed: ({ details }) => details?.point?.accuracy,
  kilde: ({ details }) => pointSourceOf(details?.point?.source ?? null),
  tekniskstandard: ({ details }) => details?.point?.standard,
  tekstretning: textDirection,
  adressepunktændringsdato: ({ details }) => localTime(details?.point?.surveyedMs),
  vejpunkt_id: ({ details }) => details?.roadPoint?.id,
  vejpunkt_kilde: ({ details }) => details?.roadPoint?.source,
  vejpunkt_nøjagtighed: ({ details }) => details?.roadPoint?.accuracy,
  vejpunkt_tekniskstandard: ({ details }) => details?.roadPoint?.standard,
  vejpunkt_ændret: ({ details }) => localTime(details?.roadPoint?.sinceMs),
  vejpunkt_x: (row) => roadPlace(row, 0),
  vejpunkt_y: (row) => roadPlace(row, 1),
  x: (row) => place(row, 0),
  y: (row) => place(row, 1),
  href: ({ address, base }) =>
    `${base}/${'access' in address ? 'adresser' : 'adgangsadresser'}/${address.id}`,
};

const named = (text: string): Fields => text.trim().split(/\s+/);

const ROAD = 'vejkode vejnavn adresseringsvejnavn husnr';
const POST =
  'supplerendebynavn postnr postnrnavn stormodtagerpostnr stormodtagerpostnrnavn kommunekode';
const PARCEL = 'kommunenavn ejerlavkode ejerlavnavn matrikelnr esrejendomsnr';
const POINT = `etrs89koordinat_øst etrs89koordinat_nord wgs84koordinat_bredde
  wgs84koordinat_længde nøjagtighed kilde tekniskstandard tekstretning`;
const GRID = 'ddkn_m100 ddkn_km1 ddkn_km10';
const DISTRICTS = `sognekode sognenavn politikredskode politikredsnavn retskredskode retskredsnavn
  opstillingskredskode opstillingskredsnavn`;
const ELECTIONS = `storkredsnummer storkredsnavn valglandsdelsbogstav valglandsdelsnavn
  landsdelsnuts3 landsdelsnavn`;

export const ACCESS_FLAD = named(`id status darstatus oprettet ændret ${ROAD} ${POST} ${PARCEL}
  ${POINT} adressepunktændringsdato ${GRID} regionskode regionsnavn jordstykke_ejerlavkode
  jordstykke_matrikelnr jordstykke_esrejendomsnr jordstykke_ejerlavnavn højde adgangspunktid
  vejpunkt_id vejpunkt_kilde vejpunkt_nøjagtighed vejpunkt_tekniskstandard vejpunkt_x vejpunkt_y
  ${DISTRICTS} menighedsrådsafstemningsområdenummer menighedsrådsafstemningsområdenavn zone
  afstemningsområdenummer afstemningsområdenavn brofast supplerendebynavn_dagi_id navngivenvej_id
  vejpunkt_ændret ikrafttrædelse nedlagt ${ELECTIONS} betegnelse kvh`);

export const UNIT_FLAD = named(`id status darstatus oprettet ændret ikrafttrædelse nedlagt ${ROAD}
  etage dør ${POST} ${PARCEL} ${POINT} ${GRID} adressepunktændringsdato adgangsadresseid
  adgangsadresse_status adgangsadresse_darstatus adgangsadresse_oprettet adgangsadresse_ændret
  adgangsadresse_ikrafttrædelse adgangsadresse_nedlagt regionskode regionsnavn
  jordstykke_ejerlavnavn jordstykke_ejerlavkode jordstykke_matrikelnr jordstykke_esrejendomsnr
  højde adgangspunktid vejpunkt_x vejpunkt_y vejpunkt_id vejpunkt_kilde vejpunkt_nøjagtighed
  vejpunkt_tekniskstandard vejpunkt_ændret ${DISTRICTS} zone afstemningsområdenummer
  afstemningsområdenavn menighedsrådsafstemningsområdenummer menighedsrådsafstemningsområdenavn
  brofast supplerendebynavn_dagi_id navngivenvej_id ${ELECTIONS} kvhx kvh betegnelse`);

export const ACCESS_DATA = named(`id status darstatus ${ROAD} ${POST} x y href`);
export const UNIT_DATA = named(
  `id status darstatus ${ROAD} etage dør ${POST} adgangsadresseid x y href`,
);
export const BETEGNELSE = ['betegnelse'];
