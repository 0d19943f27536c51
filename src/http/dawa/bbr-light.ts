/** `/bbrlight`: buildings, entrances and units of BBR by their ids, their building or their address (D197, D240). */
import { pairOf } from '../../answers/in-system.ts';
import type {
  Built,
  BuiltBuilding,
  BuiltEntrance,
  BuiltQuestion,
  BuiltUnit,
} from '../../registers/property/built.ts';
import type { Shape } from '../wire/row-formats.ts';
import { badParameter } from './failure.ts';
import { fitsOf } from './filters.ts';
import type { Fields, Fits } from './filters.ts';
import { DAWA_LIMITS } from './limits.ts';
import { filtersBy } from './members.ts';
import type { Place, Values } from './members.ts';
import { pageOf } from './pages.ts';
import type { PageAsked } from './pages.ts';
import { pathUuid, uuidOf } from './paths.ts';
import { addOne, addResource } from './resources.ts';
import type { Resource } from './resources.ts';
import type { AddRoute, Asked, DoorLookups } from './routes.ts';

const RULE = { area: 'bbr', operation: 'ejendom' } as const;

/** A row with those that it is in. */
interface Row {
  readonly id: string;
  readonly building: BuiltBuilding | null;
  readonly entrance?: BuiltEntrance | null;
  readonly unit?: BuiltUnit;
}

interface Kind {
  readonly path: keyof typeof MEMBERS;
  /** What its `id` is in a question. */
  readonly ids: keyof BuiltQuestion;
  /** The parameter that names its address, and what that is in a question. */
  readonly address: readonly ['adresseid' | 'adgangsadresseid', keyof BuiltQuestion];
  readonly rowsOf: (built: Built) => readonly Row[];
  readonly addressOf: (row: Row) => string | null | undefined;
  readonly around: readonly (readonly [member: string, of: Kind['path']])[];
}

/** DAWA's names in its order, each with the field that it is of. A bare name is one that the mirror does not hold. */
const MEMBERS = {
  bygninger: [
    ({ building }: Row) => building,
    `Bygning_id=id AdgAdr_id=accessId Grund_id=groundId KomKode=municipalityCode ESREjdNr
    Bygningsnr=number BYG_ANVEND_KODE=use AntLejMKoekken AntLejUKoekken OPFOERELSE_AAR=builtYear
    OMBYG_AAR=rebuiltYear BYG_VANDFORSY_KODE BYG_AFLOB_KODE=drainage YDERVAEG_KODE=outerWall
    TAG_KODE=roof SUPL_YDERVAEG_KODE=otherOuterWall SUPL_TAG_KODE=otherRoof ASBEST_KODE=asbestos
    BYG_ARL_SAML=totalArea BYG_BOLIG_ARL_SAML=dwellingArea ERHV_ARL_SAML=businessArea
    BYG_BEBYG_ARL=footprintArea GARAGE_INDB_ARL CARPORT_INDB_ARL UDHUS_INDB_ARL UDESTUE_ARL
    LukOverdaekAreal ANDET_ARL ETAGER_ANT=storeys AFVIG_ETAGE_KODE=deviatingStoreys
    VARMEINSTAL_KODE=heating OPVARMNING_KODE=heatingFuel VARME_SUPPL_KODE=otherHeating
    BygSkadeForsikSelskab NyByg SagsType`,
  ],
  opgange: [
    ({ entrance }: Row) => entrance,
    'Opgang_id=id Bygning_id=buildingId AdgAdr_id=accessId Elevator SagsType',
  ],
  enheder: [
    ({ unit }: Row) => unit,
    `Enhed_id=id Opgang_id=entranceId EnhAdr_id=addressId ENH_ANVEND_KODE=use BOLIGTYPE_KODE
    ENH_ARL_SAML=totalArea BEBO_ARL ENH_ERHV_ARL VAERELSE_ANT=rooms VAER_ERHV_ANT
    AntVandskylToilleter AntBadevaerelser TOILET_KODE BAD_KODE KOEKKEN_KODE ENERGI_KODE
    VARMEINSTAL_KODE=heating OPVARMNING_KODE=heatingFuel VARME_SUPPL_KODE ENH_UDLEJ2_KODE
    LukOverdaekAreal SagsType`,
  ],
} as const;

/** null: there is none. */
function membersOf(path: Kind['path'], row: Row): Values | null {
  const [pick, names] = MEMBERS[path];
  const own = pick(row) as Values | null | undefined;
  if (own === null || own === undefined) return null;
  const each = names.split(/\s+/).map((name) => name.split('='));
  return Object.fromEntries(
    each.map(([name = '', field = '']) => {
      const value = own[field] ?? null;
      // A code is a number where it is one.
      const isNumber =
        name.endsWith('_KODE') && typeof value === 'string' && /^\d{1,9}$/.test(value);
      return [name, isNumber ? Number(value) : value];
    }),
  );
}

const buildingOf = ({ buildings }: Built, id: string): BuiltBuilding | null =>
  buildings.find((building) => building.id === id) ?? null;

const KINDS: readonly Kind[] = [
  {
    ...{ path: 'enheder', ids: 'unitIds', address: ['adresseid', 'addressIds'] },
    rowsOf: (built) =>
      built.units.map((unit) => {
        const entrance = built.entrances.find(({ id }) => id === unit.entranceId) ?? null;
        return { id: unit.id, building: buildingOf(built, unit.buildingId), entrance, unit };
      }),
    addressOf: ({ unit }) => unit?.addressId,
    around: [
      ['opgang', 'opgange'],
      ['bygning', 'bygninger'],
    ],
  },
  {
    ...{ path: 'bygninger', ids: 'buildingIds', address: ['adgangsadresseid', 'accessIds'] },
    rowsOf: ({ buildings }) => buildings.map((building) => ({ id: building.id, building })),
    addressOf: ({ building }) => building?.accessId,
    around: [],
  },
  {
    ...{ path: 'opgange', ids: 'entranceIds', address: ['adgangsadresseid', 'accessIds'] },
    rowsOf: (built) =>
      built.entrances.map((entrance) => {
        return { id: entrance.id, building: buildingOf(built, entrance.buildingId), entrance };
      }),
    addressOf: ({ entrance }) => entrance?.accessId,
    around: [],
  },
];

const FIELDS: Fields<Row> = filtersBy(
  {
    id: ({ id }) => id,
    bygningsid: ({ building }) => building?.id,
    kommunekode: ({ building }) => building?.municipalityCode,
    anvendelseskode: ({ building, unit }) => (unit === undefined ? building?.use : unit.use),
  },
  'id:uuid bygningsid:uuid kommunekode:code anvendelseskode:number',
);

function shapeOf({ path, around }: Kind, { base, format }: Place): Shape<Row> {
  const hrefOf = (of: Kind['path'], id: unknown) => `${base}/bbrlight/${of}/${String(id)}`;
  const isBuilding = path === 'bygninger';
  const place = ({ building }: Row) =>
    building === null || building.x === null || building.y === null
      ? null
      : pairOf({ xUtm32: building.x, yUtm32: building.y }, format.srid);
  const own = (row: Row): Values => membersOf(path, row) ?? {};
  const about = (row: Row) => around.map(([name, of]) => [name, of, membersOf(of, row)] as const);
  return {
    nestet: (row) => ({
      ...{ ...own(row), href: hrefOf(path, row.id) },
      ...(path !== 'opgange' && { ejerskaber: null }),
      ...Object.fromEntries(
        about(row).map(([name, of, values]) => {
          const [id] = Object.values(values ?? {});
          return [name, values && { ...values, href: hrefOf(of, id) }];
        }),
      ),
      ...(isBuilding && { bygningspunkt: { koordinater: place(row) } }),
    }),
    flad: (row) => ({
      ...own(row),
      ...Object.fromEntries(
        about(row).flatMap(([name, , values]) =>
          Object.entries(values ?? {}).map(([each, value]) => [`${name}_${each}`, value]),
        ),
      ),
    }),
    mini: own,
    ...(isBuilding && {
      geometry: (row: Row) => {
        const coordinates = place(row);
        return JSON.stringify(coordinates && { type: 'Point', coordinates });
      },
    }),
  };
}

interface Question {
  readonly built: BuiltQuestion;
  readonly fits: Fits<Row>;
  readonly page: PageAsked;
}

/** BBR is read by ids: all else would be a scan of the country. */
function readList(
  { ids, address: [address, addresses], addressOf }: Kind,
  { params }: Asked,
): Question {
  const uuids = (name: string) =>
    params.list(name, DAWA_LIMITS.ids).map((each) => uuidOf(name, each));
  const [own, buildings, at] = [uuids('id'), uuids('bygningsid'), uuids(address)];
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
      ...{ path: `/bbrlight/${kind.path}`, rule: RULE, coverage: null, suggest: null },
      read: (asked) => readList(kind, asked),
      find: (question) => find(lookups, kind, question),
      shape: (place) => shapeOf(kind, place),
    };
    addResource(add, resource);
    addOne(add, resource, [
      ':id',
      ({ path: { id = '' } }) => pathUuid('id', id),
      (id) => find(lookups, kind, { built: { [kind.ids]: [id] }, fits: (row) => row.id === id }),
    ]);
  }
}
