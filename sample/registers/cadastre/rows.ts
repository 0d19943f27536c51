/**
 * The island's cadastre: districts, parcels and faces, and properties with their own number.
 * Derived from the addresses with its own random source, so the addresses stay as they are.
 */
import { byId, entitiesOf, inForceSince, textIn } from '../../data/table-row.ts';
import type { TableRow } from '../../data/table-row.ts';
import type { AddressTables } from '../addresses/rows.ts';
import { boxRing } from '../../data/geometry.ts';
import type { Box, Place } from '../../data/geometry.ts';
import { createRandom } from '../../data/random.ts';

/** By entity. */
export const CADASTRE_MIN_ROWS = {
  Ejerlav: 4,
  SamletFastEjendom: 500,
  Jordstykke: 500,
  Ejerlejlighed: 50,
  BygningPaaFremmedGrund: 2,
  Lodflade: 400,
} as const;
export const CADASTRE_ENTITIES = entitiesOf(CADASTRE_MIN_ROWS);
export type CadastreEntity = keyof typeof CADASTRE_MIN_ROWS;

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

export function doorsOf({
  Husnummer,
  Adressepunkt,
}: Pick<AddressTables, 'Husnummer' | 'Adressepunkt'>): readonly Door[] {
  const points = byId(Adressepunkt);
  return Husnummer.filter((row) => row['status'] === '3').map((row) => ({
    id: textIn(row, 'id_lokalId'),
    parcel: textIn(row, 'jordstykke'),
    municipality: textIn(row, 'vejmidte').slice(0, 4),
    place: placeOf(textIn(points.get(textIn(row, 'adgangspunkt')), 'position')),
  }));
}

function placeOf(wkt: string): Place | null {
  const [, x = '0', y = '0'] = /^POINT \((\S+) (\S+)\)$/.exec(wkt) ?? [];
  return Number(x) === 0 ? null : { x: Number(x), y: Number(y) };
}

export function generateCadastre(
  addresses: AddressTables,
): Readonly<Record<CadastreEntity, readonly TableRow[]>> {
  const doors = Map.groupBy(doorsOf(addresses), ({ parcel }) => parcel);
  const random = createRandom('cadastre');
  const parcels = addresses.Jordstykke.map((row): TableRow => {
    const [door] = doors.get(textIn(row, 'id_lokalId')) ?? [];
    const municipality = door?.municipality ?? '0093';
    return {
      ...row,
      ejerlavLokalId: String(FIRST.district + Number(municipality)),
      kommuneLokalId: municipality,
      registreretAreal: String(random.integer(400, 9_000)),
      vejareal: '0',
    };
  });
  const bfes = new Set(parcels.map((row) => textIn(row, 'samletFastEjendomLokalId')));
  return {
    Ejerlav: districts(parcels),
    SamletFastEjendom: [...bfes].map((bfe) => ({
      ...identity(bfe),
      BFEnummer: bfe,
      hovedejendomOpdeltIEjerlejligheder: String(random.chance(0.1)),
    })),
    Jordstykke: parcels,
    Ejerlejlighed: flats(addresses),
    BygningPaaFremmedGrund: FOREIGN_BFES.map((bfe, n) => ({
      ...identity(String(FIRST.foreign + n)),
      BFEnummer: String(bfe),
    })),
    Lodflade: parcels.flatMap((row) => facesOf(row, doors.get(textIn(row, 'id_lokalId')) ?? [])),
  };
}

function identity(id: string, status = 'Gældende'): TableRow {
  return { id_lokalId: id, status, ...inForceSince(SINCE, REGISTERED) };
}

const DISTRICT_NAMES = ['Opdigtede Marker', 'Prøvelunds Jorder', 'Skitsebjerg By, Prøve'];

function districts(parcels: readonly TableRow[]): TableRow[] {
  const ids = [...new Set(parcels.map((row) => textIn(row, 'ejerlavLokalId')))].sort();
  return ids.map((id, n) => ({
    ...identity(id),
    ejerlavskode: id,
    ejerlavsnavn: `${DISTRICT_NAMES[n % DISTRICT_NAMES.length]}, ${id.slice(-2)}`,
  }));
}

function flats({ Ejendomsbeliggenhed, Adresse, Husnummer, Jordstykke }: AddressTables): TableRow[] {
  const [units, accesses, parcels] = [byId(Adresse), byId(Husnummer), byId(Jordstykke)];
  return Ejendomsbeliggenhed.filter((row) => row['adresseLokalId'] !== null).map((row, n) => {
    const access = accesses.get(textIn(units.get(textIn(row, 'adresseLokalId')), 'husnummer'));
    const parcel = parcels.get(textIn(access, 'jordstykke'));
    return {
      ...identity(String(FIRST.flat + n), row['status'] === 'historisk' ? 'Historisk' : undefined),
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
  const id = textIn(parcel, 'id_lokalId');
  const [minX, maxX] = reach(places.map(({ x }) => x));
  const [minY, maxY] = reach(places.map(({ y }) => y));
  const parts = Number(id) % 7 === 0 ? [minX, (minX + maxX) / 2, maxX] : [minX, maxX];
  return parts.slice(1).map((east, n) => ({
    ...identity(`${id}_${n + 1}`),
    jordstykkeLokalId: id,
    geometri: rectangle({ minX: parts[n] ?? minX, minY, maxX: east, maxY }),
  }));
}

const MARGIN_M = 14;

function reach(values: readonly number[]): readonly [number, number] {
  return [Math.min(...values) - MARGIN_M, Math.max(...values) + MARGIN_M];
}

function rectangle(box: Box): string {
  const corners = boxRing({ x: 0, y: 0 }, box);
  return `POLYGON ((${corners.map((pos) => pos.map((at) => at.toFixed(3)).join(' ')).join(', ')}))`;
}
