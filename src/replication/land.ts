import { THEMES } from '../layers/keys.ts';
import type { Theme } from '../layers/keys.ts';
import { CHANGED, attribute, geoJson, unknown } from './attributes.ts';
import type { Attribute, Entity } from './entity.ts';
import { DISTRICT, FACE, PARCEL, PLACE, areaOf } from './mirrored.ts';

const shapeOf = (geom: string): readonly Attribute[] => [
  attribute(
    'visueltcenter',
    'point2d?',
    geoJson(`ST_PointOnSurface(${geom})`),
    'Et punkt deri, EPSG:25832',
  ),
  attribute(
    'bbox',
    'geometry?',
    geoJson(`ST_Envelope(${geom})`),
    'Den omskrevne firkant, EPSG:25832',
  ),
];

const PARCELS: Entity = {
  ...{ name: 'jordstykke', plural: null, area: 'bbr', driver: PARCEL, page: 200 },
  key: ['ejerlavkode', 'matrikelnr'],
  columns: [
    { column: 'district_id', type: 'bigint' },
    { column: 'number', type: 'text' },
  ],
  isAlive: 'd.status = 3 and d.district_id is not null and d.number is not null',
  order: 'd.id',
  joins: (at) => `left join lateral (
    select ST_Multi(ST_Union(w.geom order by w.id)) as geom
    from ${at.by(FACE, { parcel_id: 'd.id' })} w) f on true`,
  parts: [{ table: FACE, column: 'id', equals: 'parcel_id' }],
  attributes: [
    attribute('ejerlavkode', 'integer', 'd.district_id', 'Ejerlavets kode'),
    attribute('matrikelnr', 'string', 'd.number', 'Matrikelnummer'),
    attribute('kommunekode', 'string?', 'd.municipality_code', 'Kommunens kode, fire cifre'),
    ...unknown(`regionskode sognekode retskredskode esrejendomsnr udvidet_esrejendomsnr
      sfeejendomsnr`),
    attribute('bfenummer', 'integer?', 'd.bfe', 'Ejendommens BFE-nummer'),
    attribute('geometri', 'geometry?', geoJson('f.geom'), 'EPSG:25832'),
    attribute('featureid', 'string', 'd.id::text', 'Jordstykkets id i Matriklen'),
    ...unknown('fælleslod:boolean moderjordstykke:integer'),
    attribute('registreretareal', 'integer?', 'd.area', 'Kvadratmeter'),
    ...unknown(`arealberegningsmetode vejareal:integer vejarealberegningsmetode
      vandarealberegningsmetode`),
    ...shapeOf('f.geom'),
  ],
};

const DISTRICTS: Entity = {
  ...{ name: 'ejerlav', plural: 'ejerlav', area: 'bbr', driver: DISTRICT, page: 1_000 },
  ...{ key: ['kode'], columns: [{ column: 'code', type: 'bigint' }] },
  ...{ isAlive: 'true', order: 'd.id', joins: () => '', parts: [] },
  attributes: [
    attribute('kode', 'integer', 'd.code', 'Ejerlavets kode'),
    attribute('navn', 'string', 'd.name', 'Ejerlavets navn'),
    ...unknown('geo_version:integer geo_ændret:localdatetime'),
    CHANGED,
    ...unknown('visueltcenter:point2d bbox:geometry geometri:geometry'),
  ],
};

const OF_THEME: Readonly<Partial<Record<Theme, string>>> = {
  kommune: 'regionskode udenforkommuneinddeling:boolean',
  region: 'nuts2',
};

const areas = (theme: Theme): Entity => ({
  ...{ name: theme, plural: null, area: 'dagi', driver: areaOf(theme), page: 4 },
  ...{ key: ['kode'], columns: [{ column: 'code', type: 'text' }] },
  ...{ isAlive: 'true', order: 'd.id', joins: () => '', parts: [] },
  attributes: [
    ...unknown('ændret:localdatetime geo_ændret:localdatetime geo_version:integer'),
    ...shapeOf('d.geom'),
    attribute('geometri', 'geometry', geoJson('d.geom'), 'EPSG:25832'),
    attribute('dagi_id', 'string', 'd.id', 'Områdets id i DAGI'),
    attribute('kode', 'string', 'd.code', 'Områdets kode, fire cifre'),
    attribute('navn', 'string', 'd.name', 'Områdets navn'),
    ...(OF_THEME[theme] === undefined ? [] : unknown(OF_THEME[theme])),
  ],
});

const PLACES: Entity = {
  ...{ name: 'sted', plural: null, area: 'stednavne', driver: PLACE, page: 100 },
  ...{ key: ['id'], columns: [{ column: 'public_id', type: 'text' }] },
  ...{ isAlive: 'd.main_type is not null', order: 'd.id', joins: () => '', parts: [] },
  attributes: [
    attribute('id', 'string', 'd.public_id', 'Stedets id'),
    attribute('hovedtype', 'string', 'd.main_type', 'Stedets type'),
    attribute('undertype', 'string?', 'd.subtype', 'Typens undertype'),
    ...unknown('bebyggelseskode:integer'),
    attribute('indbyggerantal', 'integer?', 'd.inhabitants', 'Indbyggere'),
    CHANGED,
    ...unknown('geo_ændret:localdatetime geo_version:integer'),
    ...shapeOf('d.geom'),
    attribute('geometri', 'geometry?', geoJson('d.geom'), 'EPSG:25832'),
  ],
};

/** `names`: JSON of name, status and priority. */
const PLACE_NAMES: Entity = {
  ...PLACES,
  ...{ name: 'stednavn', key: ['stedid', 'navn'] },
  columns: [
    { column: 'public_id', type: 'text' },
    { column: null, type: 'text', sql: 'n.name' },
  ],
  joins: () => `cross join lateral (
    select distinct on (v->>0) v->>0 as name, v->>1 as status, v->>2 as priority
    from jsonb_array_elements(d.names::jsonb) v order by v->>0) n`,
  attributes: [
    attribute('stedid', 'string', 'd.public_id', 'Stedets id'),
    attribute('navn', 'string', 'n.name', 'Stedets navn, som det skrives'),
    attribute('navnestatus', 'string?', 'n.status', 'Navnets status'),
    attribute('brugsprioritet', 'string?', 'n.priority', 'primær eller sekundær'),
  ],
};

export const LAND_ENTITIES: readonly Entity[] = [
  PARCELS,
  DISTRICTS,
  ...THEMES.map(areas),
  PLACES,
  PLACE_NAMES,
];
