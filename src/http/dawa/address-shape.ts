/** Addresses as DAWA nested them, flat, and in short. */
import { pairOf } from '../../answers/in-system.ts';
import { accessOf } from '../../registers/addresses/addresses.ts';
import type { AccessAddress } from '../../registers/addresses/addresses.ts';
import type { Theme } from '../../layers/keys.ts';
import { electionMembers, pathOfArea } from './area-themes.ts';
import {
  ACCESS_DATA,
  ACCESS_FLAD,
  BETEGNELSE,
  UNIT_DATA,
  UNIT_FLAD,
  ZONE,
  areaOf,
  heightOf,
  provinceAt,
  textDirection,
  valuesBy,
} from './address-fields.ts';
import type { AddressRow } from './address-fields.ts';
import { ddknOf, kvhOf, kvhxOf } from '../../registers/addresses/keys.ts';
import { localTime, pointSourceOf, statusOf, unpadded } from './codes.ts';
import { composeAccess } from '../../layers/address-text.ts';
import type { Shape } from '../wire/row-formats.ts';

/** The versions before the current one are not mirrored. */
const historyOf = (ms: number | null | undefined) => ({
  ...{ oprettet: null, ændret: localTime(ms), ikrafttrædelse: null, nedlagt: null },
});

function areaMember(row: AddressRow, theme: Theme): object | null {
  const found = areaOf(row, theme);
  if (found === null) return null;
  const { code: kode, name: navn } = found;
  return { href: `${row.base}/${pathOfArea(theme)}/${kode}`, kode, navn };
}

function pointMember(row: AddressRow, { position }: AccessAddress): object {
  const { srid, details } = row;
  const { id = null, accuracy = null, source = null, standard = null } = details?.point ?? {};
  return {
    id,
    koordinater: position === null ? null : pairOf(position, srid),
    ...{ højde: heightOf(row), nøjagtighed: accuracy, kilde: pointSourceOf(source) },
    ...{ tekniskstandard: standard, tekstretning: textDirection(row) },
    ændret: localTime(details?.point?.surveyedMs),
  };
}

function roadPointMember({ srid, details }: AddressRow): object | null {
  const found = details?.roadPoint ?? null;
  if (found === null) return null;
  const { id, source, accuracy, standard, position, sinceMs } = found;
  return {
    ...{ id, kilde: source, nøjagtighed: accuracy, tekniskstandard: standard },
    koordinater: position && pairOf(position, srid),
    ændret: localTime(sinceMs),
  };
}

function municipalityMember(row: AddressRow, kode: string): object {
  const found = areaOf(row, 'kommune');
  const navn = found?.code === kode ? found.name : null;
  return { href: `${row.base}/kommuner/${kode}`, kode, navn };
}

function pollingMember({ base, polling }: AddressRow, code: string): object | null {
  if (polling === null || polling === undefined) return null;
  const { number: nummer, name: navn } = polling;
  const href = nummer && `${base}/afstemningsomraader/${unpadded(code)}/${nummer}`;
  return { href, nummer, navn };
}

function parcelMember({ base, parcel }: AddressRow): object | null {
  if (parcel === null) return null;
  const { districtCode: kode, districtName: navn, number: matrikelnr } = parcel;
  return {
    href: `${base}/jordstykker/${kode}/${encodeURIComponent(matrikelnr ?? '')}`,
    ejerlav: { kode, navn, href: `${base}/ejerlav/${kode}` },
    ...{ matrikelnr, esrejendomsnr: null },
  };
}

function townMembers({ base, towns }: AddressRow): readonly object[] | null {
  if (towns === undefined) return null;
  return towns.map(({ id, subtype: type, spellings }) => {
    const navn = spellings[0]?.name ?? null;
    return { id, kode: null, type, navn, href: `${base}/bebyggelser/${id}` };
  });
}

function accessMembers(row: AddressRow, access: AccessAddress): Record<string, unknown> {
  const { base, parcel } = row;
  const province = provinceAt(row);
  const { road, houseNumber, postcode, position, supplementaryTown } = access;
  const { municipalityCode, roadCode, roadId } = road;
  const text = 'access' in row.address ? null : access.designation;
  const parts = { roadName: road.name, houseNumber, supplementaryTown, postcode };
  return {
    href: `${base}/adgangsadresser/${access.id}`,
    id: access.id,
    adressebetegnelse: text ?? composeAccess(parts),
    kvh: kvhOf(road, houseNumber),
    status: statusOf(access.status),
    darstatus: access.status,
    vejstykke: {
      href:
        roadCode === null
          ? null
          : `${base}/vejstykker/${unpadded(municipalityCode)}/${unpadded(roadCode)}`,
      navn: road.name,
      adresseringsnavn: road.shortName ?? road.name,
      kode: roadCode,
    },
    husnr: houseNumber,
    navngivenvej: { href: `${base}/navngivneveje/${roadId}`, id: roadId },
    supplerendebynavn: supplementaryTown,
    supplerendebynavn2: null,
    postnummer: postcode && {
      href: `${base}/postnumre/${postcode.code}`,
      nr: postcode.code,
      navn: postcode.name,
    },
    stormodtagerpostnummer: null,
    kommune: municipalityMember(row, municipalityCode),
    ejerlav: parcel && { kode: parcel.districtCode, navn: parcel.districtName },
    ...{ esrejendomsnr: null, matrikelnr: parcel?.number ?? null },
    historik: historyOf(row.details?.sinceMs),
    adgangspunkt: pointMember(row, access),
    vejpunkt: roadPointMember(row),
    DDKN: position && ddknOf(position),
    sogn: areaMember(row, 'sogn'),
    region: areaMember(row, 'region'),
    landsdel: province && {
      ...{ href: `${base}/landsdele/${province.nuts3}`, nuts3: province.nuts3 },
      navn: province.name,
    },
    retskreds: areaMember(row, 'retskreds'),
    politikreds: areaMember(row, 'politikreds'),
    opstillingskreds: areaMember(row, 'opstillingskreds'),
    afstemningsområde: pollingMember(row, municipalityCode),
    ...electionMembers(base, areaOf(row, 'opstillingskreds')?.code),
    zone: ZONE,
    ...{ jordstykke: parcelMember(row), bebyggelser: townMembers(row), brofast: null },
  };
}

function unitMembers(row: AddressRow): Record<string, unknown> {
  const { address, base } = row;
  if (!('access' in address)) return accessMembers(row, address);
  const { id, access, floor, door, designation, status } = address;
  return {
    id,
    kvhx: kvhxOf(access.road, access.houseNumber, address),
    status: statusOf(status),
    darstatus: status,
    href: `${base}/adresser/${id}`,
    historik: historyOf(row.details?.unitSinceMs),
    etage: floor,
    dør: door,
    adressebetegnelse: designation,
    adgangsadresse: accessMembers(row, access),
  };
}

function geometryOf({ address, srid }: AddressRow): string {
  const { position } = accessOf(address);
  if (position === null) return 'null';
  return JSON.stringify({ type: 'Point', coordinates: pairOf(position, srid) });
}

const isUnit = ({ address }: AddressRow): boolean => 'access' in address;

export const ADDRESS_SHAPE: Shape<AddressRow> = {
  nestet: unitMembers,
  flad: (row) => valuesBy(isUnit(row) ? UNIT_FLAD : ACCESS_FLAD, row),
  mini: (row) => ({ ...dataOf(row), ...valuesBy(BETEGNELSE, row) }),
  geometry: geometryOf,
};

export function dataOf(row: AddressRow): Record<string, unknown> {
  return valuesBy(isUnit(row) ? UNIT_DATA : ACCESS_DATA, row);
}
