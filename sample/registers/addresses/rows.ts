/**
 * The island's invented addresses, with stacked and missing points, retired and provisional addresses, and
 * renamed roads. An address is a row of a file; postcodes below 0100 and the names do not exist in Denmark.
 */
import { readCsv, readTables } from '../../data/read-csv.ts';
import { byId, inForceSince, textIn } from '../../data/table-row.ts';
import type { TableRow } from '../../data/table-row.ts';

/** By entity. */
export const ADDRESS_MIN_ROWS = {
  Postnummer: 6,
  SupplerendeBynavn: 3,
  NavngivenVej: 60,
  NavngivenVejKommunedel: 60,
  Adressepunkt: 1_000,
  Husnummer: 1_000,
  Adresse: 1_500,
  Ejendomsbeliggenhed: 600,
} as const;
export type AddressTables = Readonly<Record<keyof typeof ADDRESS_MIN_ROWS, readonly TableRow[]>>;

const REGISTERED = '2018-05-03T16:58:34.000000Z';
const SINCE = '2005-01-01T12:00:00.000000Z';

/**
 * What examples and tests rely on: ids that belong to no real address, and places on the island.
 */
export const KNOWN_ADDRESS = {
  roadId: '00000000-0000-4000-8000-0000000000a1',
  accessId: '00000000-0000-4000-8000-0000000000b1',
  unitId: '00000000-0000-4000-8000-0000000000c1',
  retiredAccessId: '00000000-0000-4000-8000-0000000000b4',
  roadName: 'Ny Prøvegade',
  formerRoadName: 'Gammel Opdigtergade',
  houseNumber: '12A',
  floor: '2',
  door: 'tv',
  postcode: '0093',
  postcodeName: 'Midtprøve',
  municipalityCode: '0093',
  bfe: 9_100_001,
  unitBfe: 9_200_001,
  /** EPSG:25832: one access address, and the two stacked ones slightly west of it. */
  place: { x: 650_040.5, y: 6_314_025.25 },
  stacked: { x: 650_020, y: 6_314_025 },
  stackedIds: ['00000000-0000-4000-8000-0000000000b2', '00000000-0000-4000-8000-0000000000b3'],
  receiver: { id: '00000000-0000-4000-8000-0000000000b5', postcode: '0098', name: 'Storprøve' },
} as const;

const read = (name: string): readonly TableRow[] => readCsv(import.meta.dirname, name);

const TABLES = [
  ...(['Postnummer', 'SupplerendeBynavn', 'NavngivenVej', 'NavngivenVejKommunedel'] as const),
  'Ejendomsbeliggenhed',
] as const;
let tables: AddressTables | undefined;

/** 1,193 access and 2,052 unit addresses; made once a process. */
export function generateAddresses(): AddressTables {
  return (tables ??= addressTables());
}

function addressTables(): AddressTables {
  const whole = readTables(import.meta.dirname, TABLES);
  const postcodes = new Map(whole.Postnummer.map((row) => [textIn(row, 'postnr'), row]));
  const roads = new Map(read('roads').map((row) => [textIn(row, 'vejkode'), row]));
  const towns = byId(whole.SupplerendeBynavn);
  const accesses = read('accesses').map((row): Access => {
    const [road, postcode] = [
      roads.get(textIn(row, 'vejkode')),
      postcodes.get(textIn(row, 'postnr')),
    ];
    if (!road || !postcode) throw new Error(`No road or postcode of ${row['id']}`);
    const town = road['bynavn'] ? `${textIn(towns.get(road['bynavn']), 'navn')}, ` : '';
    return { row, road, postcode, town };
  });
  const homes = new Map(accesses.map((access) => [textIn(access.row, 'id'), access]));
  return {
    ...whole,
    Adressepunkt: accesses.flatMap(pointRows),
    Husnummer: accesses.map(accessRow),
    Adresse: read('units').map((unit) => unitRow(unit, homes.get(textIn(unit, 'husnummer')))),
  };
}

interface Access {
  readonly row: TableRow;
  readonly road: TableRow;
  readonly postcode: TableRow;
  /** Before the postcode: the town's own name, where it has one. */
  readonly town: string;
}

function textOf({ row, road, postcode, town }: Access, unit = ''): string {
  const place = `${town}${textIn(postcode, 'postnr')} ${textIn(postcode, 'navn')}`;
  return `${textIn(road, 'navn')} ${textIn(row, 'husnr')}${unit}, ${place}`;
}

function accessRow(access: Access): TableRow {
  const { row, road, postcode } = access;
  return withTimes(row['id'], row['status'], {
    adgangsadressebetegnelse: textOf(access),
    adgangspunkt: row['adgangspunkt'],
    husnummerretning: 'POINT (1 0)',
    husnummertekst: textIn(row, 'husnr').padStart(3, '0'),
    jordstykke: row['jordstykke'],
    navngivenVej: road['id'],
    postnummer: postcode['id_lokalId'],
    supplerendeBynavn: road['bynavn'],
    vejmidte: `${textIn(road, 'kommune')}-${textIn(road, 'vejkode')}`,
    vejpunkt: roadPointId(row),
  });
}

/** Of one home, or of a floor and a door in it. */
function unitRow({ id, etage, doer, husnummer }: TableRow, access: Access | undefined): TableRow {
  if (access === undefined) throw new Error(`No access address of ${id}`);
  return withTimes(id, access.row['status'], {
    adressebetegnelse: textOf(access, etage ? `, ${etage}. ${doer}` : ''),
    doerbetegnelse: doer,
    etagebetegnelse: etage,
    husnummer,
  });
}

/** Where an address meets its road: of the known addresses alone. */
function roadPointId(row: TableRow): string | null {
  const id = textIn(row, 'id').replace(/^(0{8}-.*)b(?=.$)/, '$1d');
  return id === row['id'] ? null : id;
}

/** Its own, and that at its road. */
function pointRows({ row }: Access): TableRow[] {
  const { position } = row;
  if (!position) return [];
  const point = (id: string | null | undefined, at: string, standard: string): TableRow =>
    withTimes(id, '8', {
      oprindelse_kilde: 'Adressemyn',
      oprindelse_noejagtighedsklasse: 'A',
      oprindelse_registrering: '2012-02-20T22:59:00.000000Z',
      oprindelse_tekniskStandard: standard,
      position: `POINT (${at})`,
    });
  const [x = '', y = ''] = position.split(' ');
  const roadPoint = roadPointId(row);
  return [
    point(row['adgangspunkt'], position, 'TD'),
    ...(roadPoint === null ? [] : [point(roadPoint, `${x} ${(Number(y) - 9).toFixed(2)}`, 'V0')]),
  ];
}

type Cell = string | null | undefined;

function withTimes(id: Cell, status: Cell, values: Readonly<Record<string, Cell>>): TableRow {
  const row = { id_lokalId: id, status, ...inForceSince(SINCE, REGISTERED), ...values };
  return row as TableRow;
}
