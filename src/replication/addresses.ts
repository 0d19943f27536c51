import { CHANGED, attribute, chosen, localTime, unknown } from './attributes.ts';
import { POINT_SOURCES, STATUS } from './codes.ts';
import type { Attribute, Entity } from './entity.ts';
import { ACCESS, PARCEL, POINT, POSTCODE, ROAD, ROAD_PART, TOWN, UNIT } from './mirrored.ts';

const WORDS = { 2: 'foreløbig', 3: 'gældende', 4: 'nedlagt', 5: 'henlagt' } as const;

const OF_DAR: Pick<Entity, 'area' | 'order' | 'page' | 'isAlive'> = {
  ...{ area: 'adresser', order: null, page: 1_000 },
  isAlive: 'd.status between 2 and 5',
};
const BY_ID: Pick<Entity, 'key' | 'columns' | 'joins' | 'parts'> = {
  ...{ key: ['id'], columns: [{ column: 'id', type: 'uuid' }], joins: () => '', parts: [] },
};

const id = (description: string): Attribute => attribute('id', 'uuid', 'd.id', description);
const status = attribute(
  ...(['status', 'integer', chosen('d.status', STATUS)] as const),
  '1 gældende, 2 nedlagt, 3 foreløbig, 4 henlagt',
);
const darStatus = attribute('status', 'integer', 'd.status', 'Status som i DAR');

const DATE = String.raw`^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$`;
const VECTOR = String.raw`^\s*POINT\s*\(\s*(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)\s*\)\s*$`;

/** Gon; the vector is that of the written house number. */
const DIRECTION = `(select round((200 - atan2(v[2]::float8, v[1]::float8) * 200 / pi())::numeric, 2)::float8
  from regexp_match(d.direction, '${VECTOR}', 'i') v
  where v[1]::float8 <> 0 or v[2]::float8 <> 0)`;

/** Of the road in the address's municipality. */
const OWN_PART = `left join lateral (
  select w.municipality_code, w.road_code from PARTS w
  where d.municipality_code is null or w.municipality_code = d.municipality_code
  order by w.status in (2, 3) desc, w.municipality_code collate "C", w.road_code, w.id limit 1) rp on true`;

const OWN_CODE = 'coalesce(d.municipality_code, rp.municipality_code)';
const MUNICIPALITY_CODE = 'Kommunens kode, fire cifre';

const ACCESS_ADDRESS: Entity = {
  ...{ ...OF_DAR, ...BY_ID, name: 'adgangsadresse', plural: 'adgangsadresser', driver: ACCESS },
  joins: (at) => `
    left join lateral ${at.byId(POINT, 'd.point_id')} g on true
    left join lateral ${at.byId(POSTCODE, 'd.postcode_id')} p on true
    left join lateral ${at.byId(TOWN, 'd.town_id')} t on true
    left join lateral ${at.byId(PARCEL, 'd.parcel_id')} j on true
    ${OWN_PART.replace('PARTS', () => at.by(ROAD_PART, { road_id: 'd.road_id' }))}`,
  parts: [
    { table: POINT, column: 'point_id', equals: 'id' },
    { table: POSTCODE, column: 'postcode_id', equals: 'id' },
    { table: TOWN, column: 'town_id', equals: 'id' },
    { table: ROAD_PART, column: 'road_id', equals: 'road_id' },
    { table: PARCEL, column: 'parcel_id', equals: 'id' },
  ],
  attributes: [
    id('Adgangsadressens id'),
    status,
    ...unknown('oprettet:localdatetime'),
    CHANGED,
    ...unknown('ikrafttrædelsesdato:localdatetime'),
    attribute('kommunekode', 'string?', OWN_CODE, MUNICIPALITY_CODE),
    attribute('vejkode', 'string?', 'rp.road_code', 'Vejens kode i kommunen, fire cifre'),
    attribute('husnr', 'string?', 'd.house_number', 'Husnummer med bogstav'),
    attribute('supplerendebynavn', 'string?', 't.name', 'Supplerende bynavn'),
    attribute('postnr', 'string?', 'p.code', 'Postnummer, fire cifre'),
    attribute('ejerlavkode', 'integer?', 'j.district_id', 'Ejerlavets kode'),
    attribute('matrikelnr', 'string?', 'j.number', 'Matrikelnummer'),
    ...unknown('esrejendomsnr'),
    attribute('etrs89koordinat_øst', 'real?', 'ST_X(g.geom)', 'EPSG:25832, meter'),
    attribute('etrs89koordinat_nord', 'real?', 'ST_Y(g.geom)', 'EPSG:25832, meter'),
    attribute('nøjagtighed', 'string?', 'g.accuracy', 'Adressepunktets nøjagtighed'),
    attribute('kilde', 'integer?', chosen('g.source', POINT_SOURCES), 'Adressepunktets kilde'),
    ...unknown('husnummerkilde:integer'),
    attribute('tekniskstandard', 'string?', 'g.standard', 'Adressepunktets tekniske standard'),
    attribute('tekstretning', 'real?', DIRECTION, 'Husnummerets retning, gon'),
    attribute(
      'adressepunktændringsdato',
      'localdatetime?',
      localTime(`(case when g.surveyed ~ '${DATE}' then g.surveyed end)::timestamptz`),
      'Hvornår adressepunktet blev registreret',
    ),
    ...unknown('esdhreference journalnummer højde:real'),
    attribute('adgangspunktid', 'uuid?', 'd.point_id', 'Adgangspunktets id'),
    attribute('supplerendebynavn_dagi_id', 'string?', 't.dagi_id', 'Bynavnets id i DAGI'),
    attribute('vejpunkt_id', 'uuid?', 'd.road_point_id', 'Vejpunktets id'),
    attribute('navngivenvej_id', 'uuid?', 'd.road_id', 'Den navngivne vejs id'),
  ],
};

const ADDRESS: Entity = {
  ...{ ...OF_DAR, ...BY_ID, name: 'adresse', plural: 'adresser', driver: UNIT },
  attributes: [
    id('Adressens id'),
    status,
    ...unknown('oprettet:localdatetime'),
    CHANGED,
    ...unknown('ikrafttrædelsesdato:localdatetime'),
    attribute('adgangsadresseid', 'uuid', 'd.access_id', 'Adgangsadressens id'),
    attribute('etage', 'string?', `nullif(d.floor, '')`, 'Etage'),
    attribute('dør', 'string?', `nullif(d.door, '')`, 'Dør'),
    ...unknown('kilde:integer esdhreference journalnummer'),
  ],
};

const SHORT_NAME = 'coalesce(r.short_name, r.name)';

const ROAD_IN_MUNICIPALITY: Entity = {
  ...{ ...OF_DAR, name: 'vejstykke', plural: 'vejstykker', driver: ROAD_PART },
  key: ['kommunekode', 'kode'],
  columns: [
    { column: 'municipality_code', type: 'text' },
    { column: 'road_code', type: 'text' },
  ],
  isAlive: 'd.status in (2, 3) and d.road_code is not null',
  order: 'd.status = 3 desc, d.id',
  joins: (at) => `left join lateral ${at.byId(ROAD, 'd.road_id')} r on true`,
  parts: [{ table: ROAD, column: 'road_id', equals: 'id' }],
  attributes: [
    id('Id af vejens kommunedel'),
    attribute('kommunekode', 'string', 'd.municipality_code', MUNICIPALITY_CODE),
    attribute('kode', 'string', 'd.road_code', 'Vejens kode i kommunen, fire cifre'),
    ...unknown('oprettet:localdatetime'),
    CHANGED,
    attribute('navn', 'string?', 'r.name', 'Vejens navn'),
    attribute('adresseringsnavn', 'string?', SHORT_NAME, 'Navnet i adresser'),
    attribute('navngivenvej_id', 'uuid', 'd.road_id', 'Den navngivne vejs id'),
  ],
};

const NAMED_ROAD: Entity = {
  ...{ ...OF_DAR, ...BY_ID, name: 'navngivenvej', plural: null, driver: ROAD },
  attributes: [
    id('Den navngivne vejs id'),
    attribute('darstatus', 'string', chosen('d.status', WORDS), Object.values(WORDS).join(', ')),
    ...unknown('oprettet:localdatetime'),
    CHANGED,
    attribute('navn', 'string', 'd.name', 'Vejens navn'),
    attribute('adresseringsnavn', 'string?', 'coalesce(d.short_name, d.name)', 'Navnet i adresser'),
    ...unknown(`administrerendekommune beskrivelse retskrivningskontrol udtaltvejnavn
      beliggenhed_oprindelse_kilde beliggenhed_oprindelse_nøjagtighedsklasse
      beliggenhed_oprindelse_registrering:localdatetime beliggenhed_oprindelse_tekniskstandard`),
  ],
};

const POSTAL_CODE: Entity = {
  ...{ ...OF_DAR, name: 'postnummer', plural: 'postnumre', driver: POSTCODE },
  ...{ key: ['nr'], columns: [{ column: 'code', type: 'text' }] },
  isAlive: 'd.status in (2, 3)',
  order: 'd.status = 3 desc, d.valid_from desc, d.id',
  ...{ joins: () => '', parts: [] },
  attributes: [
    attribute('nr', 'string', 'd.code', 'Postnummer, fire cifre'),
    attribute('navn', 'string', 'd.name', 'Postnummerets navn'),
    ...unknown('stormodtager:boolean'),
  ],
};

const LINK = attribute('adgangsadresseid', 'uuid', 'd.id', 'Adgangsadressens id');

/** By DAR's link, not by position. */
const PARCEL_OF_ACCESS: Entity = {
  ...{ ...OF_DAR, name: 'jordstykketilknytning', plural: 'jordstykketilknytninger' },
  driver: ACCESS,
  key: ['ejerlavkode', 'matrikelnr', 'adgangsadresseid'],
  columns: [
    { column: null, type: 'bigint', sql: 'j.district_id' },
    { column: null, type: 'text', sql: 'j.number' },
    { column: 'id', type: 'uuid' },
  ],
  joins: (at) => `join lateral ${at.byId(PARCEL, 'd.parcel_id')} j
    on j.district_id is not null and j.number is not null`,
  parts: [{ table: PARCEL, column: 'parcel_id', equals: 'id', isNeeded: true }],
  attributes: [
    attribute('ejerlavkode', 'integer', 'j.district_id', 'Ejerlavets kode'),
    attribute('matrikelnr', 'string', 'j.number', 'Matrikelnummer'),
    LINK,
  ],
};

const MUNICIPALITY_OF_ACCESS: Entity = {
  ...{ ...OF_DAR, name: 'kommunetilknytning', plural: 'kommunetilknytninger', driver: ACCESS },
  key: ['adgangsadresseid', 'kommunekode'],
  columns: [
    { column: 'id', type: 'uuid' },
    { column: null, type: 'text', sql: 'm.code' },
  ],
  joins: (at) => `
    ${OWN_PART.replace('PARTS', () => at.by(ROAD_PART, { road_id: 'd.road_id' }))}
    join lateral (select ${OWN_CODE} as code) m on m.code is not null`,
  parts: [{ table: ROAD_PART, column: 'road_id', equals: 'road_id' }],
  attributes: [LINK, attribute('kommunekode', 'string', 'm.code', MUNICIPALITY_CODE)],
};

/** Of addresses in force on the road's part. */
const POSTCODE_OF_ROAD: Entity = {
  ...{ ...OF_DAR, name: 'vejstykkepostnummerrelation', driver: ROAD_PART, page: 200 },
  plural: 'vejstykkepostnummerrelationer',
  key: ['kommunekode', 'vejkode', 'postnr'],
  columns: [...ROAD_IN_MUNICIPALITY.columns, { column: null, type: 'text', sql: 'n.code' }],
  ...{ isAlive: ROAD_IN_MUNICIPALITY.isAlive, order: ROAD_IN_MUNICIPALITY.order },
  joins: (at) => `cross join lateral (
    select distinct p.code from ${at.by(ACCESS, { road_id: 'd.road_id' })} w
    cross join lateral ${at.byId(POSTCODE, 'w.postcode_id')} p
    where w.status in (2, 3)
      and coalesce(w.municipality_code, d.municipality_code) = d.municipality_code) n`,
  parts: [
    { table: ACCESS, column: 'road_id', equals: 'road_id' },
    {
      ...{ table: POSTCODE, column: 'road_id', equals: 'road_id' },
      by: { table: ACCESS, column: 'postcode_id' },
    },
  ],
  attributes: [
    attribute('kommunekode', 'string', 'd.municipality_code', MUNICIPALITY_CODE),
    attribute('vejkode', 'string', 'd.road_code', 'Vejens kode i kommunen, fire cifre'),
    attribute('postnr', 'string', 'n.code', 'Postnummer, fire cifre'),
  ],
};

function asRegistered(
  name: string,
  driver: Entity['driver'],
  fields: readonly Attribute[],
): Entity {
  return {
    ...{ ...OF_DAR, ...BY_ID, name: `dar_${name}_aktuel`, plural: null, driver },
    attributes: [id('Rækkens id'), darStatus, ...fields],
  };
}

const AS_REGISTERED = [
  asRegistered('navngivenvejkommunedel', ROAD_PART, [
    attribute('kommune', 'string?', 'd.municipality_code', MUNICIPALITY_CODE),
    attribute('navngivenvej_id', 'uuid', 'd.road_id', 'Den navngivne vejs id'),
    attribute('vejkode', 'string?', 'd.road_code', 'Vejens kode i kommunen, fire cifre'),
  ]),
  asRegistered('navngivenvej', ROAD, [
    attribute('vejnavn', 'string', 'd.name', 'Vejens navn'),
    attribute('vejadresseringsnavn', 'string?', 'd.short_name', 'Navnet i adresser'),
  ]),
  asRegistered('husnummer', ACCESS, [
    attribute('husnummertekst', 'string', 'd.house_number', 'Husnummer med bogstav'),
    attribute('adgangsadressebetegnelse', 'string?', 'd.designation', 'Adressens tekst'),
    attribute('adgangspunkt_id', 'uuid?', 'd.point_id', 'Adgangspunktets id'),
    attribute('vejpunkt_id', 'uuid?', 'd.road_point_id', 'Vejpunktets id'),
    attribute('navngivenvej_id', 'uuid?', 'd.road_id', 'Den navngivne vejs id'),
    attribute('postnummer_id', 'uuid?', 'd.postcode_id', 'Postnummerets id i DAR'),
    attribute('supplerendebynavn_id', 'uuid?', 'd.town_id', 'Bynavnets id i DAR'),
    attribute('jordstykke_id', 'string?', 'd.parcel_id::text', 'Jordstykkets id i Matriklen'),
  ]),
  asRegistered('adresse', UNIT, [
    attribute('adressebetegnelse', 'string?', 'd.designation', 'Adressens tekst'),
    attribute('etagebetegnelse', 'string?', 'd.floor', 'Etage'),
    attribute('dørbetegnelse', 'string?', 'd.door', 'Dør'),
    attribute('husnummer_id', 'uuid', 'd.access_id', 'Husnummerets id'),
  ]),
];

export const ADDRESS_ENTITIES: readonly Entity[] = [
  ...[ACCESS_ADDRESS, ADDRESS, ROAD_IN_MUNICIPALITY, NAMED_ROAD, POSTAL_CODE],
  ...[PARCEL_OF_ACCESS, MUNICIPALITY_OF_ACCESS, POSTCODE_OF_ROAD],
  ...AS_REGISTERED,
];
