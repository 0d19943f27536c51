/** The island's cadastre: districts, parcels and properties with their own number; faces are drawn around the doors. */
import { byId, inForceSince, textIn } from '../../data/table-row.ts';
import type { TableRow } from '../../data/table-row.ts';
import { generateAddresses } from '../addresses/rows.ts';
import type { AddressTables } from '../addresses/rows.ts';
import { boxRing } from '../../data/geometry.ts';
import type { Box, Place } from '../../data/geometry.ts';
import { readTables } from '../../data/read-csv.ts';

/** By entity. */
export const CADASTRE_MIN_ROWS = {
  Ejerlav: 4,
  SamletFastEjendom: 500,
  Jordstykke: 500,
  Ejerlejlighed: 50,
  BygningPaaFremmedGrund: 2,
  Lodflade: 400,
} as const;

const REGISTERED = '2019-02-04T10:20:30.000000Z';
const SINCE = '2008-05-31T22:00:00.000000Z';
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

const TABLES = [
  ...(['Ejerlav', 'SamletFastEjendom', 'Jordstykke', 'Ejerlejlighed'] as const),
  'BygningPaaFremmedGrund',
] as const;

export function generateCadastre(): Readonly<
  Record<keyof typeof CADASTRE_MIN_ROWS, readonly TableRow[]>
> {
  const doors = Map.groupBy(doorsOf(generateAddresses()), ({ parcel }) => parcel);
  const whole = readTables(import.meta.dirname, TABLES);
  const faces = whole.Jordstykke.flatMap((row) =>
    facesOf(row, doors.get(textIn(row, 'id_lokalId')) ?? []),
  );
  return { ...whole, Lodflade: faces };
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
    ...{ id_lokalId: `${id}_${n + 1}`, status: 'Gældende' },
    ...inForceSince(SINCE, REGISTERED),
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
