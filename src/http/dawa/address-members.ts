/** A member without a reader is one that no mirror knows. */
import { pairOf } from '../../answers/in-system.ts';
import type { AreaNames } from '../../answers/answer.ts';
import { composeAccess } from '../../layers/address-text.ts';
import type { Theme } from '../../layers/keys.ts';
import { accessOf } from '../../registers/addresses/addresses.ts';
import type { AccessAddress, UnitAddress } from '../../registers/addresses/addresses.ts';
import type { AddressDetails, PointDetails } from '../../registers/addresses/details.ts';
import { ddknOf, kvhOf, kvhxOf } from '../../registers/addresses/keys.ts';
import { constituencyOf } from '../../registers/areas/constituencies.ts';
import type { NumberedArea } from '../../registers/areas/rows.ts';
import { provinceOf } from '../../registers/areas/wholes.ts';
import type { NamedParcel } from '../../registers/cadastre/parcel-lookup.ts';
import type { NamedPlace } from '../../registers/places/places.ts';
import { elections, AREA_PATHS } from './area-members.ts';
import { localTime, pointSourceOf, statusOf, unpadded } from './codes.ts';
import { linkTo, memberOf, members, readersOf } from '../wire/row-members.ts';
import type { Readers } from '../wire/row-members.ts';

type Numbered = Pick<NumberedArea, 'number' | 'name'>;

/** Absent: unknown, as is null but of parcels and polling districts. */
export interface AddressRow<A extends AccessAddress | UnitAddress = AccessAddress | UnitAddress> {
  readonly address: A;
  readonly areas?: AreaNames | null;
  readonly parcel?: NamedParcel | null | undefined;
  readonly details?: AddressDetails | null;
  readonly polling?: Numbered | null | undefined;
  readonly parishPolling?: Numbered | null | undefined;
  /** Metres above sea level, of the ground. */
  readonly heightM?: number | null | undefined;
  readonly towns?: readonly NamedPlace[] | undefined;
}

export const areaOf = (
  { areas }: Pick<AddressRow, 'areas'>,
  theme: Theme,
): { readonly code: string; readonly name: string } | null =>
  areas?.find((each) => each.theme === theme) ?? null;

export const ELECTIONS_AT = elections((row: Pick<AddressRow, 'areas'>) =>
  constituencyOf(areaOf(row, 'opstillingskreds')?.code ?? ''),
);

/** Prefixes of the flat names of areas. */
const STEMS = [
  ['region', 'regions'],
  ['sogn', 'sogne'],
  ['politikreds', 'politikreds'],
  ['retskreds', 'retskreds'],
  ['opstillingskreds', 'opstillingskreds'],
] as const;

const IN_AREAS: Readers<AddressRow> = Object.fromEntries(
  STEMS.flatMap(([theme, stem]): readonly (readonly [string, Readers<AddressRow>[string]])[] => [
    [`${stem}kode`, (row) => areaOf(row, theme)?.code],
    [`${stem}navn`, (row) => areaOf(row, theme)?.name],
    [
      theme,
      (row, place) => {
        const found = areaOf(row, theme);
        return linkTo(place, AREA_PATHS[theme], found?.code, found?.name);
      },
    ],
  ]),
);

const PARCEL: Readers<NamedParcel> = {
  ejerlavkode: ({ districtCode }) => districtCode,
  ejerlavnavn: ({ districtName }) => districtName,
  matrikelnr: ({ number }) => number,
};

/** Rounded to a decimetre. */
const heightOf = ({ heightM = null }: AddressRow): number | null =>
  heightM === null ? null : Math.round(heightM * 10) / 10;

const DETAILS: Readers<AddressDetails> = {
  adgangsadresse_ændret: ({ sinceMs }) => localTime(sinceMs),
  adgangspunktid: ({ point }) => point?.id,
  nøjagtighed: ({ point }) => point?.accuracy,
  kilde: ({ point }) => pointSourceOf(point?.source ?? null),
  tekniskstandard: ({ point }) => point?.standard,
  adressepunktændringsdato: ({ point }) => localTime(point?.surveyedMs),
  /** In gon. */
  tekstretning: ({ direction }) => {
    if (direction === null) return null;
    const [x, y] = direction;
    return Math.round((200 - (Math.atan2(y, x) * 200) / Math.PI) * 100) / 100;
  },
};

const ROAD_POINT: Readers<PointDetails> = {
  id: ({ id }) => id,
  kilde: ({ source }) => source,
  nøjagtighed: ({ accuracy }) => accuracy,
  tekniskstandard: ({ standard }) => standard,
  ændret: ({ sinceMs }) => localTime(sinceMs),
  koordinater: ({ position }, { format }) => position && pairOf(position, format.srid),
  x: ({ position }, { format }) => position && pairOf(position, format.srid)[0],
  y: ({ position }, { format }) => position && pairOf(position, format.srid)[1],
};

const POSITION: Readers<NonNullable<AccessAddress['position']>> = {
  etrs89koordinat_øst: ({ xUtm32 }) => xUtm32,
  etrs89koordinat_nord: ({ yUtm32 }) => yUtm32,
  wgs84koordinat_bredde: (position) => pairOf(position, 4326)[1],
  wgs84koordinat_længde: (position) => pairOf(position, 4326)[0],
  DDKN: (position) => ddknOf(position),
  ddkn_m100: (position) => ddknOf(position).m100,
  ddkn_km1: (position) => ddknOf(position).km1,
  ddkn_km10: (position) => ddknOf(position).km10,
  koordinater: (position, { format }) => pairOf(position, format.srid),
  x: (position, { format }) => pairOf(position, format.srid)[0],
  y: (position, { format }) => pairOf(position, format.srid)[1],
};

const OWN: Readers<AccessAddress> = {
  id: ({ id }) => id,
  href: ({ id }, { base }) => `${base}/adgangsadresser/${id}`,
  status: ({ status }) => statusOf(status),
  darstatus: ({ status }) => status,
  kvh: ({ road, houseNumber }) => kvhOf(road, houseNumber),
  vejkode: ({ road }) => road.roadCode,
  vejnavn: ({ road }) => road.name,
  adresseringsvejnavn: ({ road }) => road.shortName ?? road.name,
  vejstykke: ({ road: { municipalityCode, roadCode: kode, name: navn, shortName } }, { base }) => {
    const path = kode && `${unpadded(municipalityCode)}/${unpadded(kode)}`;
    const href = path && `${base}/vejstykker/${path}`;
    return { href, navn, adresseringsnavn: shortName ?? navn, kode };
  },
  navngivenvej: ({ road: { roadId: id } }, { base }) => {
    return { href: `${base}/navngivneveje/${id}`, id };
  },
  navngivenvej_id: ({ road }) => road.roadId,
  husnr: ({ houseNumber }) => houseNumber,
  supplerendebynavn: ({ supplementaryTown }) => supplementaryTown,
  postnr: ({ postcode }) => postcode?.code,
  postnrnavn: ({ postcode }) => postcode?.name,
  postnummer: ({ postcode }, { base }) =>
    postcode && {
      href: `${base}/postnumre/${postcode.code}`,
      ...{ nr: postcode.code, navn: postcode.name },
    },
  kommunekode: ({ road }) => road.municipalityCode,
  landsdelsnuts3: ({ road }) => provinceOf(road.municipalityCode)?.nuts3,
  landsdelsnavn: ({ road }) => provinceOf(road.municipalityCode)?.name,
  landsdel: ({ road }, { base }) => {
    const found = provinceOf(road.municipalityCode);
    if (found === null) return null;
    const { nuts3, name: navn } = found;
    return { href: `${base}/landsdele/${nuts3}`, nuts3, navn };
  },
};

const access = ({ address }: AddressRow): AccessAddress => accessOf(address);

const COMMON: Readers<AddressRow> = {
  ...{ ...readersOf(access, OWN), ...IN_AREAS },
  ...readersOf((row) => access(row).position, POSITION),
  ...readersOf(({ parcel }) => parcel, PARCEL),
  ...readersOf(({ parcel }) => parcel, PARCEL, 'jordstykke_'),
  ...readersOf(({ details }) => details, DETAILS),
  ...readersOf(({ details }) => details?.roadPoint, ROAD_POINT, 'vejpunkt_'),
  ...ELECTIONS_AT,
  kommunenavn: (row) => areaOf(row, 'kommune')?.name,
  kommune: (row, place) => {
    const { municipalityCode: own } = access(row).road;
    const found = areaOf(row, 'kommune');
    return linkTo(place, 'kommuner', own, found?.code === own ? found.name : null);
  },
  højde: heightOf,
  /** In the end DAWA wrote this for every address. */
  zone: () => 'Udfaset',
  afstemningsområdenummer: ({ polling }) => polling?.number,
  afstemningsområdenavn: ({ polling }) => polling?.name,
  menighedsrådsafstemningsområdenummer: ({ parishPolling }) =>
    parishPolling?.number && Number(parishPolling.number),
  menighedsrådsafstemningsområdenavn: ({ parishPolling }) => parishPolling?.name,
  afstemningsområde: ({ polling = null, ...row }, { base }) => {
    if (polling === null) return null;
    const { number: nummer, name: navn } = polling;
    const code = unpadded(access(row).road.municipalityCode);
    return { href: nummer && `${base}/afstemningsomraader/${code}/${nummer}`, nummer, navn };
  },
  ejerlav: ({ parcel = null }) =>
    parcel && { kode: parcel.districtCode, navn: parcel.districtName },
  jordstykke: ({ parcel = null }, { base }) => {
    if (parcel === null) return null;
    const { districtCode: kode, districtName: navn, number: matrikelnr } = parcel;
    return {
      href: `${base}/jordstykker/${kode}/${encodeURIComponent(matrikelnr ?? '')}`,
      ejerlav: { kode, navn, href: `${base}/ejerlav/${kode}` },
      ...{ matrikelnr, esrejendomsnr: null },
    };
  },
  bebyggelser: ({ towns }, { base }) =>
    towns?.map(({ id, subtype: type, spellings: [first] }) => {
      return { id, kode: null, type, navn: first?.name ?? null, href: `${base}/bebyggelser/${id}` };
    }),
  vejpunkt: memberOf(
    ({ details }) => details?.roadPoint,
    ROAD_POINT,
    'id kilde nøjagtighed tekniskstandard koordinater ændret',
  ),
  geometry: (row, { format }) => {
    const { position } = access(row);
    if (position === null) return 'null';
    return JSON.stringify({ type: 'Point', coordinates: pairOf(position, format.srid) });
  },
};

const POINT = members<AddressRow>(
  {
    ...COMMON,
    id: ({ details }) => details?.point?.id,
    ændret: ({ details }) => localTime(details?.point?.surveyedMs),
  },
  'id koordinater højde nøjagtighed kilde tekniskstandard tekstretning ændret',
);
const HISTORY = 'oprettet ændret ikrafttrædelse nedlagt';
const ACCESS_CHANGED: Readers<AddressRow> = {
  ændret: ({ details }) => localTime(details?.sinceMs),
};
const UNIT_CHANGED: Readers<AddressRow> = {
  ændret: ({ details }) => localTime(details?.unitSinceMs),
};

export const ACCESS: Readers<AddressRow> = {
  ...{ ...COMMON, ...ACCESS_CHANGED, historik: members(ACCESS_CHANGED, HISTORY) },
  ...{ adgangspunkt: POINT, betegnelse: ({ address }) => address.designation },
  adressebetegnelse: ({ address }) =>
    'access' in address
      ? composeAccess({ ...address.access, roadName: address.access.road.name })
      : address.designation,
};

const unit = ({ address }: AddressRow): UnitAddress | null =>
  'access' in address ? address : null;

const UNIT_OWN: Readers<UnitAddress> = {
  id: ({ id }) => id,
  href: ({ id }, { base }) => `${base}/adresser/${id}`,
  status: ({ status }) => statusOf(status),
  darstatus: ({ status }) => status,
  etage: ({ floor }) => floor,
  dør: ({ door }) => door,
  kvhx: (address) => kvhxOf(address.access.road, address.access.houseNumber, address),
  betegnelse: ({ designation }) => designation,
  adressebetegnelse: ({ designation }) => designation,
  adgangsadresseid: ({ access: { id } }) => id,
  adgangsadresse_status: ({ access: { status } }) => statusOf(status),
  adgangsadresse_darstatus: ({ access: { status } }) => status,
};

export const UNIT: Readers<AddressRow> = {
  ...{ ...COMMON, ...readersOf(unit, UNIT_OWN), ...UNIT_CHANGED },
  historik: members(UNIT_CHANGED, HISTORY),
};
