import type { Shape } from '../wire/row-formats.ts';
import { ACCESS, UNIT } from './address-members.ts';
import type { AddressRow } from './address-members.ts';
import { members, shapeBy } from '../wire/row-members.ts';
import type { Place, Values } from '../wire/row-members.ts';

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

const ACCESS_NESTED = `href id adressebetegnelse kvh status darstatus vejstykke husnr navngivenvej
  supplerendebynavn supplerendebynavn2 postnummer stormodtagerpostnummer kommune ejerlav
  esrejendomsnr matrikelnr historik adgangspunkt vejpunkt DDKN sogn region landsdel retskreds
  politikreds opstillingskreds afstemningsområde storkreds valglandsdel zone jordstykke bebyggelser
  brofast`;
const ACCESS_DATA = `id status darstatus ${ROAD} ${POST} x y href`;
const UNIT_DATA = `id status darstatus ${ROAD} etage dør ${POST} adgangsadresseid x y href`;

const ACCESSES = shapeBy(ACCESS, {
  nestet: ACCESS_NESTED,
  flad: `id status darstatus oprettet ændret ${ROAD} ${POST} ${PARCEL}
  ${POINT} adressepunktændringsdato ${GRID} regionskode regionsnavn jordstykke_ejerlavkode
  jordstykke_matrikelnr jordstykke_esrejendomsnr jordstykke_ejerlavnavn højde adgangspunktid
  vejpunkt_id vejpunkt_kilde vejpunkt_nøjagtighed vejpunkt_tekniskstandard vejpunkt_x vejpunkt_y
  ${DISTRICTS} menighedsrådsafstemningsområdenummer menighedsrådsafstemningsområdenavn zone
  afstemningsområdenummer afstemningsområdenavn brofast supplerendebynavn_dagi_id navngivenvej_id
  vejpunkt_ændret ikrafttrædelse nedlagt ${ELECTIONS} betegnelse kvh`,
  mini: `${ACCESS_DATA} betegnelse`,
});

const UNITS = shapeBy(
  { ...UNIT, adgangsadresse: members(ACCESS, ACCESS_NESTED) },
  {
    nestet: 'id kvhx status darstatus href historik etage dør adressebetegnelse adgangsadresse',
    flad: `id status darstatus oprettet ændret ikrafttrædelse nedlagt ${ROAD}
  etage dør ${POST} ${PARCEL} ${POINT} ${GRID} adressepunktændringsdato adgangsadresseid
  adgangsadresse_status adgangsadresse_darstatus adgangsadresse_oprettet adgangsadresse_ændret
  adgangsadresse_ikrafttrædelse adgangsadresse_nedlagt regionskode regionsnavn
  jordstykke_ejerlavnavn jordstykke_ejerlavkode jordstykke_matrikelnr jordstykke_esrejendomsnr
  højde adgangspunktid vejpunkt_x vejpunkt_y vejpunkt_id vejpunkt_kilde vejpunkt_nøjagtighed
  vejpunkt_tekniskstandard vejpunkt_ændret ${DISTRICTS} zone afstemningsområdenummer
  afstemningsområdenavn menighedsrådsafstemningsområdenummer menighedsrådsafstemningsområdenavn
  brofast supplerendebynavn_dagi_id navngivenvej_id ${ELECTIONS} kvhx kvh betegnelse`,
    mini: `${UNIT_DATA} betegnelse`,
  },
);

type Written = Omit<Place, 'names'>;
const NO_NAMES: Place['names'] = new Map();

export const addressShape = (kind: 'access' | 'unit', place: Written): Shape<AddressRow> =>
  (kind === 'unit' ? UNITS : ACCESSES)({ ...place, names: NO_NAMES });

const [accessData, unitData] = [members(ACCESS, ACCESS_DATA), members(UNIT, UNIT_DATA)];

export const dataOf = (address: AddressRow['address'], place: Written): Values =>
  ('access' in address ? unitData : accessData)({ address }, { ...place, names: NO_NAMES });
