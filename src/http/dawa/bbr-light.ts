/** BBR's buildings, entrances and units (D197, D240). */
import { pairOf } from '../../answers/in-system.ts';
import type {
  Built,
  BuiltBuilding,
  BuiltEntrance,
  BuiltQuestion,
  BuiltUnit,
} from '../../registers/property/built.ts';
import { badParameter } from './failure.ts';
import { fitsOf, filtersBy } from './filters.ts';
import type { Fields, Fits } from './filters.ts';
import { memberOf, readersOf } from '../wire/row-members.ts';
import type { Forms, Place, Readers } from '../wire/row-members.ts';
import { pageOf } from './pages.ts';
import type { PageAsked } from './pages.ts';
import { pathUuid } from './params.ts';
import { addOne, addResource, writtenBy } from './resources.ts';
import type { Resource } from './resources.ts';
import type { AddRoute, Asked, DoorLookups } from './routes.ts';

const RULE = { area: 'bbr', operation: 'ejendom' } as const;

interface Row {
  readonly id: string;
  readonly building: BuiltBuilding | null;
  readonly entrance?: BuiltEntrance | null;
  readonly unit?: BuiltUnit;
}

type Path = 'enheder' | 'bygninger' | 'opgange';

interface Kind {
  readonly path: Path;
  readonly ids: keyof BuiltQuestion;
  readonly address: readonly ['adresseid' | 'adgangsadresseid', keyof BuiltQuestion];
  readonly rowsOf: (built: Built) => readonly Row[];
  readonly addressOf: (row: Row) => string | null | undefined;
  readonly readers: Readers<Row>;
  readonly forms: Forms;
}

/** `name=field` in DAWA's order; a bare name is not mirrored. */
const BUILDING = `Bygning_id=id AdgAdr_id=accessId Grund_id=groundId KomKode=municipalityCode ESREjdNr
  Bygningsnr=number BYG_ANVEND_KODE=use AntLejMKoekken AntLejUKoekken OPFOERELSE_AAR=builtYear
  OMBYG_AAR=rebuiltYear BYG_VANDFORSY_KODE BYG_AFLOB_KODE=drainage YDERVAEG_KODE=outerWall
  TAG_KODE=roof SUPL_YDERVAEG_KODE=otherOuterWall SUPL_TAG_KODE=otherRoof ASBEST_KODE=asbestos
  BYG_ARL_SAML=totalArea BYG_BOLIG_ARL_SAML=dwellingArea ERHV_ARL_SAML=businessArea
  BYG_BEBYG_ARL=footprintArea GARAGE_INDB_ARL CARPORT_INDB_ARL UDHUS_INDB_ARL UDESTUE_ARL
  LukOverdaekAreal ANDET_ARL ETAGER_ANT=storeys AFVIG_ETAGE_KODE=deviatingStoreys
  VARMEINSTAL_KODE=heating OPVARMNING_KODE=heatingFuel VARME_SUPPL_KODE=otherHeating
  BygSkadeForsikSelskab NyByg SagsType`;
const ENTRANCE = 'Opgang_id=id Bygning_id=buildingId AdgAdr_id=accessId Elevator SagsType';
const UNIT = `Enhed_id=id Opgang_id=entranceId EnhAdr_id=addressId ENH_ANVEND_KODE=use BOLIGTYPE_KODE
  ENH_ARL_SAML=totalArea BEBO_ARL ENH_ERHV_ARL VAERELSE_ANT=rooms VAER_ERHV_ANT
  AntVandskylToilleter AntBadevaerelser TOILET_KODE BAD_KODE KOEKKEN_KODE ENERGI_KODE
  VARMEINSTAL_KODE=heating OPVARMNING_KODE=heatingFuel VARME_SUPPL_KODE ENH_UDLEJ2_KODE
  LukOverdaekAreal SagsType`;

const named = (fields: string, prefix = ''): string =>
  fields.replaceAll(/(\w+)(?:=\w+)?/g, `${prefix}$1`);

function readersIn<R extends BuiltBuilding | BuiltEntrance | BuiltUnit>(
  fields: string,
  path: Path,
): Readers<R> {
  const each = fields.split(/\s+/).map((text) => text.split('='));
  return {
    href: ({ id }, { base }) => `${base}/bbrlight/${path}/${id}`,
    ...Object.fromEntries(
      each.map(([name = '', field = '']) => [
        name,
        (row: R) => {
          const value: unknown = row[field as keyof R];
          if (typeof value !== 'string' || !name.endsWith('_KODE')) return value;
          return /^\d{1,9}$/.test(value) ? Number(value) : value;
        },
      ]),
    ),
  };
}

const [OF_BUILDING, OF_ENTRANCE, OF_UNIT] = [
  readersIn<BuiltBuilding>(BUILDING, 'bygninger'),
  readersIn<BuiltEntrance>(ENTRANCE, 'opgange'),
  readersIn<BuiltUnit>(UNIT, 'enheder'),
];
const buildingIn = ({ building }: Row) => building;
const entranceIn = ({ entrance }: Row) => entrance;
const unitIn = ({ unit }: Row) => unit;

/** Metres or degrees; null: no coordinates. */
const placeOf = ({ building }: Row, { format }: Place) =>
  building === null || building.x === null || building.y === null
    ? null
    : pairOf({ xUtm32: building.x, yUtm32: building.y }, format.srid);

const UNITS: Readers<Row> = {
  ...readersOf(unitIn, OF_UNIT),
  ...readersOf(entranceIn, OF_ENTRANCE, 'opgang_'),
  ...readersOf(buildingIn, OF_BUILDING, 'bygning_'),
  opgang: memberOf(entranceIn, OF_ENTRANCE, `${named(ENTRANCE)} href`),
  bygning: memberOf(buildingIn, OF_BUILDING, `${named(BUILDING)} href`),
};
const BUILDINGS: Readers<Row> = {
  ...readersOf(buildingIn, OF_BUILDING),
  bygningspunkt: (row, place) => ({ koordinater: placeOf(row, place) }),
  geometry: (row, place) => {
    const coordinates = placeOf(row, place);
    return JSON.stringify(coordinates && { type: 'Point', coordinates });
  },
};

const formsOf = (fields: string, nested = '', flat = ''): Forms => ({
  nestet: `${named(fields)} href ${nested}`,
  flad: `${named(fields)} ${flat}`,
  mini: named(fields),
});

const KINDS: readonly Kind[] = [
  {
    ...{ path: 'enheder', ids: 'unitIds', address: ['adresseid', 'addressIds'] },
    rowsOf: ({ buildings, entrances, units }) =>
      units.map((unit) => ({
        ...{ id: unit.id, unit, building: byId(buildings, unit.buildingId) },
        entrance: byId(entrances, unit.entranceId),
      })),
    addressOf: ({ unit }) => unit?.addressId,
    readers: UNITS,
    forms: formsOf(
      UNIT,
      'ejerskaber opgang bygning',
      `${named(ENTRANCE, 'opgang_')} ${named(BUILDING, 'bygning_')}`,
    ),
  },
  {
    ...{ path: 'bygninger', ids: 'buildingIds', address: ['adgangsadresseid', 'accessIds'] },
    rowsOf: ({ buildings }) => buildings.map((building) => ({ id: building.id, building })),
    addressOf: ({ building }) => building?.accessId,
    readers: BUILDINGS,
    forms: formsOf(BUILDING, 'ejerskaber bygningspunkt'),
  },
  {
    ...{ path: 'opgange', ids: 'entranceIds', address: ['adgangsadresseid', 'accessIds'] },
    rowsOf: ({ buildings, entrances }) =>
      entrances.map((entrance) => {
        return { id: entrance.id, building: byId(buildings, entrance.buildingId), entrance };
      }),
    addressOf: ({ entrance }) => entrance?.accessId,
    readers: readersOf(entranceIn, OF_ENTRANCE),
    forms: formsOf(ENTRANCE),
  },
];

function byId<T extends { readonly id: string }>(rows: readonly T[], id: string | null): T | null {
  return rows.find((row) => row.id === id) ?? null;
}

const FIELDS: Fields<Row> = filtersBy(
  {
    id: ({ id }) => id,
    bygningsid: ({ building }) => building?.id,
    kommunekode: ({ building }) => building?.municipalityCode,
    anvendelseskode: ({ building, unit }) => (unit === undefined ? building?.use : unit.use),
  },
  'id:uuid bygningsid:uuid kommunekode:code anvendelseskode:number',
);

interface Question {
  readonly built: BuiltQuestion;
  readonly fits: Fits<Row>;
  readonly page: PageAsked;
}

/** Only ids: any other question would scan the country. */
function readList(
  { ids, address: [address, addresses], addressOf }: Kind,
  { params }: Asked,
): Question {
  const [own, buildings, at] = [
    params.uuids('id'),
    params.uuids('bygningsid'),
    params.uuids(address),
  ];
  if (own.length + buildings.length + at.length === 0) {
    throw badParameter(address, 'missing, as are id and bygningsid');
  }
  if (at.length > 0 && own.length + buildings.length > 0) {
    throw badParameter(address, 'not beside id and bygningsid');
  }
  const fits = fitsOf(params, FIELDS);
  const page = pageOf(params);
  if (at.length > 0) {
    const isThere = (row: Row) => at.includes(addressOf(row) ?? '') && (fits?.(row) ?? true);
    return { built: { [addresses]: at }, fits: isThere, page };
  }
  const built = own.length > 0 ? { [ids]: own } : { buildingIds: buildings };
  return { built, fits: fits ?? (() => true), page };
}

async function find(
  { built: read }: DoorLookups,
  kind: Kind,
  { built: asked, fits }: Omit<Question, 'page'>,
) {
  const { generation, provenance, ...built } = await read(asked);
  return { facts: { generation, provenance }, rows: kind.rowsOf(built).filter(fits) };
}

export function bbrLightDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const kind of KINDS) {
    const resource: Resource<Question, Row> = {
      ...writtenBy(kind.readers, kind.forms),
      ...{ path: `/bbrlight/${kind.path}`, rule: RULE, coverage: null },
      read: (asked) => readList(kind, asked),
      find: (question) => find(lookups, kind, question),
    };
    addResource(add, resource);
    addOne(add, resource, [
      ':id',
      ({ path: { id = '' } }) => pathUuid('id', id),
      (id) => find(lookups, kind, { built: { [kind.ids]: [id] }, fits: (row) => row.id === id }),
    ]);
  }
}
