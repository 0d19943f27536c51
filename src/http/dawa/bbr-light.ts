/** `/bbrlight`: buildings, entrances and units of BBR by their ids, their building or their address (D197). */
import { pairOf } from '../../answers/in-system.ts';
import { accessOf } from '../../registers/addresses/addresses.ts';
import type { UnitAddress } from '../../registers/addresses/addresses.ts';
import { byIds } from '../../registers/addresses/of-kind.ts';
import type {
  Built,
  BuiltBuilding,
  BuiltEntrance,
  BuiltQuestion,
  BuiltUnit,
} from '../../registers/property/built.ts';
import type { Shape } from '../wire/row-formats.ts';
import { badParameter, noneNamed } from './failure.ts';
import { fitsOf } from './filters.ts';
import type { Fields } from './filters.ts';
import { DAWA_LIMITS } from './limits.ts';
import { pageOf } from './pages.ts';
import { pathUuid, uuidOf } from './paths.ts';
import { addOne, addResource } from './resources.ts';
import type { Found, Resource } from './resources.ts';
import type { AddRoute, Around, Asked, DoorLookups } from './routes.ts';

const RULE = { area: 'bbr', operation: 'ejendom' } as const;

type Members = Readonly<Record<string, unknown>>;

/** A row with those that it is in. */
interface Row {
  readonly id: string;
  readonly building: BuiltBuilding | null;
  readonly entrance?: BuiltEntrance | null;
  readonly unit?: BuiltUnit;
}

interface Kind {
  readonly path: 'enheder' | 'bygninger' | 'opgange';
  /** What its `id` is in a question. */
  readonly ids: keyof BuiltQuestion;
  /** The parameter that names its address. */
  readonly address: 'adresseid' | 'adgangsadresseid';
  readonly rowsOf: (built: Built) => readonly Row[];
  readonly isAt: (row: Row, addressIds: readonly string[]) => boolean;
  readonly own: (row: Row) => Members;
  readonly around: (
    row: Row,
  ) => readonly (readonly [member: string, of: Kind['path'], Members | null])[];
}

/** A code as DAWA wrote it: a number where it is one. */
const code = (text: string | null): number | string | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : text;

function buildingMembers({ building }: Row): Members | null {
  if (building === null) return null;
  const none = null;
  return {
    ...{ Bygning_id: building.id, AdgAdr_id: building.accessId, Grund_id: building.groundId },
    ...{ KomKode: building.municipalityCode, ESREjdNr: none, Bygningsnr: building.number },
    ...{ BYG_ANVEND_KODE: code(building.use), AntLejMKoekken: none, AntLejUKoekken: none },
    ...{ OPFOERELSE_AAR: building.builtYear, OMBYG_AAR: building.rebuiltYear },
    ...{ BYG_VANDFORSY_KODE: none, BYG_AFLOB_KODE: code(building.drainage) },
    ...{ YDERVAEG_KODE: code(building.outerWall), TAG_KODE: code(building.roof) },
    ...{
      SUPL_YDERVAEG_KODE: code(building.otherOuterWall),
      SUPL_TAG_KODE: code(building.otherRoof),
    },
    ...{ ASBEST_KODE: code(building.asbestos), BYG_ARL_SAML: building.totalArea },
    ...{ BYG_BOLIG_ARL_SAML: building.dwellingArea, ERHV_ARL_SAML: building.businessArea },
    ...{ BYG_BEBYG_ARL: building.footprintArea, GARAGE_INDB_ARL: none, CARPORT_INDB_ARL: none },
    ...{ UDHUS_INDB_ARL: none, UDESTUE_ARL: none, LukOverdaekAreal: none, ANDET_ARL: none },
    ...{ ETAGER_ANT: building.storeys, AFVIG_ETAGE_KODE: code(building.deviatingStoreys) },
    ...{ VARMEINSTAL_KODE: code(building.heating), OPVARMNING_KODE: code(building.heatingFuel) },
    ...{ VARME_SUPPL_KODE: code(building.otherHeating), BygSkadeForsikSelskab: none },
    ...{ NyByg: none, SagsType: none },
  };
}

function entranceMembers({ entrance = null }: Row): Members | null {
  if (entrance === null) return null;
  const { id, buildingId, accessId } = entrance;
  return {
    Opgang_id: id,
    Bygning_id: buildingId,
    AdgAdr_id: accessId,
    Elevator: null,
    SagsType: null,
  };
}

function unitMembers({ unit }: Row): Members {
  if (unit === undefined) return {};
  return {
    ...{ Enhed_id: unit.id, Opgang_id: unit.entranceId, EnhAdr_id: unit.addressId },
    ...{ ENH_ANVEND_KODE: code(unit.use), BOLIGTYPE_KODE: null, ENH_ARL_SAML: unit.totalArea },
    ...{ BEBO_ARL: null, ENH_ERHV_ARL: null, VAERELSE_ANT: unit.rooms, VAER_ERHV_ANT: null },
    ...{ AntVandskylToilleter: null, AntBadevaerelser: null, TOILET_KODE: null, BAD_KODE: null },
    ...{ KOEKKEN_KODE: null, ENERGI_KODE: null, VARMEINSTAL_KODE: code(unit.heating) },
    ...{ OPVARMNING_KODE: code(unit.heatingFuel), VARME_SUPPL_KODE: null, ENH_UDLEJ2_KODE: null },
    ...{ LukOverdaekAreal: null, SagsType: null },
  };
}

const buildingOf = ({ buildings }: Built, id: string): BuiltBuilding | null =>
  buildings.find((building) => building.id === id) ?? null;

const KINDS: readonly Kind[] = [
  {
    ...{ path: 'enheder', ids: 'unitIds', address: 'adresseid' },
    rowsOf: (built) =>
      built.units.map((unit) => {
        const entrance = built.entrances.find(({ id }) => id === unit.entranceId) ?? null;
        return { id: unit.id, building: buildingOf(built, unit.buildingId), entrance, unit };
      }),
    isAt: ({ unit }, ids) => ids.includes(unit?.addressId ?? ''),
    own: unitMembers,
    around: (row) => [
      ['opgang', 'opgange', entranceMembers(row)],
      ['bygning', 'bygninger', buildingMembers(row)],
    ],
  },
  {
    ...{ path: 'bygninger', ids: 'buildingIds', address: 'adgangsadresseid' },
    rowsOf: ({ buildings }) => buildings.map((building) => ({ id: building.id, building })),
    isAt: ({ building }, ids) => ids.includes(building?.accessId ?? ''),
    own: (row) => buildingMembers(row) ?? {},
    around: () => [],
  },
  {
    ...{ path: 'opgange', ids: 'entranceIds', address: 'adgangsadresseid' },
    rowsOf: (built) =>
      built.entrances.map((entrance) => {
        return { id: entrance.id, building: buildingOf(built, entrance.buildingId), entrance };
      }),
    isAt: ({ entrance }, ids) => ids.includes(entrance?.accessId ?? ''),
    own: (row) => entranceMembers(row) ?? {},
    around: () => [],
  },
];

const FIELDS: Fields<Row> = {
  id: { kind: 'uuid', of: ({ id }) => id },
  bygningsid: { kind: 'uuid', of: ({ building }) => building?.id ?? null },
  kommunekode: { kind: 'code', of: ({ building }) => building?.municipalityCode ?? null },
  anvendelseskode: {
    kind: 'number',
    of: ({ building, unit }) => (unit === undefined ? building?.use : unit.use) ?? null,
  },
};

function shapeOf(kind: Kind, { base, format }: Around): Shape<Row> {
  const hrefOf = (path: Kind['path'], id: unknown) => `${base}/bbrlight/${path}/${String(id)}`;
  const place = ({ building }: Row) =>
    building === null || building.x === null || building.y === null
      ? null
      : pairOf({ xUtm32: building.x, yUtm32: building.y }, format.srid);
  const owned = { ejerskaber: null };
  return {
    nestet: (row) => ({
      ...{ ...kind.own(row), href: hrefOf(kind.path, row.id) },
      ...(kind.path !== 'opgange' && owned),
      ...Object.fromEntries(
        kind.around(row).map(([name, path, members]) => {
          const [id] = Object.values(members ?? {});
          return [name, members && { ...members, href: hrefOf(path, id) }];
        }),
      ),
      ...(kind.path === 'bygninger' && { bygningspunkt: { koordinater: place(row) } }),
    }),
    flad: (row) => ({
      ...kind.own(row),
      ...Object.fromEntries(
        kind
          .around(row)
          .flatMap(([name, , members]) =>
            Object.entries(members ?? {}).map(([member, value]) => [`${name}_${member}`, value]),
          ),
      ),
    }),
    mini: (row) => kind.own(row),
    ...(kind.path === 'bygninger' && {
      geometry: (row) => {
        const coordinates = place(row);
        return JSON.stringify(coordinates && { type: 'Point', coordinates });
      },
    }),
  };
}

interface Question {
  readonly built: BuiltQuestion;
  readonly addressIds: readonly string[];
  readonly fits: ReturnType<typeof fitsOf<Row>>;
  readonly page: ReturnType<typeof pageOf>;
}

/** BBR is read by ids: all else would be a scan of the country. */
function readList({ ids, address }: Kind, { params }: Asked): Question {
  const uuids = (name: string) =>
    params.list(name, DAWA_LIMITS.ids).map((each) => uuidOf(name, each));
  const [own, buildings, addressIds] = [uuids('id'), uuids('bygningsid'), uuids(address)];
  if (own.length + buildings.length + addressIds.length === 0) {
    throw badParameter(address, 'missing, as are id and bygningsid');
  }
  if (addressIds.length > 0 && own.length + buildings.length > 0) {
    throw badParameter(address, 'not beside id and bygningsid');
  }
  const built = own.length > 0 ? { [ids]: own } : { buildingIds: buildings };
  return { built, addressIds, fits: fitsOf(params, FIELDS), page: pageOf(params) };
}

/** Of the properties that the addresses belong to: BBR has no other way from an address. */
async function bfesAt(
  { addresses }: DoorLookups,
  { address }: Kind,
  { addressIds }: Question,
  { deadline }: Around,
) {
  const kind = address === 'adresseid' ? 'unit' : 'access';
  const asked = { kind, ids: addressIds } as const;
  const { value, ...facts } = await byIds(addresses.search, asked, deadline);
  const numbers = value.flatMap((found) => {
    const units: readonly UnitAddress[] =
      'access' in found ? [found] : addresses.listing.units(found.id).value;
    return [accessOf(found).bfe, ...units.map(({ bfe }) => bfe)];
  });
  const bfes = [...new Set(numbers.filter((bfe) => bfe !== null))];
  return { facts, bfes, isKnown: value.length > 0 };
}

/** Not that BBR has none: it names none in the property that the address belongs to. */
const noneThere = () =>
  noneNamed(
    'BBR names none at the address in the property that it belongs to.',
    'BBR nævner ingen på adressen i den ejendom, den hører til.',
  );

async function find(lookups: DoorLookups, kind: Kind, question: Question, around: Around) {
  const { addressIds, fits } = question;
  if (addressIds.length === 0) return keptOf(await lookups.built(question.built), kind, fits);
  const { facts, bfes, isKnown } = await bfesAt(lookups, kind, question, around);
  if (!isKnown) return { facts, rows: [] };
  const { provenance, ...built } = await lookups.built({ bfes });
  const rows = kind.rowsOf(built).filter((row) => kind.isAt(row, addressIds));
  if (rows.length === 0) throw noneThere();
  return {
    facts: { generation: built.generation, provenance: [...provenance, ...facts.provenance] },
    rows: fits === null ? rows : rows.filter(fits),
  };
}

function keptOf(
  { generation, provenance, ...built }: Awaited<ReturnType<DoorLookups['built']>>,
  kind: Kind,
  fits: Question['fits'],
): Found<Row> {
  const rows = kind.rowsOf(built);
  return { facts: { generation, provenance }, rows: fits === null ? rows : rows.filter(fits) };
}

export function bbrLightDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const kind of KINDS) {
    const resource: Resource<Question, Row> = {
      ...{ path: `/bbrlight/${kind.path}`, rule: RULE, coverage: null, suggest: null },
      read: (asked) => readList(kind, asked),
      find: (question, around) => find(lookups, kind, question, around),
      shape: (around) => shapeOf(kind, around),
    };
    addResource(add, resource);
    addOne(add, resource, [
      ':id',
      ({ path: { id = '' } }) => pathUuid('id', id),
      async (id) => keptOf(await lookups.built({ [kind.ids]: [id] }), kind, (row) => row.id === id),
    ]);
  }
}
