/**
 * The island's cadastre: districts, parcels and faces, and properties with their own number.
 * Derived from the addresses with its own random source, so the addresses stay as they are.
 */
import type { TableRow } from '../../data/table-row.ts';
import type { Place } from '../../data/geometry.ts';
import { createRandom } from '../../data/random.ts';

export const CADASTRE_ENTITIES = [
  'Ejerlav',
  'SamletFastEjendom',
  'Jordstykke',
  'Ejerlejlighed',
  'BygningPaaFremmedGrund',
  'Lodflade',
] as const;
export type CadastreEntity = (typeof CADASTRE_ENTITIES)[number];

const REGISTERED = '2019-02-04T10:20:30.000000Z';
const SINCE = '2008-05-31T22:00:00.000000Z';
/** Districts, flats, buildings on leased ground; parcels begin at 9,600,001. */
const FIRST = { district: 9_900_000, flat: 9_700_001, foreign: 9_800_001 } as const;
export const FOREIGN_BFES = [9_300_001, 9_300_002, 9_300_003] as const;

/** A door in force, and its position; null: none. */
export interface Door {
  readonly id: string;
  readonly parcel: string;
  readonly municipality: string;
  readonly place: Place | null;
}

export function doorsOf({ Husnummer, Adressepunkt }: Addresses): readonly Door[] {
  const points = new Map(Adressepunkt.map((row) => [row['id_lokalId'], row['position'] ?? null]));
  return Husnummer.filter((row) => row['status'] === '3').map((row) => ({
    id: row['id_lokalId'] ?? '',
    parcel: row['jordstykke'] ?? '',
    municipality: (row['vejmidte'] ?? '').slice(0, 4),
    place: placeOf(points.get(row['adgangspunkt']) ?? null),
  }));
}

interface Addresses {
  readonly Husnummer: readonly TableRow[];
  readonly Adressepunkt: readonly TableRow[];
  readonly Jordstykke: readonly TableRow[];
  readonly Ejendomsbeliggenhed: readonly TableRow[];
  readonly Adresse: readonly TableRow[];
}

function placeOf(wkt: string | null): Place | null {
  const [, x = '0', y = '0'] = /^POINT \((\S+) (\S+)\)$/.exec(wkt ?? '') ?? [];
  return Number(x) === 0 ? null : { x: Number(x), y: Number(y) };
}

export function generateCadastre(
  addresses: Addresses,
): Readonly<Record<CadastreEntity, readonly TableRow[]>> {
  const doors = Map.groupBy(doorsOf(addresses), ({ parcel }) => parcel);
  const random = createRandom('cadastre');
  const parcels = addresses.Jordstykke.map((row): TableRow => {
    const [door] = doors.get(row['id_lokalId'] ?? '') ?? [];
    const municipality = door?.municipality ?? '0093';
    return {
      ...row,
      ejerlavLokalId: String(FIRST.district + Number(municipality)),
      kommuneLokalId: municipality,
      registreretAreal: String(random.integer(400, 9_000)),
      vejareal: '0',
    };
  });
  const bfes = [...new Set(parcels.map((row) => row['samletFastEjendomLokalId'] ?? ''))];
  return {
    Ejerlav: districts(parcels),
    SamletFastEjendom: bfes.map((bfe) => ({
      ...identity(bfe, 'Gældende'),
      BFEnummer: bfe,
      hovedejendomOpdeltIEjerlejligheder: random.chance(0.1) ? 'true' : 'false',
    })),
    Jordstykke: parcels,
    Ejerlejlighed: flats(addresses),
    BygningPaaFremmedGrund: FOREIGN_BFES.map((bfe, n) => ({
      ...identity(String(FIRST.foreign + n), 'Gældende'),
      BFEnummer: String(bfe),
    })),
    Lodflade: parcels.flatMap((row) => facesOf(row, doors.get(row['id_lokalId'] ?? '') ?? [])),
  };
}

function identity(id: string, status: string): TableRow {
  return {
    id_lokalId: id,
    status,
    registreringFra: REGISTERED,
    registreringTil: null,
    virkningFra: SINCE,
    virkningTil: null,
  };
}

const DISTRICT_NAMES = ['Opdigtede Marker', 'Prøvelunds Jorder', 'Skitsebjerg By, Prøve'];

function districts(parcels: readonly TableRow[]): TableRow[] {
  const ids = [...new Set(parcels.map((row) => row['ejerlavLokalId'] ?? ''))].sort();
  return ids.map((id, n) => ({
    ...identity(id, 'Gældende'),
    ejerlavskode: id,
    ejerlavsnavn: `${DISTRICT_NAMES[n % DISTRICT_NAMES.length]}, ${id.slice(-2)}`,
  }));
}

function flats({ Ejendomsbeliggenhed, Adresse, Husnummer, Jordstykke }: Addresses): TableRow[] {
  const units = new Map(Adresse.map((row) => [row['id_lokalId'], row]));
  const accesses = new Map(Husnummer.map((row) => [row['id_lokalId'], row]));
  const parcels = new Map(Jordstykke.map((row) => [row['id_lokalId'], row]));
  return Ejendomsbeliggenhed.filter((row) => row['adresseLokalId'] !== null).map((row, n) => {
    const access = accesses.get(units.get(row['adresseLokalId'])?.['husnummer'] ?? '');
    const parcel = parcels.get(access?.['jordstykke'] ?? '');
    return {
      ...identity(String(FIRST.flat + n), row['status'] === 'historisk' ? 'Historisk' : 'Gældende'),
      BFEnummer: row['bestemtFastEjendomBFENr'] ?? null,
      ejerlejlighedsnummer: String(n + 1),
      samletFastEjendomLokalId: parcel?.['samletFastEjendomLokalId'] ?? null,
    };
  });
}

/** Drawn around its doors; every seventh parcel has two adjacent faces. */
function facesOf(parcel: TableRow, doors: readonly Door[]): TableRow[] {
  const places = doors.flatMap(({ place }) => (place === null ? [] : [place]));
  if (places.length === 0) return [];
  const id = parcel['id_lokalId'] ?? '';
  const [minX, maxX] = reach(places.map(({ x }) => x));
  const [minY, maxY] = reach(places.map(({ y }) => y));
  const middle = (minX + maxX) / 2;
  const parts = Number(id) % 7 === 0 ? [minX, middle, maxX] : [minX, maxX];
  return parts.slice(1).map((east, n) => ({
    ...identity(`${id}_${n + 1}`, 'Gældende'),
    jordstykkeLokalId: id,
    geometri: rectangle(parts[n] ?? minX, minY, east, maxY),
  }));
}

const MARGIN_M = 14;

function reach(values: readonly number[]): readonly [number, number] {
  return [Math.min(...values) - MARGIN_M, Math.max(...values) + MARGIN_M];
}

function rectangle(west: number, south: number, east: number, north: number): string {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const text = corners.map(([x = 0, y = 0]) => `${x.toFixed(3)} ${y.toFixed(3)}`).join(', ');
  return `POLYGON ((${text}))`;
}
